// SPDX-License-Identifier: Apache-2.0
import Core

/// A box of an MP4 file (ISO/IEC 14496-12; an atom in QuickTime): its kind, and the place of its body.
struct Box {
    /// The four letters as a big-endian number.
    let kind: UInt32
    /// The offset of the first byte after the header.
    let start: Int64
    /// The offset after its last byte; never beyond the enclosing box.
    let end: Int64

    var byteCount: Int64 { end - start }

    func isNamed(_ name: StaticString) -> Bool { kind == Box.kind(name) }

    /// Returns four ASCII letters as in a header.
    static func kind(_ name: StaticString) -> UInt32 {
        var kind: UInt32 = 0
        for i in 0..<4 { kind = kind << 8 | UInt32(name.utf8Start[i]) }
        return kind
    }
}

/// Walks over the consecutive boxes in a part of a file. A box that extends beyond the part is cut; a box shorter than its header ends the
/// walk.
struct BoxWalk {
    /// The most boxes of a list: a hostile file may have one for every eight bytes.
    private static let mostBoxes = 4096

    private let window: ByteWindow
    private var at: Int64
    private let end: Int64
    private var count = 0

    init(_ window: ByteWindow, _ stretch: Range<Int64>) {
        self.window = window
        at = stretch.lowerBound
        end = stretch.upperBound
    }

    /// Walks over the boxes in a box, after `skipping` bytes of its body.
    init(_ window: ByteWindow, in box: Box, skipping bytes: Int64 = 0) {
        self.init(window, min(box.start.addingSaturated(bytes), box.end)..<box.end)
    }

    mutating func next() throws(SourceError) -> Box? {
        guard end - at >= 8, count < BoxWalk.mostBoxes else { return nil }
        count += 1
        let head = try window.bytes(at: at, count: Int(min(16, end - at)))
        guard head.count >= 8 else { return nil }
        var size = Int64(head.number(at: 0))
        var headBytes: Int64 = 8
        let kind = head.number(at: 4)
        if size == 1 {
            guard head.count >= 16, end - at >= 16 else { return nil }
            size = head.wideNumber(at: 8)
            headBytes = 16
        } else if size == 0 {
            // The box extends to the end of the enclosing one.
            size = end - at
        }
        guard size >= headBytes else { return nil }
        let boxEnd = size > end - at ? end : at + size
        let box = Box(kind: kind, start: at + headBytes, end: boxEnd)
        at = boxEnd
        return box
    }

    /// Returns the next box of a kind.
    mutating func next(_ name: StaticString) throws(SourceError) -> Box? {
        while let box = try next() { if box.isNamed(name) { return box } }
        return nil
    }
}
