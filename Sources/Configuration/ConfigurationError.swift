// SPDX-License-Identifier: Apache-2.0
/// An unusable configuration.
public struct ConfigurationError: Error {
    /// The exit code of a process that ends with it: EX_CONFIG of sysexits.h. Restarting does not help before the configuration is right.
    public static let exitCode: Int32 = 78

    public let file: String
    /// The line, from 1; 0 for the file as a whole.
    public let line: Int
    /// The problem, and the expected value.
    public let problem: String

    public init(file: String, line: Int, problem: String) {
        self.file = file
        self.line = line
        self.problem = problem
    }

    /// The message, such as "/etc/nightstand.conf:12: rotation is '45', expected one of 0, 90, 180, 270".
    public var message: String { line > 0 ? "\(file):\(line): \(problem)" : "\(file): \(problem)" }
}
