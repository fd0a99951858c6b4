// SPDX-License-Identifier: Apache-2.0
import CPosix

/// A library that could be used if it were there.
public struct MissingLibrary: Error, Equatable, Sendable {
    /// "libFLAC".
    public let name: String
    /// The Debian package to install for it: "libflac12".
    public let package: String

    public init(name: String, package: String) {
        self.name = name
        self.package = package
    }

    public var message: String { "\(name) is not installed (package \(package))" }
}

/// A C library that only some recordings need: loaded when the first of them is opened, and kept from then on. Any thread, and it takes as
/// long as a disk does.
public enum SharedLibrary {
    /// - Parameters:
    ///   - fileNames: of the versions that are known to fit, the newest first.
    ///   - isLazy: resolves its calls into other libraries at the first call: sooner loaded, but no thread in real time may call it.
    ///   - missing: thrown where none of them is there.
    public static func open(
        _ fileNames: [String], isLazy: Bool = false, else missing: @autoclosure () -> MissingLibrary
    ) throws(MissingLibrary) -> UnsafeMutableRawPointer {
        for name in fileNames {
            if let library = dlopen(name, (isLazy ? RTLD_LAZY : RTLD_NOW) | RTLD_LOCAL) { return library }
        }
        throw missing()
    }
}
