// SPDX-License-Identifier: Apache-2.0
/// The card's own volume control. Control thread; another thread asks the card, which may be away.
public protocol MixerPort: AnyObject {
    /// - Parameters:
    ///   - percent: 0…100.
    ///   - finish: gets the card's answer; on the control thread, later.
    func set(_ percent: Int, finish: @escaping (Bool) -> Void)
}

/// The volume: of the card if the configuration names its control, else of the samples.
///
/// A card has a volume of its own when it comes back, so the volume is set again. So is that of a card that was away when the volume was
/// set.
public final class Volume {
    /// The first volume of wireless headphones: quiet enough for any.
    static let firstHeadphonePercent = 30

    /// The volume of the present output, 0…100.
    public var percent: Int { isOnHeadphones ? headphonePercent : cardPercent }
    private(set) var cardPercent = 100
    var headphonePercent = Volume.firstHeadphonePercent
    private var isOnHeadphones = false
    /// The volume of the samples.
    private var samplesPercent = 100
    /// The loudness of a ringing alarm, independent of the volume; nil while none rings.
    var alarmPercent: Int? { didSet { if alarmPercent != oldValue { apply() } } }
    /// The highest volume by day and night, in percent.
    var mostPercent = 100
    private let mixer: (any MixerPort)?
    private let setSamples: (Int) -> Void
    /// True if the card has the volume, as far as is known.
    private var isTaken = false

    /// - Parameters:
    ///   - mixer: nil to scale the samples.
    ///   - setSamples: sets the volume of the samples.
    public init(mixer: (any MixerPort)?, setSamples: @escaping (Int) -> Void) {
        self.mixer = mixer
        self.setSamples = setSamples
    }

    /// Sets the volume, bounded to 0…100. The caller applies `mostPercent`.
    /// - Returns: true if the volume changed.
    @discardableResult
    public func set(_ wanted: Int) -> Bool {
        let old = percent
        let new = min(100, max(0, wanted))
        if isOnHeadphones { headphonePercent = new } else { cardPercent = new }
        apply()
        return percent != old
    }

    /// Notes that the sound goes to wireless headphones, which have a volume of their own, or to the card again.
    func setHeadphones(_ areInUse: Bool) {
        isOnHeadphones = areInUse
        apply()
    }

    /// Sets the volume of a card that was opened, the first or one that was away.
    public func deviceDidOpen() { if !isTaken { apply() } }

    /// Notes that the card is away.
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
