// SPDX-License-Identifier: Apache-2.0
import Posix

/// Changes that consoles do not know yet: told once the loop goes round again, since a change may come from a command that one of them is
/// still carrying out. Control thread.
public final class ConsoleChanges {
    private let timers: any Timers
    private var untold: Subsystems = []
    /// Tells the consoles.
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
