/// A configuration that cannot be used.
public struct ConfigurationError: Error {
    /// What a process then ends with, sysexits.h's EX_CONFIG: to start again would not help until the configuration is mended.
    public static let exitCode: Int32 = 78

    public let file: String
    /// From 1; 0 if the file as a whole is meant.
    public let line: Int
    /// What is wrong, and what was expected.
    public let problem: String

    public init(file: String, line: Int, problem: String) {
        self.file = file
        self.line = line
        self.problem = problem
    }

    /// "/etc/nightstand.conf:12: rotation is '45', expected one of 0, 90, 180, 270".
    public var message: String { line > 0 ? "\(file):\(line): \(problem)" : "\(file): \(problem)" }
}
