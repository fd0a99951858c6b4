// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Scenes

/// The state and brightness of a panel, driven by hands, the speaker and time. Moments are milliseconds of a monotonic clock. A pure value.
public struct ScreenMachine: Equatable, Sendable {
    public struct Settings: Equatable, Sendable {
        /// The time after the last touch at which it dims; 0 for never.
        public var dimMilliseconds = 60_000
        /// The time after the last touch at which it goes dark; 0 for never by day.
        public var darkMilliseconds = 0
        /// True for dark instead of dimmed at night.
        public var isDarkAtNight = true

        public init() {}
    }

    public enum Light: Equatable, Sendable {
        case bright, dimmed, dark
    }

    public enum Place: Equatable, Sendable {
        /// The speaker has not answered yet.
        case boot
        /// The speaker stopped answering.
        case error
        case speaker
    }

    public let settings: Settings
    public private(set) var light = Light.bright
    public private(set) var place = Place.boot
    public private(set) var isNight = false
    private var lastAct: Int
    /// The moment since which the speaker is away; nil while it is connected.
    private var awaySince: Int?
    private var fingers = 0
    private var isWaking = false
    /// True after a hand woke the panel in the dark of the night: it shows the dimmed clock first, and the next touch brings full light.
    private var isGlance = false
    /// True while an alarm rings, which counts as touched until an answer.
    private var isRinging = false
    private var heard: SpeakerStatus?
    /// The moment until which changes of the speaker are the response to a button of standby.
    private var quietUntil = 0

    /// The time within which a restarted speaker returns, so that no message is needed.
    public static let patienceMilliseconds = 1500
    private static let answerMilliseconds = 2000
    public static let bootMilliseconds = 15_000

    public init(_ settings: Settings, at moment: Int) {
        self.settings = settings
        lastAct = moment
        awaySince = moment
    }

    // MARK: What happens

    /// Handles a finger or a key. Returns true if it counts: the touch that wakes a panel does nothing else, until it ends.
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

    /// Prepares for a button of standby in the dark: the speaker's response must not light the room.
    public mutating func willActInStandby(at moment: Int) { quietUntil = moment + ScreenMachine.answerMilliseconds }

    /// Wakes the panel for a page that a hand requested.
    public mutating func wake(at moment: Int) {
        act(at: moment)
        (isGlance, light) = (false, .bright)
    }

    /// Takes the speaker's state; the effect of its own buttons wakes the panel.
    public mutating func speakerSaid(_ state: SpeakerStatus, at moment: Int) {
        awaySince = nil
        place = .speaker
        if let heard,
            heard.state != state.state || heard.volumePercent != state.volumePercent
                || (heard.isFavourite != state.isFavourite && heard.file == state.file)
                || state.isSleepSet(after: heard)
        {
            // The end of a recording, or of the sleep timer, is no action of a hand.
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

    /// Handles passed time.
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

    /// Returns when `pass` next changes something; nil for never.
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

    /// - Parameter isNew: false for the continuation of an earlier action.
    private mutating func act(at moment: Int, isNew: Bool = true) {
        lastAct = moment
        if isNew || light == .dark { isGlance = isNight && light == .dark }
        light = isGlance ? .dimmed : .bright
    }
}
