// SPDX-License-Identifier: Apache-2.0
import CPosix
import CVersion
import Posix

/// The call of one of the program's commands: its words, the command first, and the configuration named before it.
public struct Invocation {
    /// The version of the program, which the package has as well: see `board/build.d/version`.
    public static var version: String { String(cString: ns_version()) }

    /// The program's name and the words behind the command, as `Arguments` takes them.
    public var words: [String]
    /// nil if no option before the command names a configuration.
    public var configPath: String?

    public init(words: [String], configPath: String?) {
        self.words = words
        self.configPath = configPath
    }

    /// The same call in another root of the program (see `NetworkRoot`): the last `count` words of this process's command line.
    public init(lastWords count: Int32, configPath: UnsafePointer<CChar>?) {
        let all = (try? processArguments()) ?? []
        words = ["nightstand"] + all.suffix(Int(count))
        self.configPath = configPath.map { String(cString: $0) }
    }
}
