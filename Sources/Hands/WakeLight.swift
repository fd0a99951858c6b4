// SPDX-License-Identifier: Apache-2.0
import Configuration
import Core
import PWM
import Posix

/// A lamp on a PWM channel that becomes brighter before an alarm, as the sun does, and shines until that is ended. Only where one is
/// configured; a channel that cannot be taken is reported, and tried again. Control thread.
public final class WakeLight {
    /// Should the clock be set meanwhile.
    private static let mostSeconds: Int64 = 3600
    /// Periods a second.
    private static let hertz = 1000

    private let pwm: Configuration.PWM
    private let settings: Configuration.Light
    private let loop: EventLoop
    private let warn: (String) -> Void
    private let lamp = Lamp()
    private var timer: EventLoop.TimerToken?
    private var backoff = Backoff()
    private var shownPercent = 0
    /// When it rings next, in seconds since 1970; nil for never.
    private var nextSeconds: Int64?
    private var isRinging = false

    private final class Lamp {
        var channel: PWMChannel?
    }

    /// Nil where the configuration names none.
    public init?(_ settings: Configuration.Light, loop: EventLoop, warn: @escaping (String) -> Void) {
        guard let pwm = settings.pwm else { return nil }
        self.pwm = pwm
        self.settings = settings
        self.loop = loop
        self.warn = warn
    }

    /// Alarms are other than they were.
    /// - Parameters:
    ///   - nextSeconds: since 1970; nil without an alarm, or with an unknown clock.
    ///   - isRinging: one does, or was put off.
    public func follow(nextSeconds: Int64?, isRinging: Bool) {
        self.nextSeconds = nextSeconds
        self.isRinging = isRinging
        step()
    }

    /// The brightness, in percent.
    /// - Parameter left: seconds until it rings.
    static func percent(left: Int64, riseSeconds: Int64) -> Int {
        let passed = riseSeconds - left
        if passed <= 0 { return 0 }
        // Eyes see steps of a share, not of an amount.
        let share = min(1000, passed * 1000 / max(1, riseSeconds))
        return Int(max(1, share * share / 10_000))
    }

    private func step() {
        if let timer { loop.cancel(timer) }
        timer = nil
        let rise = Int64(settings.riseMinutes) * 60
        var wanted = isRinging ? 100 : 0
        var wait: Int64?
        if !isRinging, let nextSeconds {
            let left = max(0, nextSeconds.subtractingSaturated(wallClockSeconds()))
            wanted = WakeLight.percent(left: left, riseSeconds: rise)
            wait = left > rise ? min(left - rise, WakeLight.mostSeconds) : max(1, rise / 200)
        }
        if !shine(wanted) { wait = Int64(backoff.failed() / 1000 + 1) }
        timer = wait.map { seconds in
            loop.schedule(inMilliseconds: Int(seconds) * 1000) { [self] in
                timer = nil
                step()
            }
        }
    }

    /// Returns false where it could not be done.
    private func shine(_ percent: Int) -> Bool {
        if percent == shownPercent { return true }
        do throws(PosixError) {
            if lamp.channel == nil {
                lamp.channel = try PWMChannel(chip: pwm.chip, channel: pwm.channel, hertz: WakeLight.hertz)
            }
            try lamp.channel?.set(percent: percent)
        } catch {
            lamp.channel = nil
            if backoff.failures == 0 { warn("light: \(error.message)") }
            return false
        }
        if backoff.failures > 0 { Log.notice("light: the channel is there") }
        backoff.succeeded()
        shownPercent = percent
        // Off is let go of.
        if percent == 0 { lamp.channel = nil }
        return true
    }

    /// Dark, at the end of the program.
    public func close() {
        if let timer { loop.cancel(timer) }
        timer = nil
        lamp.channel = nil
    }
}
