// SPDX-License-Identifier: Apache-2.0
/// The formats that can be played.
public enum MediaFormats {
    /// Those that are decoded ahead. The order is that in which a file's beginning is shown to them: less certain ones stand last.
    public static var all: [any MediaFormat] {
        [
            PCMFormat(isWave: true),
            PCMFormat(isWave: false),
            FLACFormat(),
            OggFormat(.vorbis),
            OggFormat(.opus),
            OggFormat(.flac),
            MP4Format(),
            ADTSFormat(),
        ]
    }

    public static var mpegSuffixes: [String] { ["mp3", "mp2", "mp1", "mpga", "mpa"] }

    /// Returns whether a scan adds files with this ending.
    /// - Parameter suffix: in lower case.
    public static func isAudio(suffix: String) -> Bool {
        mpegSuffixes.contains(suffix) || all.contains { $0.suffixes.contains(suffix) }
    }

    /// Returns whether a scan opens files with this ending: audio, and what is named as audio that cannot be played.
    public static func isLookedInto(suffix: String) -> Bool {
        isAudio(suffix: suffix) || ForeignFormat.suffixes.contains(suffix)
    }

    /// The format by what the file holds; nil for MPEG audio and for what is no audio at all, which only looking for frames of it tells.
    /// Throws what it is where it says that it is something that cannot be played.
    public static func format(of head: MediaHead) throws(MediaError) -> (any MediaFormat)? {
        for format in all where format.begins(head) { return format }
        if let name = ForeignFormat.name(head.bytes) { throw .unsupported(name) }
        return nil
    }

    /// Opens a recording that is decoded ahead, at its first frame; nil where it is none.
    public static func decoder(_ source: any ByteSource, _ table: SeekTable?) throws(MediaError) -> (any AudioDecoding)?
    {
        let head = try MediaHead(source)
        return try format(of: head)?.open(head, table)
    }
}
