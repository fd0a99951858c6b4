// SPDX-License-Identifier: Apache-2.0
/// The playable formats.
public enum MediaFormats {
    /// The formats that are decoded ahead. A file's beginning is tried in this order; less certain formats come last.
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

    /// Returns true for the extensions that a scan adds.
    /// - Parameter suffix: the extension in lower case.
    public static func isAudio(suffix: String) -> Bool {
        mpegSuffixes.contains(suffix) || all.contains { $0.suffixes.contains(suffix) }
    }

    /// Returns true for the extensions that a scan opens: audio, and the names of unplayable audio.
    public static func isLookedInto(suffix: String) -> Bool {
        isAudio(suffix: suffix) || ForeignFormat.suffixes.contains(suffix)
    }

    /// Returns the format of a file by its content; nil for MPEG audio and unknown data, which only a search for frames distinguishes.
    /// Throws the name of an unplayable format.
    public static func format(of head: MediaHead) throws(MediaError) -> (any MediaFormat)? {
        for format in all where format.begins(head) { return format }
        if let name = ForeignFormat.name(head.bytes) { throw .unsupported(name) }
        return nil
    }

    /// Opens a recording that is decoded ahead, at its first frame; nil for other recordings.
    public static func decoder(_ source: any ByteSource, _ table: SeekTable?) throws(MediaError) -> (any AudioDecoding)?
    {
        let head = try MediaHead(source)
        return try format(of: head)?.open(head, table)
    }
}
