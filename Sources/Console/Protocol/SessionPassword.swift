import Core
import Posix

/// Who the peer is, and what it may do therefore.
extension Session {
    /// A password that is being looked at, or waits until its peer may try one again.
    struct Knock {
        let password: [UInt8]
        /// When it is looked at again; nil at once.
        var next: MonotonicTime?
    }

    func checkPermission(for command: ProtocolCommand) throws(ConsoleError) {
        if permissions.isSuperset(of: command.permission) { return }
        throw ConsoleError(.permission, "you don't have permission for \"\(command.rawValue)\"")
    }

    /// The names of those whose permission is as wanted, in order.
    func tellCommands(_ response: inout ResponseBuffer, where isWanted: (Permissions) -> Bool) {
        var names: [String] = []
        for command in ProtocolCommand.allCases where command != .noidle && isWanted(command.permission) {
            names.append(command.rawValue)
        }
        names.sort()
        for name in names { response.field("command", name) }
    }

    /// Until then there is nothing to be done for this peer; nil where it does not wait.
    var waitsUntil: MonotonicTime? { knock?.next }

    /// Looks at the password; where it has to wait, `waitsUntil` says so, and `goOn` looks again.
    /// - Returns: false while it has to wait.
    mutating func answerKnock() throws(ConsoleError) -> Bool {
        guard let password = knock?.password else { return true }
        switch doorkeeper?.answer(to: password, from: origin, at: .now) ?? .refused {
        case .later(let time):
            knock?.next = time
            return false
        case .refused:
            knock = nil
            throw ConsoleError(.password, "incorrect password")
        case .admitted(let permissions):
            knock = nil
            self.permissions = permissions
            return true
        }
    }
}
