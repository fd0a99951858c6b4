// SPDX-License-Identifier: Apache-2.0
import Core

/// Tells MPEG audio frames from everything else in a file, so that a decoder only gets frames: libmpg123 takes for a frame what looks like
/// the header of one, and makes noise of any program, picture or recording of another format.
///
/// At the start, and wherever the next header is not where it must be, frames are believed when several that agree (version, layer, sample
/// rate) follow one another without a gap, or fewer up to the end of the stream or a tag. The bytes between are skipped.
///
/// Looks at a window that its owner keeps; holds no bytes itself. One thread at a time.
public struct FrameGate {
    /// The verdict on the bytes at the start of the window.
    public enum Verdict: Equatable {
        /// So many are of frames.
        case pass(Int)
        /// So many are none.
        case skip(Int64)
        /// So many are a tag; may be more than the window holds.
        case skipTag(Int64)
        /// The window is too short to tell.
        case needsMore
        /// There is no audio from here on.
        case end
    }

    /// The longest gap before the first frame, and between two frames: a book with a hole in it goes on after the hole.
    static let leadingLimit: Int64 = 1 << 20
    static let gapLimit: Int64 = 16 << 20

    /// Headers that must follow one another. Recordings and programs that happen to look like one or two are many.
    private static let chain = 5
    /// The same at the very start, and once a stream of this kind has been believed: no place for look-alikes.
    private static let knownChain = 3
    /// The length of free-format frames is a guess, from where the next header seems to stand; and frames of layer I are short enough
    /// to fall in with the repetitions of a program.
    private static let longChain = 10
    /// Bits that must be the same: sync, version, layer, sample rate.
    static let kindMask: UInt32 = 0xFFFE_0C00
    /// Bits that no encoder changes from frame to frame, but for the first, which may hold a tag: mode, where stereo and joint stereo are
    /// one, copyright, original, emphasis.
    private static let flagMask: UInt32 = 0x8F
    /// In vain, per search; each costs some thousand comparisons.
    private static let freeAttemptLimit = 5
    /// The longest body that libmpg123 takes, of any frame.
    private static let bodyLimit = 3456

    /// The passed frames.
    private(set) var tally = FrameTally()
    /// Offset of the window from the start of the audio, and of the end of what was passed latest.
    private var position: Int64 = 0
    private var passedEnd: Int64 = 0

    /// The kind of the frames that were believed last; 0 for none.
    private var kind: UInt32 = 0
    private var isMono = false
    /// Length of a free-format frame's body without padding; below 0 while unknown.
    private var freeBody = -1
    private var freeAttempts = 0
    /// The rest of the frame that is being passed.
    private var leftOfFrame = 0
    /// The last bytes belonged to a frame, so that the next frame stands here.
    private(set) var isInStep = false
    /// Passed over since the last frame.
    private var gapBytes: Int64 = 0
    /// Frames of another kind than before begin with what was passed last. The code that passes the bytes on clears it.
    var hasNewKind = false
    private var lengths = [UInt16](repeating: 0, count: 128)
    /// The header and free-format length that `lengths` is for.
    private var lengthsKind: UInt32 = 0
    private var lengthsFreeBody = -1
    private var lengthsMono = false

    public init() {}

    /// Somewhere else in the same stream: the facts about its frames stay known; their number does not.
    /// - Parameter position: counted from the start of the audio.
    public mutating func jump(to position: Int64) {
        self.position = position
        leftOfFrame = 0
        isInStep = false
        gapBytes = 0
        freeAttempts = 0
    }

    /// - Parameters:
    ///   - window: the bytes from here on.
    ///   - isEnd: nothing follows the window.
    public mutating func look(_ window: UnsafeRawBufferPointer, isEnd: Bool) -> Verdict {
        if window.isEmpty { return isEnd ? .end : .needsMore }
        if leftOfFrame > 0 {
            let part = min(leftOfFrame, window.count)
            leftOfFrame -= part
            return pass(part)
        }
        let verdict = isInStep ? goOn(window, isEnd: isEnd) : search(window, isEnd: isEnd)
        switch verdict {
        case .skip(let bytes):
            position += bytes
            gapBytes += bytes
            if gapBytes > (hasBegun ? FrameGate.gapLimit : FrameGate.leadingLimit) { return .end }
        // A tag is no rubbish, however long.
        case .skipTag(let bytes): position = position.addingSaturated(bytes)
        default: break
        }
        return verdict
    }

    private mutating func pass(_ bytes: Int) -> Verdict {
        position += Int64(bytes)
        passedEnd = position
        return .pass(bytes)
    }

    // MARK: What was passed

    private var hasBegun: Bool { tally.first != nil }

