// SPDX-License-Identifier: Apache-2.0
/// The changes since a client last asked, and the ones it waits for.
struct ChangeWatch {
    /// nil while it does not wait.
    private var awaited: Subsystems?
    private var changes: Subsystems = []

    var isWaiting: Bool { awaited != nil }

    mutating func note(_ subsystems: Subsystems) { changes.formUnion(subsystems) }

    mutating func wait(for subsystems: Subsystems) { awaited = subsystems }

    mutating func stop() { awaited = nil }

    /// Returns the changes for a client that waits for them, which ends its waiting; nothing where there is none.
    mutating func take() -> Subsystems {
        let told = changes.intersection(awaited ?? [])
        if told.isEmpty { return told }
        changes.subtract(told)
        awaited = nil
        return told
    }
}
