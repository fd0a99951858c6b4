// SPDX-License-Identifier: Apache-2.0
import Core

/// The facts of a file for a library, from one look: some 60 KB of reading, however long the file.
public struct MediaProbe {
    /// Twelve days: a longer claim is a lie, and counts as unknown. Some such lengths can be added up in 32 bits.
    public static let mostMilliseconds = 1 << 30

    /// The place of the audio in the file, without tags: the base of the file's identity.
    public let audio: AudioExtent
    /// Nil unless it is exact: an estimate may be hours off, so rather none until the frames have been counted.
    public let durationMilliseconds: Int?
    /// Of the first frame: the rate of its decoded samples.
    public let sampleRate: Int
    public let channels: Int
    public let tags: Tags
    /// The bytes of `audio`, as the file is known by them, where they are not simply those that stand in the file.
    private let content: (any ByteSource)?

    init(
        audio: AudioExtent, durationMilliseconds: Int?, sampleRate: Int, channels: Int, tags: Tags,
        content: (any ByteSource)? = nil
    ) {
        self.content = content
        self.audio = audio
        self.durationMilliseconds = durationMilliseconds.flatMap { $0 <= MediaProbe.mostMilliseconds ? $0 : nil }
        self.sampleRate = sampleRate
        self.channels = channels
        self.tags = tags
    }

    /// - Parameters:
    ///   - frameCount: nil where it is not known exactly.
    ///   - channels: of the file; more than two are played as two.
    ///   - content: the file without the parts that new tags change beyond their own bytes: the file without that.
    init(
        audio: AudioExtent, frameCount: Int64?, sampleRate: Int, channels: Int, tags: Tags,
        content: (any ByteSource)? = nil
    ) {
        self.init(
            audio: audio,
            durationMilliseconds: frameCount.flatMap { MediaProbe.milliseconds(frames: $0, rate: sampleRate) },
            sampleRate: sampleRate, channels: min(2, channels), tags: tags, content: content)
    }

    /// Returns the bytes of the file's identity, to be read between the ends of `audio`.
    public func content(of source: any ByteSource) -> any ByteSource { content ?? source }

    /// Rounded to the nearest; nil for more than any recording has.
    public static func milliseconds(frames: Int64, rate: Int) -> Int? {
        let rate = Int64(max(1, rate))
        let doubled = max(0, frames).scaledSaturated(by: 2000, over: rate)
        let milliseconds = doubled / 2 + doubled % 2
        return milliseconds <= Int64(mostMilliseconds) ? Int(milliseconds) : nil
    }

    /// By the file's content, under any name. Worker thread.
    public init(_ source: any ByteSource) throws(MediaError) {
        let head = try MediaHead(source)
        if let format = try MediaFormats.format(of: head) {
            self = try format.probe(head)
            return
        }
        let stream = try FrameStream(source)
        while stream.header == nil { if try stream.step() { break } }
        guard let header = stream.header else { throw .noAudio }
        self.init(
            audio: stream.audioExtent,
            durationMilliseconds: stream.toldMilliseconds, sampleRate: header.sampleRate, channels: header.channels,
            tags: Tags(of: source))
    }
}
