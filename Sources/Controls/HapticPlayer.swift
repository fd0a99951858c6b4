// SPDX-License-Identifier: Apache-2.0
import Core
import Posix

/// The pulses of each feel. On a line a motor knows no strength but how long it is on.
public enum HapticPattern {
    /// Milliseconds on, off, on …
    static func milliseconds(_ haptic: Haptic) -> [Int] {
        switch haptic {
        case .selection: [8]
        case .light: [15]
        case .medium: [25]
        case .heavy: [45]
        case .success: [15, 80, 35]
        case .error: [35, 60, 35, 60, 35]
        }
    }

    /// Returns the strength in percent, for hardware with levels.
    static func percent(_ haptic: Haptic) -> Int {
        switch haptic {
        case .selection: 50
        case .light: 60
        case .medium: 80
        case .heavy: 100
        case .success: 80
        case .error: 90
        }
    }

    /// The rank of a feel: a weightier one takes the place of one under way.
    static func weight(_ haptic: Haptic) -> Int { haptic.rawValue }
}

/// Plays patterns on a line, one at a time and never one behind the other: a late pulse is dropped. Control thread.
public final class HapticPlayer {
    /// The pause after each, so that two are felt as two, and endless requests do not burn the motor.
    static let restMilliseconds = 30

    private let strengthPercent: Int
    private let hasLevels: Bool
    private let setLevel: (Int) -> Void
    /// The rest of the pattern under way: milliseconds until the line changes, and so on. The last is its rest.
    private var left: [Int] = []
    private var playing: Haptic?
    private var isOn = false
    /// When the line changes next; nil while all is still.
    public private(set) var deadline: MonotonicTime?

    /// - Parameters:
    ///   - strengthPercent: of how strong it is, or of how long it is on where there is no strength: a heavy motor takes longer to be
    ///     felt.
    ///   - hasLevels: the hardware knows more than on and off.
    ///   - setLevel: 0…100.
    public init(strengthPercent: Int = 100, hasLevels: Bool = false, setLevel: @escaping (Int) -> Void) {
        self.strengthPercent = strengthPercent
        self.hasLevels = hasLevels
        self.setLevel = setLevel
    }

    /// Begins a pattern, unless one as weighty is under way.
    public func play(_ haptic: Haptic, at now: MonotonicTime) {
        advance(to: now)
        if let playing, HapticPattern.weight(playing) >= HapticPattern.weight(haptic) { return }
        playing = haptic
        left = []
        for (index, milliseconds) in HapticPattern.milliseconds(haptic).enumerated() {
            let isScaled = index % 2 == 0 && !hasLevels
            left.append(isScaled ? max(1, milliseconds * strengthPercent / 100) : milliseconds)
        }
        left.append(HapticPlayer.restMilliseconds)
        set(true)
        deadline = now.adding(milliseconds: left.removeFirst())
    }

    /// Changes the line where that is due. Each stretch counts from when the line was changed in truth: late is no shorter.
    public func advance(to now: MonotonicTime) {
        guard let due = deadline, now >= due else { return }
        if left.isEmpty {
            playing = nil
            deadline = nil
            return
        }
        set(!isOn && left.count > 1)
        deadline = now.adding(milliseconds: left.removeFirst())
    }

    /// The line is still from here on.
    public func stop() {
        left = []
        playing = nil
        deadline = nil
        set(false)
    }

    private func set(_ level: Bool) {
        if level == isOn { return }
        isOn = level
        let percent = playing.map { HapticPattern.percent($0) * strengthPercent / 100 } ?? 100
        setLevel(!level ? 0 : hasLevels ? min(100, max(1, percent)) : 100)
    }
}
