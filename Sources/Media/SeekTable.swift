// SPDX-License-Identifier: Apache-2.0
/// The data for seeking in a stream without reading everything before, in the format's own form, and the stream's exact length.
public struct SeekTable: Equatable, Sendable {
    private enum Content: Equatable, Sendable {
        /// The decoded index, which all decks share.
        case mpeg(FrameIndex)
        case other(milliseconds: Int, own: [UInt8])
    }

    /// The first byte of stored tables; MPEG's own begin with 1.
    private static let mark: UInt8 = 2

    private let content: Content

    public init(_ index: FrameIndex) { content = .mpeg(index) }

    /// - Parameter own: the bytes for the format's decoder; empty if it needs none.
    public init(durationMilliseconds: Int, own: [UInt8]) {
        content = .other(milliseconds: max(0, durationMilliseconds), own: own)
    }

    /// - Parameter stored: an earlier value of `bytes`. A damaged one gives nil.
    public init?(stored: [UInt8]) {
        if let index = FrameIndex(encoded: stored) {
            content = .mpeg(index)
        } else if stored.count >= 9, stored[0] == SeekTable.mark {
            let milliseconds = stored[1..<9].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            content = .other(milliseconds: Int(clamping: milliseconds), own: Array(stored[9...]))
        } else {
            return nil
        }
    }

    /// The stored form.
    public var bytes: [UInt8] {
        switch content {
        case .mpeg(let index): return index.encoded()
        case .other(let milliseconds, let own):
            var bytes = [SeekTable.mark]
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: milliseconds >> shift))
            }
            return bytes + own
        }
    }

    /// The index of MPEG audio; nil for other formats.
    public var frameIndex: FrameIndex? { if case .mpeg(let index) = content { index } else { nil } }

    /// The bytes of another format's decoder; empty if it needs none.
    public var own: [UInt8] { if case .other(_, let own) = content { own } else { [] } }

    public var durationMilliseconds: Int {
        switch content {
        case .mpeg(let index): index.durationMilliseconds
        case .other(let milliseconds, _): milliseconds
        }
    }
}
