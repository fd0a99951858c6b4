// SPDX-License-Identifier: Apache-2.0
import Core
import Posix

/// Decides what clients may do: by their user on this machine, by the right without a password in the network, and by each password.
/// Guessing slows down only the clients at that origin. Control thread.
public final class Doorkeeper {
    /// The verdict on a password.
    enum Answer: Equatable {
        /// The client has exactly these rights from now on.
        case admitted(Permissions)
        case refused
        /// Wrong passwords came from there just now: ask again at that time.
        case later(MonotonicTime)
    }

    private struct Entry {
        let password: [UInt8]
        let permissions: Permissions
    }

    /// Wrong passwords from one place.
    private struct Guesses {
        let origin: PeerOrigin
        var backoff: Backoff
        var last: MonotonicTime
        var next: MonotonicTime
    }

    /// The longest delay. It grows from a quarter of a second, hardly noticed after a typing mistake, so that a thousand guesses take more
    /// than two hours.
    private static let longestMilliseconds = 8000
    /// The time without a wrong password after which all is forgotten.
    private static let forgetsAfterMilliseconds: Int64 = 300_000
    /// The largest number of distinct origins. If more guess at a time, the rest of them counts as one origin.
    private static let mostOrigins = 64

    /// The rights of a network client without a password; never those of an owner.
    public let defaultPermissions: Permissions
    private var entries: [Entry] = []
    /// The rights of some users of this machine; all others that the file system admits are owners.
    private var users: [UInt32: Permissions] = [:]
    private var guesses: [Guesses] = []

    public init(defaultPermissions: Permissions = .remote) {
        self.defaultPermissions = defaultPermissions.subtracting(.owner)
    }

    /// - Parameter password: not empty.
    public func add(password: [UInt8], _ permissions: Permissions) {
        entries.append(Entry(password: password, permissions: permissions))
    }

    /// Restricts a user of this machine.
    public func add(user: UInt32, _ permissions: Permissions) { users[user] = permissions }

    func permissions(ofUser user: UInt32?) -> Permissions { user.flatMap { users[$0] } ?? .all }

    /// - Parameter origin: the address of the client; nil for a client on this machine with all rights.
    func answer(to password: [UInt8], from origin: PeerOrigin?, at now: MonotonicTime) -> Answer {
        guard let origin else { return permissions(for: password).map { .admitted($0) } ?? .refused }
        guesses.removeAll { now.milliseconds(since: $0.last) > Doorkeeper.forgetsAfterMilliseconds }
        let place = guesses.firstIndex { $0.origin == origin } ?? guesses.firstIndex { $0.origin == .elsewhere }
        if let place, guesses[place].next > now { return .later(guesses[place].next) }
        if let permissions = permissions(for: password) { return .admitted(permissions) }
        var guess =
            place.map { guesses.remove(at: $0) }
            ?? Guesses(
                origin: guesses.count < Doorkeeper.mostOrigins ? origin : .elsewhere,
                backoff: Backoff(longestMilliseconds: Doorkeeper.longestMilliseconds), last: now, next: now)
        guess.last = now
        guess.next = now.adding(milliseconds: guess.backoff.failed())
        guesses.append(guess)
        // A single slip needs no warning; the tenth may need one.
        if guess.backoff.failures == 10 { Log.warning("console: wrong passwords again and again from \(origin.text)") }
        return .refused
    }

    /// Looks a password up, in the same time for a nearly right one as for any other of its length.
    private func permissions(for password: [UInt8]) -> Permissions? {
        var found: Permissions?
        for entry in entries where Doorkeeper.isSame(password, entry.password) { found = entry.permissions }
        return found
    }

    private static func isSame(_ given: [UInt8], _ password: [UInt8]) -> Bool {
        var difference = given.count ^ password.count
        for (index, byte) in given.enumerated() { difference |= Int(byte ^ password[index % password.count]) }
        return difference == 0
    }
}
