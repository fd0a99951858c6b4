import CPosix

/// A variable of the environment, which may be a path; nil if it is not set, or empty.
public func environmentVariable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(path: value)
}