    /// From now on places of frames are noted. Before anything was looked at.
    /// - Parameter step: every how many frames; doubled whenever there are too many.
    mutating func noteFrames(every step: Int) { tally = FrameTally(every: step) }

    /// The frames found so far, as if the stream ended here; nil where there is no whole frame.
    var index: FrameIndex? { tally.index(audioBytes: passedEnd, isLastCut: leftOfFrame > 0) }

    /// From the first frame counted to the end of the last.
    var seenBytes: Int64 { tally.offsets.first.map { passedEnd + Int64(leftOfFrame) - $0 } ?? 0 }

    // MARK: In step

    /// As many frames as follow one another.
    private mutating func goOn(_ window: UnsafeRawBufferPointer, isEnd: Bool) -> Verdict {
        let last = window.count - 4
        let (kind, mask, mono) = (kind, FrameGate.kindMask, isMono)
        let first = tally.first?.word ?? 0
        let table = lengths
        let lengths = table.span
        var at = 0
        var frames = 0
        var changes: UInt32 = 0
        var framesToOffset = tally.framesToOffset
        while at <= last {
            let word = window.number(at: at)
            if word & mask != kind || (word & 0xC0 == 0xC0) != mono { break }
            // Seven bits, 128 entries.
            let bytes = Int(lengths[unchecked: Int(word >> 9 & 127)])
            if bytes == 0 { break }
            if framesToOffset == 0 { framesToOffset = tally.note(position + Int64(at)) }
            framesToOffset &-= 1
            changes |= word ^ first
            frames &+= 1
            at &+= bytes
        }
        tally.count(frames, changes: changes, framesToOffset: framesToOffset)
        if at > window.count {
            leftOfFrame = at - window.count
            return pass(window.count)
        }
        if at > 0 { return pass(at) }
        if last >= 0 {
            isInStep = false
            return search(window, isEnd: isEnd)
        }
        return isEnd ? .skip(Int64(window.count)) : .needsMore
    }

    /// Lengths of all frames of the kind of `header`, by header bits 9 to 15: bit rate, sample rate, padding. 0 for none.
    private mutating func fillLengths(_ header: FrameHeader) {
        for i in 0..<128 {
            let word = header.word & 0xFFFF_01FF | UInt32(i) << 9
            let isSame = word & 0x0C00 == header.word & 0x0C00
            let body = isSame ? FrameHeader(word).flatMap { FrameGate.bodyBytes($0, freeBody: freeBody) } : nil
            lengths[i] = UInt16((body ?? -4) + 4)
        }
    }

    /// Length of the frame less its header; nil where libmpg123 would not take it.
    private static func bodyBytes(_ header: FrameHeader, freeBody: Int) -> Int? {
        let body: Int
        if let bytes = header.frameBytes {
            body = bytes - 4
        } else {
            if freeBody < 0 { return nil }
            body = freeBody + (header.isPadded ? 1 : 0)
        }
        return body < header.sideBytes || body > bodyLimit || body < 1 ? nil : body
    }

    // MARK: Out of step

    private enum Belief {
        case yes
        case no
        case unknown
    }

    private mutating func search(_ window: UnsafeRawBufferPointer, isEnd: Bool) -> Verdict {
        if let bytes = tagBytes(window, at: 0, isEnd: isEnd) { return bytes == 0 ? .needsMore : .skipTag(bytes) }
        var at = 0
        while at + 4 <= window.count {
            if window[at] == 0xFF && window[at + 1] >= 0xE0, let header = FrameHeader(window.number(at: at)) {
                switch believe(header, window, at: at, isEnd: isEnd) {
                case .yes:
                    if at > 0 { return .skip(Int64(at)) }
                    take(header, window)
                    return goOn(window, isEnd: isEnd)
                case .no: break
                case .unknown: return at > 0 ? .skip(Int64(at)) : .needsMore
                }
            } else if at > 0 && window[at] == 0x49, tagBytes(window, at: at, isEnd: isEnd) != nil {
                return .skip(Int64(at))
            }
            at += 1
        }
        if isEnd { return .skip(Int64(window.count)) }
        return at > 0 ? .skip(Int64(at)) : .needsMore
    }

    /// At the beginning of the window frames of this kind begin.
    private mutating func take(_ header: FrameHeader, _ window: UnsafeRawBufferPointer) {
        let before = (kind, isMono)
        kind = header.word & FrameGate.kindMask
        isMono = header.word & 0xC0 == 0xC0
        hasNewKind = before.0 != 0 && before != (kind, isMono)
        if header.bitrate != nil { freeBody = -1 }
        freeAttempts = 0
        isInStep = true
        gapBytes = 0
        if kind != lengthsKind || freeBody != lengthsFreeBody || isMono != lengthsMono {
            fillLengths(header)
            lengthsKind = kind
            lengthsFreeBody = freeBody
            lengthsMono = isMono
        }
        tally.begin(
            header, at: position, UnsafeRawBufferPointer(rebasing: window[4...]),
            FrameGate.bodyBytes(header, freeBody: freeBody) ?? 0)
    }

