// SPDX-License-Identifier: Apache-2.0
import Core

/// Separates MPEG audio frames from everything else, so that a decoder gets only frames. libmpg123 accepts anything that looks like a frame
/// header, and makes noise of programs, pictures and other formats.
///
/// At the start, and wherever the next header is missing, several frames in a row must agree in version, layer and sample rate. Fewer
/// suffice before a tag or the end of the stream. The bytes between are skipped.
///
/// Examines a window that its owner keeps, and stores no bytes itself. One thread at a time.
public struct FrameGate {
    /// The verdict on the bytes at the start of the window.
    public enum Verdict: Equatable {
        /// So many bytes belong to frames.
        case pass(Int)
        /// So many bytes belong to no frame.
        case skip(Int64)
        /// So many bytes are a tag; may exceed the window.
        case skipTag(Int64)
        /// The window is too short to tell.
        case needsMore
        /// There is no audio from here on.
        case end
    }

    /// The longest gap before the first frame and between frames: a book continues after a hole.
    static let leadingLimit: Int64 = 1 << 20
    static let gapLimit: Int64 = 16 << 20

    /// The number of headers that must follow each other. One or two look-alikes are common in recordings and programs.
    private static let chain = 5
    /// The number at the very start, and after such a stream was accepted: look-alikes are unlikely there.
    private static let knownChain = 3
    /// The number for free format, where the frame length is a guess from the next apparent header, and for layer I, since its short frames
    /// can match the repetitions of a program.
    private static let longChain = 10
    /// The header bits that must agree: sync, version, layer, sample rate.
    static let kindMask: UInt32 = 0xFFFE_0C00
    /// The header bits that no encoder changes between frames, except the first, which may be a tag: mode (stereo and joint stereo count as
    /// one), copyright, original, emphasis.
    private static let flagMask: UInt32 = 0x8F
    /// The most failed attempts at free format per search; each costs some thousand comparisons.
    private static let freeAttemptLimit = 5
    /// The longest frame body that libmpg123 accepts.
    private static let bodyLimit = 3456

    /// The count of passed frames.
    private(set) var tally = FrameTally()
    /// The window's offset from the start of the audio, and the end of the bytes passed last.
    private var position: Int64 = 0
    private var passedEnd: Int64 = 0

    /// The kind of the last accepted frames; 0 for none.
    private var kind: UInt32 = 0
    private var isMono = false
    /// The length of a free-format frame's body without padding; negative if unknown.
    private var freeBody = -1
    private var freeAttempts = 0
    /// The rest of the frame that is being passed, in bytes.
    private var leftOfFrame = 0
    /// True if the last bytes belonged to a frame, so that the next frame starts here.
    private(set) var isInStep = false
    /// The bytes skipped since the last frame.
    private var gapBytes: Int64 = 0
    /// True if the bytes passed last begin frames of another kind. The code that forward the bytes clears it.
    var hasNewKind = false
    private var lengths = [UInt16](repeating: 0, count: 128)
    /// The header and free-format length for which `lengths` was made.
    private var lengthsKind: UInt32 = 0
    private var lengthsFreeBody = -1
    private var lengthsMono = false

    public init() {}

    /// Continues elsewhere in the same stream: the facts about its frames stay, their number does not.
    /// - Parameter position: the offset from the start of the audio.
    public mutating func jump(to position: Int64) {
        self.position = position
        leftOfFrame = 0
        isInStep = false
        gapBytes = 0
        freeAttempts = 0
    }

    /// - Parameters:
    ///   - window: the bytes from the position on.
    ///   - isEnd: true if nothing follows the window.
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
        // A tag does not count as a gap, however long it is.
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

    /// Records the places of frames from now on. Call it before `look`.
    /// - Parameter step: the distance of recorded frames; doubled whenever there are too many.
    mutating func noteFrames(every step: Int) { tally = FrameTally(every: step) }

    /// The index of the frames so far, as if the stream ended here; nil without a complete frame.
    var index: FrameIndex? { tally.index(audioBytes: passedEnd, isLastCut: leftOfFrame > 0) }

    /// The number of bytes from the first counted frame to the end of the last.
    var seenBytes: Int64 { tally.offsets.first.map { passedEnd + Int64(leftOfFrame) - $0 } ?? 0 }

    // MARK: In step

    /// Returns the number of bytes of consecutive frames.
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
            // No overflow: seven bits index 128 entries.
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

    /// Fills the lengths of all frames of the kind of `header`, by header bits 9 to 15: bit rate, sample rate, padding. 0 for none.
    private mutating func fillLengths(_ header: FrameHeader) {
        for i in 0..<128 {
            let word = header.word & 0xFFFF_01FF | UInt32(i) << 9
            let isSame = word & 0x0C00 == header.word & 0x0C00
            let body = isSame ? FrameHeader(word).flatMap { FrameGate.bodyBytes($0, freeBody: freeBody) } : nil
            lengths[i] = UInt16((body ?? -4) + 4)
        }
    }

    /// Returns the length of the frame without its header; nil if libmpg123 would not accept it.
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

    /// Begins frames of this kind at the start of the window.
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
        // A stream that is cut off after its first frames still counts.
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
            // A single header is enough if it resembles those before it, after a tag or at the end.
            let isEnough = headers > 1 || (!isFree && isKnown)
            if place + 4 > window.count {
                if !isEnd { return .unknown }
                // The stream ends between two frames, or within one.
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

    /// Returns the length of a frame in free format: the distance to the next similar header. 0 if there is none, nil if the window is too
    /// short.
    private static func freeBodyBytes(_ header: FrameHeader, _ window: UnsafeRawBufferPointer, at: Int) -> Int? {
        // Sync, version, layer, bit rate, sample rate and mode must agree.
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

    /// Returns the length of the tag that begins here; 0 if the window is too short, nil without a tag.
    private func tagBytes(_ window: UnsafeRawBufferPointer, at: Int, isEnd: Bool) -> Int64? {
        guard at + 4 <= window.count else { return nil }
        let word = window.number(at: at)
        if word >> 8 == 0x49_4433 {
            guard at + 10 <= window.count else { return isEnd ? nil : 0 }
            guard let header = ID3v2Header(window[at..<(at + 10)]) else { return nil }
            // In a gap, three letters may be a coincidence with an arbitrary length after them.
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
