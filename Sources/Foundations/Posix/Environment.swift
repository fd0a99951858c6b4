// SPDX-License-Identifier: Apache-2.0
import CPosix

/// Returns an environment variable, which may be a path; nil if unset or empty.
public func environmentVariable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(path: value)
}

/// A folder in memory that outlives the process: systemd's, else the user's. Nil if there is none.
public var runtimeFolder: String? {
    environmentVariable("RUNTIME_DIRECTORY") ?? environmentVariable("XDG_RUNTIME_DIR")
}
