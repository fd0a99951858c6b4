/// Frames whose length no header tells: those of free format are as long as it takes to the next header like their own.
enum FreeFormat {
    /// Length of a frame's body, its header left out.
    enum Length {
        case bytes(Int)
        /// Not a frame that libmpg123 would take.
        case bad
        /// More of the stream is needed to tell.
        case unknown
    }

    /// The longest body that libmpg123 takes, of any frame.
    static let bodyLimit = 3456
    /// Bits that must be the same: sync, version, layer, bit rate, sample rate and mode.
    private static let mask: UInt32 = 0xFFFE_FCC0

    /// Length of the body, padding included, of the frame whose header stands at `at`.
    static func measure(_ header: FrameHeader, _ window: UnsafeRawBufferPointer, at: Int) -> Length {
        for body in 1...bodyLimit {
            guard at + 4 + body + 4 <= window.count else { return .unknown }
            if window.number(at: at + 4 + body) & mask == header.word & mask { return .bytes(body) }
        }
        return .bad
    }
}
