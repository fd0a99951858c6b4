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

    /// Words of trouble as this peer may have them: one of the network is told of files by their names, and of no folder of this machine.
    func told(_ text: String) -> String {
        let slash = UInt8(ascii: "/")
        if origin == nil || !text.utf8.contains(slash) { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var at = 0
        while at < bytes.count {
            let before = at == 0 ? .space : bytes[at - 1]
            guard bytes[at] == slash, before == .space || before == .quote || before == UInt8(ascii: "(") else {
                result.append(bytes[at])
                at += 1
                continue
            }
            // Names may have spaces in them; a message goes on behind a colon.
            var end = at
            while end < bytes.count,
                bytes[end] != UInt8(ascii: ":") || end + 1 < bytes.count && bytes[end + 1] != .space
            {
                if bytes[end] == slash { at = end }
                end += 1
            }
            at += 1
        }
        return String(decoding: result, as: UTF8.self)
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
