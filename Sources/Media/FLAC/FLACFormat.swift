// SPDX-License-Identifier: Apache-2.0
import Flac

/// FLAC in its own container, decoded by libFLAC. For FLAC in Ogg see `OggFormat`.
final class FLACFormat: MediaFormat {
    var decoderName: String { "flac" }
    var suffixes: [String] { ["flac"] }
    var mimeTypes: [String] { ["audio/flac", "audio/x-flac"] }

    func begins(_ head: MediaHead) -> Bool { head.bytes.has("fLaC", at: 0) }

    func probe(_ head: MediaHead) throws(MediaError) -> MediaProbe {
        let file = try FLACFile(head)
        // Some programs append MPEG's kind of tags.
        let whole = AudioExtent(of: head.source)
        return MediaProbe(
            audio: AudioExtent(start: file.audioStart, end: max(file.audioStart, whole.end)),
            frameCount: file.info.frameCount, sampleRate: file.info.rate, channels: file.info.channels,
            tags: file.tags)
    }

    func open(_ head: MediaHead, _ table: SeekTable?) throws(MediaError) -> any AudioDecoding {
        try FLACDecoding(head, try FLACFile(head).info, isOgg: false)
    }

    func picture(_ head: MediaHead) -> EmbeddedPicturePlace? {
        guard let file = try? FLACFile(head) else { return nil }
        if let picture = file.picture {
            return .stored(at: picture.at, byteCount: Int64(picture.head.byteCount), mime: picture.head.mime)
        }
        return nil
    }

    func comments(_ head: MediaHead) throws(MediaError) -> [MediaComment]? {
        try FLACFile(head, keeps: .all).comments?.all
    }

    func seekTableWalk(_ head: MediaHead) throws(MediaError) -> (any SeekTableMaking)? {
        let info = try FLACFile(head).info
        return info.frameCount == nil ? FrameCounting(try FLACDecoding(head, info, isOgg: false)) : nil
    }
}
