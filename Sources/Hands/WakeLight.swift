// SPDX-License-Identifier: Apache-2.0
import Configuration
import Core
import PWM
import Posix

/// A lamp on a PWM channel that brightens before an alarm, like a sunrise, and stays on until the alarm ends. Only if configured; a channel
/// that cannot be opened is reported, and tried again. Control thread.
public final class WakeLight {
    /// The longest wait, in case of a change of the clock.
    private static let mostSeconds: Int64 = 3600
    /// The frequency of the PWM.
    private static let hertz = 1000

    private let pwm: Configuration.PWM
    private let settings: Configuration.Light
    private let loop: EventLoop
    private let warn: (String) -> Void
    private let lamp = Lamp()
    private var timer: EventLoop.TimerToken?
    private var backoff = Backoff()
    private var shownPercent = 0
    /// The time of the next alarm, in seconds since 1970; nil for never.
    private var nextSeconds: Int64?
    private var isRinging = false

    private final class Lamp {
        var channel: PWMChannel?
    }

    /// Returns nil without a configured lamp.
    public init?(_ settings: Configuration.Light, loop: EventLoop, warn: @escaping (String) -> Void) {
        guard let pwm = settings.pwm else { return nil }
        self.pwm = pwm
        self.settings = settings
        self.loop = loop
        self.warn = warn
    }

    /// Handles a change of the alarms.
    /// - Parameters:
    ///   - nextSeconds: the time of the next alarm, in seconds since 1970; nil without an alarm or a set clock.
    ///   - isRinging: true while an alarm rings or snoozes.
    public func follow(nextSeconds: Int64?, isRinging: Bool) {
        self.nextSeconds = nextSeconds
        self.isRinging = isRinging
        step()
    }

    /// Returns the brightness, in percent.
    /// - Parameter left: the seconds until it rings.
    static func percent(left: Int64, riseSeconds: Int64) -> Int {
        let passed = riseSeconds - left
        if passed <= 0 { return 0 }
        // Eyes perceive relative steps, not absolute ones.
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

    /// Returns false if it failed.
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
        // Close the channel when it is off.
        if percent == 0 { lamp.channel = nil }
        return true
    }

    /// Switches the lamp off, at the end of the program.
    public func close() {
        if let timer { loop.cancel(timer) }
        timer = nil
        lamp.channel = nil
    }
}
