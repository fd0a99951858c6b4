// SPDX-License-Identifier: Apache-2.0
/// A piece of text with its times as it was found: 20 bytes beside the text, so that ten hours of single words take a few megabytes.
struct Cue {
    /// No audio is as long (500 hours), and the difference of two such times still fits in 64 bits with ease, though not in 32.
    static let latestMilliseconds: Int32 = 1_800_000_000
    /// The end of a cue that does not state one.
    static let noEnd = Int32.min

    var start: Int32
    var end: Int32
    private let textStart: UInt32
    private let textBytes: UInt16
    private var marks: UInt16
    /// Texts of the same length and hash are taken to be the same: comparing bytes would cost a text's length for each of its times.
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

    /// The place of its text in the list's.
    var text: Range<Int> { Int(textStart)..<Int(textStart) + Int(textBytes) }

    /// It goes on with the word of the piece before it in its segment: no space between them.
    var isGlued: Bool {
        get { marks & 1 != 0 }
        set { marks = marks & ~1 | (newValue ? 1 : 0) }
    }

    /// White space stood before it.
    var isParted: Bool { marks & 2 != 0 }

    var beginsLine: Bool { marks & 4 != 0 }

    /// The number of the speaking person, 0 if the file does not say.
    var speaker: UInt16 { marks >> 3 }

    /// Brings a time into the range that an audio file can have.
    static func clamped(_ milliseconds: some BinaryInteger) -> Int32 {
        Int32(max(-Int64(latestMilliseconds), min(Int64(clamping: milliseconds), Int64(latestMilliseconds))))
    }
}

/// A segment in the making: some cues that stand one after the other, and when they are shown.
struct CueGroup {
    var start: Int32
    var end: Int32
    var first: UInt32
    var count: UInt32

    var cues: Range<Int> { Int(first)..<Int(first) + Int(count) }
}
