// SPDX-License-Identifier: Apache-2.0
import CPosix

/// The users of this machine, by /etc/passwd.
public enum SystemUser {
    /// Returns the number of a user; nil if there is none of this name.
    public static func id(named name: String) -> UInt32? { UInt32(exactly: ns_user_number(name)) }
}
