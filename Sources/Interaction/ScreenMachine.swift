// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Scenes

/// The state and brightness of a panel, by events: hands, the speaker, time. Moments are milliseconds of a clock that never goes back. A
/// pure value.
public struct ScreenMachine: Equatable, Sendable {
    public struct Settings: Equatable, Sendable {
        /// So long after the last touch it dims; 0 for never.
        public var dimMilliseconds = 60_000
        /// So long after it, it goes dark; 0 for never by day.
        public var darkMilliseconds = 0
        /// At night dark instead of dimmed.
        public var isDarkAtNight = true

        public init() {}
    }

    public enum Light: Equatable, Sendable {
        case bright, dimmed, dark
    }

    public enum Place: Equatable, Sendable {
        /// The speaker has not answered yet.
        case boot
        /// It does not answer any more.
        case error
        case speaker
    }

    public let settings: Settings
    public private(set) var light = Light.bright
    public private(set) var place = Place.boot
    public private(set) var isNight = false
    private var lastAct: Int
    /// Since when the speaker is away; nil while it is there.
    private var awaySince: Int?
    private var fingers = 0
    private var isWaking = false
    /// A hand that wakes it in the dark of the night sees the clock first, dimmed; the next act brings full light.
    private var isGlance = false
    /// An alarm rings: until an answer it counts as touched.
    private var isRinging = false
    private var heard: SpeakerStatus?
    /// Until then what the speaker says is the answer to a button of standby.
    private var quietUntil = 0

    /// A restarted speaker is back within this time, so that no message is needed.
    public static let patienceMilliseconds = 1500
    private static let answerMilliseconds = 2000
    public static let bootMilliseconds = 15_000

    public init(_ settings: Settings, at moment: Int) {
        self.settings = settings
        lastAct = moment
        awaySince = moment
    }

    // MARK: What happens

    /// A finger or a key does something. Whether it counts: the touch that wakes a panel does nothing else, until it ends.
    public mutating func handActs(_ phase: Contact.Phase, at moment: Int) -> Bool {
        let wasOff = light != .bright
        act(at: moment, isNew: phase == .down)
        switch phase {
        case .down:
            if fingers == 0 { isWaking = wasOff }
            fingers += 1
        case .up, .lost:
            fingers = max(0, fingers - 1)
            if fingers == 0 && isWaking {
                isWaking = false
                return false
            }
        case .moved: break
        }
        return !isWaking
    }

    /// A hand has found a button in the dark: the speaker's reaction lights no room.
    public mutating func willActInStandby(at moment: Int) { quietUntil = moment + ScreenMachine.answerMilliseconds }

    /// A person asked for the shown page: nothing else comes first.
    public mutating func wake(at moment: Int) {
        act(at: moment)
        (isGlance, light) = (false, .bright)
    }

    /// The speaker has said how it stands. Takes the speaker's state; the effect of its own buttons wakes the panel.
    public mutating func speakerSaid(_ state: SpeakerStatus, at moment: Int) {
        awaySince = nil
        place = .speaker
        if let heard,
            heard.state != state.state || heard.volumePercent != state.volumePercent
                || (heard.isFavourite != state.isFavourite && heard.file == state.file)
                || state.isSleepSet(after: heard)
        {
            // The end of a recording, or of the sleep timer, is no act of a hand.
            let isAsleep = heard.sleep != .off && state.sleep == .off && state.state == .paused
            if state.state != .stopped && !isAsleep && moment >= quietUntil { act(at: moment) }
        } else if heard == nil {
            act(at: moment)
        }
        heard = state
        isRinging = state.alarm?.state == .ringing
        if isRinging { wake(at: moment) }
    }

    public mutating func speakerWent(at moment: Int) {
        if awaySince == nil { awaySince = moment }
        isRinging = false
    }

    /// Time has passed.
    public mutating func pass(_ moment: Int, isNight: Bool) {
        self.isNight = isNight
        if isRinging { lastAct = moment }
        let idle = moment - lastAct
        let dark = darkAfter
        if let dark, idle >= dark {
            light = .dark
            isGlance = false
        } else if isGlance || settings.dimMilliseconds > 0 && idle >= settings.dimMilliseconds {
            light = .dimmed
        } else {
            light = .bright
        }
        guard let awaySince else { return }
        let patience = place == .boot ? ScreenMachine.bootMilliseconds : ScreenMachine.patienceMilliseconds
        if moment - awaySince >= patience { place = .error }
    }

    /// When `pass` next changes something; nil for never.
    public func nextChange(after moment: Int) -> Int? {
        var next: Int?
        func take(_ due: Int) { if due > moment { next = min(next ?? due, due) } }
        if settings.dimMilliseconds > 0 && light != .dark { take(lastAct + settings.dimMilliseconds) }
        if let darkAfter { take(lastAct + darkAfter) }
        if let awaySince, place != .error {
            take(
                awaySince + (place == .boot ? ScreenMachine.bootMilliseconds : ScreenMachine.patienceMilliseconds))
        }
        return next
    }

    // MARK: Parts

    private var darkAfter: Int? {
        if isNight && settings.isDarkAtNight && settings.dimMilliseconds > 0 {
            return settings.darkMilliseconds > 0
                ? min(settings.dimMilliseconds, settings.darkMilliseconds) : settings.dimMilliseconds
        }
        return settings.darkMilliseconds > 0 ? settings.darkMilliseconds : nil
    }

    /// - Parameter isNew: no part of what was begun before.
    private mutating func act(at moment: Int, isNew: Bool = true) {
        lastAct = moment
        if isNew || light == .dark { isGlance = isNight && light == .dark }
        light = isGlance ? .dimmed : .bright
    }
}
