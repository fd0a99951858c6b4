// SPDX-License-Identifier: Apache-2.0
import Core
import Posix

/// The pulses of each haptic. On a line a motor has no levels, only durations.
public enum HapticPattern {
    /// Returns the milliseconds on, off, on …
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

    /// Returns the rank of a haptic: a higher one replaces a running one.
    static func weight(_ haptic: Haptic) -> Int { haptic.rawValue }
}

/// Plays patterns on a line, one at a time without a queue: a late pulse is dropped. Control thread.
public final class HapticPlayer {
    /// The pause after each pattern. It separates two patterns, and protects the motor from endless requests.
    static let restMilliseconds = 30

    private let strengthPercent: Int
    private let hasLevels: Bool
    private let setLevel: (Int) -> Void
    /// The rest of the present pattern, as milliseconds until each change of the line. The last is the pause.
    private var left: [Int] = []
    private var playing: Haptic?
    private var isOn = false
    /// The time of the line's next change; nil if there is none.
    public private(set) var deadline: MonotonicTime?

    /// - Parameters:
    ///   - strengthPercent: the strength, or the relative duration for hardware without levels: a heavy motor needs more time.
    ///   - hasLevels: true if the hardware has levels.
    ///   - setLevel: sets the level, 0…100.
    public init(strengthPercent: Int = 100, hasLevels: Bool = false, setLevel: @escaping (Int) -> Void) {
        self.strengthPercent = strengthPercent
        self.hasLevels = hasLevels
        self.setLevel = setLevel
    }

    /// Begins a pattern, unless one of the same or a higher rank is running.
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

    /// Changes the line when due. Each duration counts from the actual change, so a late pulse is not shortened.
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

    /// Stops the pattern.
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
