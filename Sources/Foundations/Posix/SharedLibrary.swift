// SPDX-License-Identifier: Apache-2.0
import CPosix

/// A library that is needed but not installed.
public struct MissingLibrary: Error, Equatable, Sendable {
    /// The name, such as "libFLAC".
    public let name: String
    /// The Debian package to install, such as "libflac12".
    public let package: String

    public init(name: String, package: String) {
        self.name = name
        self.package = package
    }

    public var message: String { "\(name) is not installed (package \(package))" }
}

/// Loads a C library that only some recordings need, at the first of them, and keeps it. Any thread; takes as long as a disk does.
public enum SharedLibrary {
    /// - Parameters:
    ///   - fileNames: the names of the supported versions, the newest first.
    ///   - isLazy: true resolves its calls at their first use. It loads faster, but real-time threads must not call it.
    ///   - missing: the error to throw if none is installed.
    public static func open(
        _ fileNames: [String], isLazy: Bool = false, else missing: @autoclosure () -> MissingLibrary
    ) throws(MissingLibrary) -> UnsafeMutableRawPointer {
        for name in fileNames {
            if let library = dlopen(name, (isLazy ? RTLD_LAZY : RTLD_NOW) | RTLD_LOCAL) { return library }
        }
        throw missing()
    }
}
