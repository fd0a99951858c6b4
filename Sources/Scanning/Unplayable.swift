// SPDX-License-Identifier: Apache-2.0
import Posix

/// The files of a library that are no audio, or are unplayable.
public struct Unplayable: Sendable {
    /// The limit of kept names.
    public static let mostNames = 20

    public private(set) var count = 0
    /// The names of the first files, without their folders.
    public private(set) var names: [String] = []

    public init() {}

    public mutating func add(_ path: String) {
        count += 1
        if names.count < Unplayable.mostNames { names.append(path.pathName) }
    }
}
