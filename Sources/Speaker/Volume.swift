// SPDX-License-Identifier: Apache-2.0
/// The card's own volume control. Control thread; the card is asked elsewhere, and may be away.
public protocol MixerPort: AnyObject {
    /// - Parameters:
    ///   - percent: 0…100.
    ///   - finish: gets the card's answer; on the control thread, later.
    func set(_ percent: Int, finish: @escaping (Bool) -> Void)
}

/// The volume: of the card where the configuration names its control, else of the samples.
///
/// A card that was away has a volume of its own when it comes back, so it is told again; likewise one that was not there when it was
/// told.
public final class Volume {
    /// Quiet enough for any headphones: the first volume of those without a wire.
    static let firstHeadphonePercent = 30

    /// 0…100: of what has the sound.
    public var percent: Int { isOnHeadphones ? headphonePercent : cardPercent }
    private(set) var cardPercent = 100
    var headphonePercent = Volume.firstHeadphonePercent
    private var isOnHeadphones = false
    /// The samples are as loud as this.
    private var samplesPercent = 100
    /// The loudness of a ringing alarm, independent of the volume; nil while none rings.
    var alarmPercent: Int? { didSet { if alarmPercent != oldValue { apply() } } }
    /// The highest volume by day and night, in percent.
    var mostPercent = 100
    private let mixer: (any MixerPort)?
    private let setSamples: (Int) -> Void
    /// The card has taken the volume, as far as is known.
    private var isTaken = false

    /// - Parameters:
    ///   - mixer: nil where the samples are made quieter.
    ///   - setSamples: makes them so.
    public init(mixer: (any MixerPort)?, setSamples: @escaping (Int) -> Void) {
        self.mixer = mixer
        self.setSamples = setSamples
    }

    /// Brings it to `wanted`, or to the limit where that is beyond.
    /// - Returns: true if the volume changed.
    @discardableResult
    public func set(_ wanted: Int) -> Bool {
        let old = percent
        let new = min(100, max(0, wanted))
        if isOnHeadphones { headphonePercent = new } else { cardPercent = new }
        apply()
        return percent != old
    }

    /// The sound goes to headphones without a wire, which have a volume of their own, or to the card again.
    func setHeadphones(_ areInUse: Bool) {
        isOnHeadphones = areInUse
        apply()
    }

    /// A card was opened that was away, or is the first.
    public func deviceDidOpen() { if !isTaken { apply() } }

    /// The card is away.
    public func deviceDidGo() { isTaken = false }

    private var heardPercent: Int { alarmPercent ?? percent }

    private func apply() {
        let wanted = heardPercent
        isTaken = true
        // An alarm's sound goes to the card.
        let usesSamples = mixer == nil || isOnHeadphones && alarmPercent == nil
        if usesSamples || samplesPercent != 100 {
            samplesPercent = usesSamples ? wanted : 100
            setSamples(samplesPercent)
        }
        guard !usesSamples, let mixer else { return }
        mixer.set(wanted) { [self] hasTaken in if !hasTaken && heardPercent == wanted { isTaken = false } }
    }
}