    /// Returns whether a row of frames begins here.
    private mutating func believe(
        _ first: FrameHeader, _ window: UnsafeRawBufferPointer, at: Int, isEnd: Bool
    ) -> Belief {
        var free = freeBody
        let isFree = first.bitrate == nil
        if isFree {
            if freeAttempts >= FrameGate.freeAttemptLimit { return .no }
            let body = FrameGate.freeBodyBytes(first, window, at: at)
            if body == nil && !isEnd { return .unknown }
            guard let body, body > 0 else {
                freeAttempts += 1
                return .no
            }
            free = body - (first.isPadded ? 1 : 0)
        }
        let isKnown = kind == first.word & FrameGate.kindMask
        // A stream that is cut off after its first frames is one all the same.
        let isAtStart = !hasBegun && gapBytes == 0 && at == 0
        let needed =
            isFree
            ? FrameGate.longChain
            : isKnown || isAtStart
                ? FrameGate.knownChain
                : first.layer == 1 ? FrameGate.longChain : FrameGate.chain
        var place = at
        var headers = 0
        var word = first.word
        var flags: UInt32?
        while headers < needed {
            guard let header = FrameHeader(word), first.isCompatible(with: word), isFree == (header.bitrate == nil),
                let body = FrameGate.bodyBytes(header, freeBody: free)
            else { return .no }
            // The third value of the emphasis is reserved.
            if word & 3 == 2 { return .no }
            if headers > 0 {
                if let flags, flags != word & FrameGate.flagMask { return .no }
                flags = word & FrameGate.flagMask
            }
            headers += 1
            place += 4 + body
            // One is enough where it is like those before it: a single one behind a tag, or at the end.
            let isEnough = headers > 1 || (!isFree && isKnown)
            if place + 4 > window.count {
                if !isEnd { return .unknown }
                // The end of the stream, between two frames or within one.
                let isCut = place > window.count
                if !(isCut ? headers > (isAtStart ? 1 : 2) : isEnough) { return .no }
                break
            }
            if isTag(window, at: place, isEnd: isEnd) {
                if !isEnough { return .no }
                break
            }
            word = window.number(at: place)
        }
        freeBody = isFree ? free : freeBody
        return .yes
    }

    /// Returns the length of a frame without one in its header: as long as it takes to the next header like its own. 0 where there is none,
    /// nil where the window is too short to tell.
    private static func freeBodyBytes(_ header: FrameHeader, _ window: UnsafeRawBufferPointer, at: Int) -> Int? {
        // Sync, version, layer, bit rate, sample rate and mode.
        let mask: UInt32 = 0xFFFE_FCC0
        for body in 1...bodyLimit {
            guard at + 4 + body + 4 <= window.count else { return nil }
            if window.number(at: at + 4 + body) & mask == header.word & mask { return body }
        }
        return 0
    }

    // MARK: Tags

    private func isTag(_ window: UnsafeRawBufferPointer, at: Int, isEnd: Bool) -> Bool {
        (tagBytes(window, at: at, isEnd: isEnd) ?? 0) > 0
    }

    /// Length of the tag that begins here; 0 where the window is too short to tell, nil where there is none.
    private func tagBytes(_ window: UnsafeRawBufferPointer, at: Int, isEnd: Bool) -> Int64? {
        guard at + 4 <= window.count else { return nil }
        let word = window.number(at: at)
        if word >> 8 == 0x49_4433 {
            guard at + 10 <= window.count else { return isEnd ? nil : 0 }
            guard let header = ID3v2Header(window[at..<(at + 10)]) else { return nil }
            // Three letters within rubbish are a chance, and the length behind them is any.
            let isInPlace = gapBytes == 0 && at == 0 || isInStep
            let isPlausible =
                header.version >= 2 && header.version <= 4 && window[at + 4] == 0 && header.flags & 15 == 0
            return isInPlace || isPlausible ? header.tagBytes : nil
        }
        if word >> 8 == 0x54_4147 { return 128 }
        // "APET", "AGEX", version 1 or 2.
        if word == 0x4150_4554 {
            guard at + 32 <= window.count else { return isEnd ? nil : 0 }
            guard window.number(at: at + 4) == 0x4147_4558 else { return nil }
            return 32 + Int64(window.number(at: at + 12).byteSwapped)
        }
        return nil
    }
}
