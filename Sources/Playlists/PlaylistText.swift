// SPDX-License-Identifier: Apache-2.0
import CPosix

/// The entries of a playlist, or of a part of it: lines of bytes, like paths, in one piece of memory.
public struct PlaylistText: Sendable {
    /// MPD's limit of entries.
    public static let mostEntries = 16_384
    public static let mostBytes = 4 << 20

    /// The entries, each with a newline behind it.
    private(set) var bytes: [UInt8] = []
    /// The end of each entry, including its newline.
    private var ends: [Int32] = []

    public init() {}

    public var count: Int { ends.count }
    public var isEmpty: Bool { ends.isEmpty }

    /// Returns an entry, without its newline.
    public subscript(_ index: Int) -> ArraySlice<UInt8> {
        let line = bounds(index..<index + 1)
        return bytes[line.lowerBound..<line.upperBound - 1]
    }

    private func bounds(_ range: Range<Int>) -> Range<Int> { start(range.lowerBound)..<start(range.upperBound) }

    private func start(_ index: Int) -> Int { index == 0 ? 0 : Int(ends[index - 1]) }

    /// Adds an entry behind the last, unless a line cannot hold it.
    /// - Returns: false if the text is full.
    @discardableResult
    public mutating func append(_ entry: ArraySlice<UInt8>) -> Bool {
        if entry.isEmpty || entry.contains(0x0A) || entry.contains(0) { return true }
        if count >= PlaylistText.mostEntries || bytes.count + entry.count >= PlaylistText.mostBytes { return false }
        // Such an entry would be read as a comment, or lose its blanks.
        if let first = entry.first, first == UInt8(ascii: "#") || first == 0x20 || first == 0x09 {
            bytes += [UInt8(ascii: "."), UInt8(ascii: "/")]
        }
        bytes += entry
        bytes.append(0x0A)
        ends.append(Int32(bytes.count))
        return true
    }

    // MARK: Edits

    /// - Parameter position: nil for the end.
    mutating func insert(_ other: PlaylistText, at position: Int?) throws(PlaylistError) {
        let position = position ?? count
        if position < 0 || position > count { throw .badPosition }
        if count + other.count > PlaylistText.mostEntries || bytes.count + other.bytes.count > PlaylistText.mostBytes {
            throw .tooLarge
        }
        let place = start(position)
        bytes.insert(contentsOf: other.bytes, at: place)
        shift(position..<count, by: other.bytes.count)
        ends.insert(contentsOf: other.ends.map { $0 + Int32(place) }, at: position)
    }

    /// Removes the part of `range` that exists.
    mutating func remove(_ range: Range<Int>) throws(PlaylistError) {
        if range.lowerBound < 0 || range.lowerBound >= count { throw .badIndex }
        let range = range.clamped(to: 0..<count)
        let bounds = bounds(range)
        bytes.removeSubrange(bounds)
        ends.removeSubrange(range)
        shift(range.lowerBound..<count, by: -bounds.count)
    }

    mutating func move(_ from: Int, to: Int) throws(PlaylistError) {
        if from < 0 || from >= count || to < 0 || to >= count { throw .badMove }
        var one = PlaylistText()
        one.bytes = Array(bytes[bounds(from..<from + 1)])
        one.ends = [Int32(one.bytes.count)]
        try remove(from..<from + 1)
        try insert(one, at: to)
    }

    private mutating func shift(_ range: Range<Int>, by count: Int) {
        for index in range { ends[index] += Int32(count) }
    }
}
