// SPDX-License-Identifier: Apache-2.0
import Core

/// A box of an MP4 file (ISO/IEC 14496-12; QuickTime calls it an atom): its kind, and where its body lies.
struct Box {
    /// Four letters, the first on top.
    let kind: UInt32
    /// Offset in the file of the first byte behind the header.
    let start: Int64
    /// Past its last byte; never past the end of the box around it.
    let end: Int64

    var byteCount: Int64 { end - start }

    func isNamed(_ name: StaticString) -> Bool { kind == Box.kind(name) }

    /// Four ASCII letters as they stand in a header.
    static func kind(_ name: StaticString) -> UInt32 {
        var kind: UInt32 = 0
        for i in 0..<4 { kind = kind << 8 | UInt32(name.utf8Start[i]) }
        return kind
    }
}

/// Goes through the boxes that stand one behind the other in a stretch of a file. Boxes beyond the end of the stretch are cut there; a box
/// shorter than its own header ends the list.
struct BoxWalk {
    /// No list is longer: a hostile file may have one for every eight bytes.
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

    /// The boxes in a box, behind `skipping` bytes of its body.
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
            // To the end of what it stands in.
            size = end - at
        }
        guard size >= headBytes else { return nil }
        let boxEnd = size > end - at ? end : at + size
        let box = Box(kind: kind, start: at + headBytes, end: boxEnd)
        at = boxEnd
        return box
    }

    /// The next of a kind.
    mutating func next(_ name: StaticString) throws(SourceError) -> Box? {
        while let box = try next() { if box.isNamed(name) { return box } }
        return nil
    }
}
