// SPDX-License-Identifier: Apache-2.0
import Posix

/// Changes that consoles do not know yet. They are reported in the next turn of the loop, since a console may still be running the command
/// that made the change. Control thread.
public final class ConsoleChanges {
    private let timers: any Timers
    private var untold: Subsystems = []
    /// Reports the changes to the consoles.
    public var tell: (Subsystems) -> Void = { _ in }

    init(_ timers: any Timers) { self.timers = timers }

    public func note(_ subsystems: Subsystems) {
        if subsystems.isEmpty { return }
        let wasEmpty = untold.isEmpty
        untold.formUnion(subsystems)
        if !wasEmpty { return }
        timers.schedule(at: timers.now) { [self] in
            let told = untold
            untold = []
            tell(told)
        }
    }
}
