// SPDX-License-Identifier: Apache-2.0
import Core

/// The facts of a file for the library, from about 60 KB of reading, however long the file.
public struct MediaProbe {
    /// The longest believable duration, twelve days; longer ones count as unknown. Sums of a few such durations fit into 32 bits.
    public static let mostMilliseconds = 1 << 30

    /// The audio in the file without tags: the base of the file's identity.
    public let audio: AudioExtent
    /// The duration if it is exact; nil otherwise, since an estimate may be hours off. A count of the frames then follows.
    public let durationMilliseconds: Int?
    /// The sample rate of the first decoded frame.
    public let sampleRate: Int
    public let channels: Int
    public let tags: Tags
    /// The content that identifies the file, if it is not simply the bytes of `audio`.
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
    ///   - frameCount: the exact number of frames; nil if unknown.
    ///   - channels: the file's channels; more than two are played as two.
    ///   - content: the file without the parts that new tags change beyond their own bytes.
    init(
        audio: AudioExtent, frameCount: Int64?, sampleRate: Int, channels: Int, tags: Tags,
        content: (any ByteSource)? = nil
    ) {
        self.init(
            audio: audio,
            durationMilliseconds: frameCount.flatMap { MediaProbe.milliseconds(frames: $0, rate: sampleRate) },
            sampleRate: sampleRate, channels: min(2, channels), tags: tags, content: content)
    }

    /// Returns the source of the file's identity, to be read within `audio`.
    public func content(of source: any ByteSource) -> any ByteSource { content ?? source }

    /// Returns the duration, rounded to the nearest; nil for more than any recording has.
    public static func milliseconds(frames: Int64, rate: Int) -> Int? {
        let rate = Int64(max(1, rate))
        let doubled = max(0, frames).scaledSaturated(by: 2000, over: rate)
        let milliseconds = doubled / 2 + doubled % 2
        return milliseconds <= Int64(mostMilliseconds) ? Int(milliseconds) : nil
    }

    /// Examines a file by its content, under any name. Worker thread.
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
