// SPDX-License-Identifier: Apache-2.0

/// Which of the ALSA devices is opened next: the configured one, headphones instead of it, or, for an alarm, any.
struct CardChoice {
    private let configured: String
    /// Plays in time without a sound, where no card is at the start; nil to look for the card.
    private let silent: String?
    /// Plays there instead of on the configured device, but for an alarm; nil for the configured one.
    private var other: String?
    /// An alarm rings: any device will do.
    private(set) var isUrgent = false
    /// At the start no device opened, and none is looked for.
    private(set) var isSilent = false
    /// Of `devices`, the one that is open or tried.
    private var attempt = 0

    init(configured: String, silent: String?) {
        self.configured = configured
        self.silent = silent
    }

    /// The devices to try, the wanted one first. "default" mixes with other programs where the system is set up so.
    private var devices: [String] {
        if let other, !isUrgent { return [other] }
        if isSilent { return [silent ?? configured] }
        return [configured] + (isUrgent ? ["default"] + (0..<8).map { "plughw:\($0)" } : [])
    }

    /// The device that is open or tried.
    var device: String {
        let devices = devices
        return devices[min(attempt, devices.count - 1)]
    }

    var wanted: String { other ?? configured }
    var isFirst: Bool { attempt == 0 }
    func isFirst(_ device: String) -> Bool { device == devices[0] }

    /// Goes to the next device. Returns false at the end, where it begins with the first again.
    mutating func next() -> Bool {
        attempt += 1
        if attempt < devices.count { return true }
        attempt = 0
        return false
    }

    mutating func beginAgain() { attempt = 0 }

    /// Gives up looking for a card. Returns false if that is not wanted.
    mutating func becomeSilent() -> Bool {
        if isSilent || silent == nil { return false }
        isSilent = true
        return true
    }

    /// Takes headphones, or the configured device if nil. Returns true if the device that is open is to be left.
    mutating func take(_ device: String?) -> Bool {
        if device == other { return false }
        other = device
        if isUrgent { return false }
        attempt = 0
        return true
    }

    /// True if the open device is left when this changes.
    func leaves(forUrgent isUrgent: Bool) -> Bool {
        isUrgent != self.isUrgent && (other != nil || !isUrgent && attempt > 0)
    }

    mutating func setUrgent(_ isUrgent: Bool) {
        let leaves = leaves(forUrgent: isUrgent)
        self.isUrgent = isUrgent
        if leaves { attempt = 0 }
    }
}
