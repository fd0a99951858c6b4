// SPDX-License-Identifier: Apache-2.0

/// The parts of a talking book that can be skipped, as marked in the book.
public struct SkippableParts: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let pageNumbers = SkippableParts(rawValue: 1)
    /// Footnotes, endnotes, annotations, and the references to them.
    public static let notes = SkippableParts(rawValue: 2)
    /// The producer's notes: descriptions of pictures, for example.
    public static let producerNotes = SkippableParts(rawValue: 4)
    public static let sidebars = SkippableParts(rawValue: 8)
}
