// SPDX-License-Identifier: Apache-2.0
/// A line of `[gestures]` that cannot be followed.
public struct GestureError: Error {
    public let problem: String
    public let expected: String

    init(_ problem: String, expected: String) {
        self.problem = problem
        self.expected = expected
    }

    /// "unknown command 'pley', expected 'play'".
    public var message: String { problem + ", expected " + expected }
}
