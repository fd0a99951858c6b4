// SPDX-License-Identifier: Apache-2.0
import CPosix
import CVersion
import Posix

/// The call of one of the program's commands: its words, the command first, and the configuration named before it.
public struct Invocation {
    /// The version of the program and of the package: see `board/build.d/version`.
    public static var version: String { String(cString: ns_version()) }

    /// The program's name and the words behind the command, in the form of `Arguments`.
    public var words: [String]
    /// The configuration; nil if no option before the command names one.
    public var configPath: String?

    public init(words: [String], configPath: String?) {
        self.words = words
        self.configPath = configPath
    }

    /// Makes the same call in another root of the program (see `NetworkRoot`): from the last `count` words of this process's command line.
    public init(lastWords count: Int32, configPath: UnsafePointer<CChar>?) {
        let all = (try? processArguments()) ?? []
        words = ["nightstand"] + all.suffix(Int(count))
        self.configPath = configPath.map { String(cString: $0) }
    }
}
