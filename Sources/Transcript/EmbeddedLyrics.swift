// SPDX-License-Identifier: Apache-2.0
import Media

/// Reads the transcript in an audio file's ID3v2 tags: the first readable synchronized lyrics (SYLT), else the first lyrics without times
/// (USLT). In steps.
public final class EmbeddedLyrics {
    /// The longest frame: words and times of the longest book.
    private static let mostBodyBytes = 2 << 20
    /// The most frames of lyrics; there may be several languages.
    private static let mostFrames = 8
    private static let mostTags = 8
    /// The number of frames to examine in a step.
    private static let stepCount = 64

    /// The transcript; nil before `step` has returned true, or if there is none.
    public private(set) var transcript: Transcript?
    private let source: any ByteSource
    private let durationMilliseconds: Int?
    private var frames: ID3v2Frames?
    private var tagsLeft = EmbeddedLyrics.mostTags
    private var framesLeft = EmbeddedLyrics.mostFrames
    private var offset: Int64 = 0
    private var synchronised: SynchronisedLyrics?
    private var untimed: [UInt8]?

    public init(_ source: any ByteSource, durationMilliseconds: Int?) {
        self.source = source
        self.durationMilliseconds = durationMilliseconds
    }

    /// Does some milliseconds of work, or a few disk accesses. Returns true when done.
    public func step() -> Bool {
        if let synchronised {
            do throws(TranscriptError) { transcript = try synchronised.step() } catch { self.synchronised = nil }
            return transcript != nil
        }
        for _ in 0..<EmbeddedLyrics.stepCount {
            guard let frame = frames?.next() else {
                if beginTag() { return false }
                takeUntimed()
                return true
            }
            if frame.id == "USLT", untimed == nil {
                untimed = frames?.body(limit: EmbeddedLyrics.mostBodyBytes)
                return false
            }
            if frame.id == "SYLT", framesLeft > 0 {
                framesLeft -= 1
                let body = frames?.body(limit: EmbeddedLyrics.mostBodyBytes) ?? []
                synchronised = try? SynchronisedLyrics(body, durationMilliseconds: durationMilliseconds)
                return false
            }
        }
        return false
    }

    /// Returns false if there is no further tag.
    private func beginTag() -> Bool {
        guard tagsLeft > 0, let next = ID3v2Frames(source, at: offset) else { return false }
        tagsLeft -= 1
        offset += next.tagBytes
        frames = next
        return true
    }

    private func takeUntimed() {
        guard let untimed else { return }
        transcript = try? Transcript.parse(
            unsynchronisedLyricsFrame: untimed, durationMilliseconds: durationMilliseconds)
    }
}
