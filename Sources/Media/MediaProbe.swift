/// What one look into a file tells of it for a library: some 60 KB of reading, however long the file.
public struct MediaProbe {
    /// Where the audio lies in the file, tags left out: what the file is known by.
    public let audio: AudioExtent
    /// Nil unless it is exact: an estimate may be hours off, so rather none until the frames have been counted.
    public let durationMilliseconds: Int?
    /// Of the first frame: what its samples are decoded to.
    public let sampleRate: Int
    public let channels: Int
    public let tags: Tags

    /// By what the file holds, whatever its name. Worker thread.
    public init(_ source: any ByteSource) throws(MediaError) {
        let stream = try FrameStream(source)
        let walk = FrameWalk(stream)
        audio = stream.audioExtent
        while walk.header == nil { if try !walk.step() { break } }
        guard let header = walk.header else { throw .noAudio }
        sampleRate = header.header.sampleRate
        channels = header.header.channels
        durationMilliseconds = header.isDurationExact ? header.durationMilliseconds : nil
        tags = Tags(fileBytes: source.byteCount ?? 0) { offset, buffer in
            (try? source.read(into: buffer, at: offset)) ?? -1
        }
    }
}
