// SPDX-License-Identifier: Apache-2.0
/// An invalid line of `[gestures]`.
public struct GestureError: Error {
    public let problem: String
    public let expected: String

    init(_ problem: String, expected: String) {
        self.problem = problem
        self.expected = expected
    }

    /// The message, such as "unknown command 'pley', expected 'play'".
    public var message: String { problem + ", expected " + expected }
}
