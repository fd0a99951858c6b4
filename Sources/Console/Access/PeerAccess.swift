// SPDX-License-Identifier: Apache-2.0
import Core
import Posix
import Wire

/// A client's origin and its rights, which a password changes.
struct PeerAccess {
    private(set) var permissions: Permissions
    /// The access control; nil without passwords.
    private let doorkeeper: Doorkeeper?
    /// The client's origin in the network; nil for a client on this machine.
    private let origin: PeerOrigin?
    /// The password being checked, or waiting until its client may try again.
    private var password: [UInt8]?
    /// The time until which this client has to wait; nil if it does not wait.
    private(set) var waitsUntil: MonotonicTime?

    /// Creates the access of a client on this machine.
    init(permissions: Permissions = .all) {
        self.permissions = permissions
        doorkeeper = nil
        origin = nil
    }

    /// - Parameter user: the user of a client on this machine, from the kernel; nil if unknown.
    init(_ doorkeeper: Doorkeeper, origin: PeerOrigin?, user: UInt32? = nil) {
        self.doorkeeper = doorkeeper
        self.origin = origin
        permissions = origin == nil ? doorkeeper.permissions(ofUser: user) : doorkeeper.defaultPermissions
    }

    var isLocal: Bool { origin == nil }

    /// True while a password is being checked.
    var isKnocking: Bool { password != nil }

    /// Refuses a command, or a part of one, to a client without this permission.
    func check(_ needed: Permissions, for command: String) throws(ConsoleError) {
        if permissions.isSuperset(of: needed) { return }
        throw ConsoleError(.permission, "you don't have permission for \"\(command)\"")
    }

    /// Returns an error text as this client may see it: a network client sees the names of files, but no folder of this machine.
    func shown(_ text: String) -> String {
        let slash = UInt8(ascii: "/")
        if isLocal || !text.utf8.contains(slash) { return text }
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
            // Names may contain spaces; the message continues behind a colon.
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

    mutating func knock(_ password: [UInt8]) { self.password = password }

    mutating func interrupt() {
        password = nil
        waitsUntil = nil
    }

    /// Checks the password; if the client has to wait, sets `waitsUntil`, and the check is repeated then.
    /// - Returns: false while the client has to wait.
    mutating func answerKnock() throws(ConsoleError) -> Bool {
        guard let password else { return true }
        let answer = doorkeeper?.answer(to: password, from: origin, at: .now) ?? .refused
        if case .later(let time) = answer {
            waitsUntil = time
            return false
        }
        interrupt()
        guard case .admitted(let permissions) = answer else { throw ConsoleError(.password, "incorrect password") }
        self.permissions = permissions
        return true
    }
}
