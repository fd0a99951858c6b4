// SPDX-License-Identifier: Apache-2.0

/// Chooses the ALSA device to open next: the configured one, headphones in its place, or for an alarm any device.
struct CardChoice {
    private let configured: String
    /// A device that plays in time but silently, for a start without a card; nil to look for the card.
    private let silent: String?
    /// The device in place of the configured one, except for an alarm; nil for the configured one.
    private var other: String?
    /// True if an alarm rings, for which any device will do.
    private(set) var isUrgent = false
    /// True if no device opened at the start, and there is no search for one.
    private(set) var isSilent = false
    /// The index in `devices` of the open or tried one.
    private var attempt = 0

    init(configured: String, silent: String?) {
        self.configured = configured
        self.silent = silent
    }

    /// The devices to try, the wanted one first. "default" mixes with other programs if the system's setup allows it.
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

    /// Moves to the next device. Returns false at the end, where it starts again with the first.
    mutating func next() -> Bool {
        attempt += 1
        if attempt < devices.count { return true }
        attempt = 0
        return false
    }

    mutating func beginAgain() { attempt = 0 }

    /// Gives up looking for a card. Returns false without a configured silent device.
    mutating func becomeSilent() -> Bool {
        if isSilent || silent == nil { return false }
        isSilent = true
        return true
    }

    /// Chooses headphones, or the configured device if nil. Returns true if the owner must close the open device.
    mutating func take(_ device: String?) -> Bool {
        if device == other { return false }
        other = device
        if isUrgent { return false }
        attempt = 0
        return true
    }

    /// Returns true if a change of urgency closes the open device.
    func leaves(forUrgent isUrgent: Bool) -> Bool {
        isUrgent != self.isUrgent && (other != nil || !isUrgent && attempt > 0)
    }

    mutating func setUrgent(_ isUrgent: Bool) {
        let leaves = leaves(forUrgent: isUrgent)
        self.isUrgent = isUrgent
        if leaves { attempt = 0 }
    }
}
