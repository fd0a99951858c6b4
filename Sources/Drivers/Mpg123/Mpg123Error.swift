// SPDX-License-Identifier: Apache-2.0
import CMpg123

/// An error of libmpg123, in its words.
public struct Mpg123Error: Error {
    public let message: String

    public init(_ message: String) { self.message = message }

    /// Makes the error of the handle's last failure.
    init(handle: OpaquePointer, doing what: String) {
        message = what + ": " + String(cString: mpg123_strerror(handle))
    }

    init(code: Int32, doing what: String) {
        message = what + ": " + String(cString: mpg123_plain_strerror(code))
    }
}
