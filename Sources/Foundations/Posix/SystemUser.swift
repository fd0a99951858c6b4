// SPDX-License-Identifier: Apache-2.0
/// A user of this machine.
public struct SystemUser: Equatable, Sendable {
    public var name: String
    public var id: UInt32

    /// Lists the users of /etc/passwd; none if it cannot be read. (`getpwent` would load the libraries named in nsswitch.conf.)
    public static func all() -> [SystemUser] { all(in: (try? Files.read("/etc/passwd", limit: 1 << 20)) ?? []) }

    /// Reads lines of `name:x:1000:…`, and ignores others.
    static func all(in passwd: [UInt8]) -> [SystemUser] {
        var users: [SystemUser] = []
        for line in passwd.split(separator: UInt8(ascii: "\n")) {
            let fields = line.split(separator: UInt8(ascii: ":"), maxSplits: 3, omittingEmptySubsequences: false)
            guard fields.count == 4, !fields[0].isEmpty, let id = UInt32(String(decoding: fields[2], as: UTF8.self))
            else { continue }
            users.append(SystemUser(name: String(decoding: fields[0], as: UTF8.self), id: id))
        }
        return users
    }
}
