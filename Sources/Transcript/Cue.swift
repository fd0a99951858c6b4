// SPDX-License-Identifier: Apache-2.0
/// A piece of text with its times as found: 20 bytes beside the text, so that ten hours of single words take a few megabytes.
struct Cue {
    /// The latest time, longer than any audio (500 hours). The difference of two such times fits in 64 bits, but not in 32.
    static let latestMilliseconds: Int32 = 1_800_000_000
    /// The end of a cue that does not state one.
    static let noEnd = Int32.min

    var start: Int32
    var end: Int32
    private let textStart: UInt32
    private let textBytes: UInt16
    private var marks: UInt16
    /// The hash of the text. Texts of equal length and hash count as equal, since comparing bytes would be slow for texts with many times.
    let hash: UInt32

    init(
        start: Int32, end: Int32, text: Range<Int>, hash: UInt32, speaker: UInt16 = 0, isParted: Bool = false,
        beginsLine: Bool = false
    ) {
        self.start = Cue.clamped(start)
        self.end = end == Cue.noEnd ? end : Cue.clamped(end)
        textStart = UInt32(clamping: text.lowerBound)
        textBytes = UInt16(clamping: text.count)
        self.hash = hash
        marks = speaker << 3 | (beginsLine ? 4 : 0) | (isParted ? 2 : 0)
    }

    /// The place of the text in the list's.
    var text: Range<Int> { Int(textStart)..<Int(textStart) + Int(textBytes) }

    /// True if it continues the last word of the piece before, without a space.
    var isGlued: Bool {
        get { marks & 1 != 0 }
        set { marks = marks & ~1 | (newValue ? 1 : 0) }
    }

    /// True if white space preceded it.
    var isParted: Bool { marks & 2 != 0 }

    var beginsLine: Bool { marks & 4 != 0 }

    /// The number of the speaker, 0 if unknown.
    var speaker: UInt16 { marks >> 3 }

    /// Limits a time to the range of an audio file.
    static func clamped(_ milliseconds: some BinaryInteger) -> Int32 {
        Int32(max(-Int64(latestMilliseconds), min(Int64(clamping: milliseconds), Int64(latestMilliseconds))))
    }
}

/// A segment in the making: some consecutive cues, and when they are shown.
struct CueGroup {
    var start: Int32
    var end: Int32
    var first: UInt32
    var count: UInt32

    var cues: Range<Int> { Int(first)..<Int(first) + Int(count) }
}
