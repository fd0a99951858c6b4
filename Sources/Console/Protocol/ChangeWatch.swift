// SPDX-License-Identifier: Apache-2.0
/// The changes since a client last asked, and the ones it waits for.
struct ChangeWatch {
    /// The awaited changes; nil while the client does not wait.
    private var awaited: Subsystems?
    private var changes: Subsystems = []

    var isWaiting: Bool { awaited != nil }

    mutating func note(_ subsystems: Subsystems) { changes.formUnion(subsystems) }

    mutating func wait(for subsystems: Subsystems) { awaited = subsystems }

    mutating func stop() { awaited = nil }

    /// Returns the changes for a waiting client, which ends its wait; empty if there are none.
    mutating func take() -> Subsystems {
        let told = changes.intersection(awaited ?? [])
        if told.isEmpty { return told }
        changes.subtract(told)
        awaited = nil
        return told
    }
}
