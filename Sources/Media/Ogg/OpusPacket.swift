// SPDX-License-Identifier: Apache-2.0
/// The durations of Opus packets, by their first bytes (RFC 6716, 3.1).
enum OpusPacket {
    /// Returns the frames, at 48 kHz, of the packets that end on a page.
    static func frames(of page: OggPage, _ source: any ByteSource) throws(MediaError) -> Int64 {
        let body = try readBytes(source, at: page.bodyStart, count: page.bodyBytes)
        var frames: Int64 = 0
        var start = 0
        var at = 0
        // A packet continued from the page before does not begin here.
        var isWhole = !page.isContinued
        for segment in page.segments {
            at += Int(segment)
            if segment == 255 { continue }
            if isWhole { frames += OpusPacket.frames(body, start, min(at, body.count)) }
            isWhole = true
            start = at
        }
        return frames
    }

    /// - Returns: the frames; 0 for an invalid packet.
    static func frames(_ body: [UInt8], _ start: Int, _ end: Int) -> Int64 {
        guard start < end else { return 0 }
        let config = Int(body[start] >> 3)
        let each: Int64
        switch config {
        case 0..<12: each = [480, 960, 1920, 2880][config % 4]
        case 12..<16: each = config % 2 == 0 ? 480 : 960
        default: each = 120 << Int64(config % 4)
        }
        switch body[start] & 3 {
        case 0: return each
        case 1, 2: return 2 * each
        default: return start + 1 < end ? each * Int64(body[start + 1] & 63) : 0
        }
    }
}
