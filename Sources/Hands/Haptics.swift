// SPDX-License-Identifier: Apache-2.0
import Configuration
import Controls
import Core
import Gpiod
import PWM
import Posix

/// A motor or a piezo on a line or a PWM channel. Exists only if configured; a failure is reported, and tried again as with a button's
/// line. Control thread.
public final class Haptics {
    private let settings: Configuration.Haptics
    private let loop: EventLoop
    private let warn: (String) -> Void
    private let motor = Motor()
    private let player: HapticPlayer
    private var timer: EventLoop.TimerToken?
    private var backoff = Backoff()

    /// The opened hardware.
    private final class Motor {
        var line: OutputLine?
        var channel: PWMChannel?
        /// The reason for its loss.
        var failure: String?
        var isThere: Bool { line != nil || channel != nil }

        func set(_ percent: Int) {
            if line != nil {
                do throws(GpioError) { try line?.set(percent > 0) } catch { failure = error.message }
            } else if channel != nil {
                do throws(PosixError) { try channel?.set(percent: percent) } catch { failure = error.message }
            }
        }

        func letGo() {
            line = nil
            channel = nil
        }
    }

    public init(_ settings: Configuration.Haptics, loop: EventLoop, warn: @escaping (String) -> Void) {
        self.settings = settings
        self.loop = loop
        self.warn = warn
        let motor = motor
        player = HapticPlayer(strengthPercent: settings.strengthPercent, hasLevels: settings.pwm != nil) {
            motor.set($0)
        }
        open()
    }

    private func open() {
        if let pwm = settings.pwm {
            do throws(PosixError) {
                motor.channel = try PWMChannel(chip: pwm.chip, channel: pwm.channel, hertz: settings.pwmHertz)
            } catch { return miss(error.message) }
        } else {
            do throws(GpioError) {
                motor.line = try GpioBoard().output(
                    settings.line, isActiveLow: settings.isActiveLow, consumer: "nightstand")
            } catch { return miss(error.message) }
        }
        if backoff.failures > 0 { Log.notice("haptics: the motor is there") }
        backoff.succeeded()
    }

    private func miss(_ reason: String) {
        if backoff.failures == 0 { warn("haptics: \(reason)") }
        loop.schedule(at: MonotonicTime.now.adding(milliseconds: backoff.failed())) { [self] in open() }
    }

    public func play(_ haptic: Haptic) {
        if !motor.isThere { return }
        player.play(haptic, at: .now)
        follow()
    }

    /// Sets the timer for the next change.
    private func follow() {
        if let timer { loop.cancel(timer) }
        timer = nil
        if let failure = motor.failure {
            // The chip is gone.
            motor.letGo()
            player.stop()
            motor.failure = nil
            return miss(failure)
        }
        timer = player.deadline.map { due in
            loop.schedule(at: due) { [self] in
                timer = nil
                player.advance(to: .now)
                follow()
            }
        }
    }

    /// Switches the motor off, which would otherwise run on after the process ends.
    public func close() {
        if let timer { loop.cancel(timer) }
        timer = nil
        player.stop()
        motor.letGo()
    }
}
