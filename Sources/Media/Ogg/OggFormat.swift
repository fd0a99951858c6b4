// SPDX-License-Identifier: Apache-2.0
/// The recordings in Ogg streams, by codec: Vorbis, decoded by libvorbisfile; Opus, by libopusfile; FLAC, by libFLAC.
final class OggFormat: MediaFormat {
    private let codec: OggStream.Codec

    init(_ codec: OggStream.Codec) { self.codec = codec }

    var decoderName: String {
        switch codec {
        case .vorbis: "vorbis"
        case .opus: "opus"
        case .flac: "oggflac"
        }
    }

    var suffixes: [String] { codec == .opus ? ["opus"] : ["ogg", "oga"] }

    var mimeTypes: [String] {
        switch codec {
        case .vorbis: ["audio/ogg", "audio/vorbis"]
        case .opus: ["audio/opus"]
        case .flac: ["audio/ogg", "audio/x-flac+ogg"]
        }
    }

    func begins(_ head: MediaHead) -> Bool { OggStream(head)?.codec == codec }

    private func file(_ head: MediaHead) throws(MediaError) -> OggFile {
        guard let stream = OggStream(head) else { throw .noAudio }
        return try OggFile(head, stream)
    }

    func probe(_ head: MediaHead) throws(MediaError) -> MediaProbe { try file(head).probe(head) }

    func open(_ head: MediaHead, _ table: SeekTable?) throws(MediaError) -> any AudioDecoding {
        switch codec {
        case .vorbis: return try OggDecoding(head.source, from: head.start, isOpus: false)
        case .opus:
            do throws(MediaError) { return try OggDecoding(head.source, from: head.start, isOpus: true) } catch {
                guard case .damaged = error, let cut = try file(head).belowZero else { throw error }
                return try OggDecoding(
                    ShiftedOgg(head.source, from: cut.page, by: cut.frames), from: head.start, isOpus: true)
            }
        case .flac:
            guard let info = try file(head).flac else { throw .noAudio }
            return try FLACDecoding(head, info, isOgg: true)
        }
    }

    func picture(_ head: MediaHead) -> EmbeddedPicturePlace? { OggFile.picture(head) }

    func comments(_ head: MediaHead) throws(MediaError) -> [MediaComment]? {
        guard let stream = OggStream(head) else { return nil }
        return try OggFile(head, stream, keeps: .all).comments?.all
    }

    func seekTableWalk(_ head: MediaHead) throws(MediaError) -> (any SeekTableMaking)? {
        if try probe(head).durationMilliseconds != nil { return nil }
        return FrameCounting(try open(head, nil))
    }
}
