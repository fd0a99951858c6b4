// SPDX-License-Identifier: Apache-2.0
import Core

@testable import Media

extension FuzzWork {
    /// As long as it may go on giving frames: longer than any of these files.
    private static let mostPieces = 400
    private static let pieceFrames = 4096

    static func media(_ bytes: [UInt8], _ broken: Broken) {
        let unmeasured = MemorySource(bytes)
        unmeasured.hasLength = false
        for source in [MemorySource(bytes), unmeasured] { enter(source, broken) }
        // As a station of Ogg, in pieces as a network gives them.
        var titles = OggTitles()
        for at in stride(from: 0, to: bytes.count, by: 700) {
            _ = Array(bytes[at..<min(bytes.count, at + 700)]).withUnsafeBytes { titles.take($0) }
        }
        // The long one is all zeros at its end: it is only looked into.
        _ = try? MediaProbe(MemorySource(bytes, zeros: 1 << 36))
    }

    private static func drain(_ decoder: any AudioDecoding, pieces: Int) {
        let samples = UnsafeMutablePointer<Int16>.allocate(capacity: pieceFrames * decoder.channels)
        defer { samples.deallocate() }
        for _ in 0..<pieces {
            guard let count = try? decoder.decode(into: samples, frames: pieceFrames), count > 0 else { return }
        }
    }

    private static func enterMPEG(_ source: MemorySource) {
        guard let walk = try? FrameStream(source, notingEvery: 128) else { return }
        for _ in 0..<mostPieces {
            guard (try? walk.step()) == false else { break }
            _ = walk.secondBytes
        }
        _ = walk.toldMilliseconds
        _ = walk.reckonedIndex(audioBytes: walk.audioBytes)
        guard let index = walk.index() else { return }
        _ = index.durationMilliseconds
        _ = SeekTable(stored: SeekTable(index).bytes)
    }

    /// All that is ever done with a file.
    private static func enter(_ source: MemorySource, _ broken: Broken) {
        if let probe = try? MediaProbe(source) {
            var piece = [UInt8](repeating: 0, count: 512)
            for at in [probe.audio.start, probe.audio.end - 512] where at >= 0 {
                _ = piece.withUnsafeMutableBytes { try? probe.content(of: source).read(into: $0, at: at) }
            }
            if probe.audio.start < 0 || probe.audio.end < probe.audio.start {
                broken("sound ends where it begins, or later")
            }
            let length = probe.durationMilliseconds ?? 0
            if length < 0 || length > MediaProbe.mostMilliseconds { broken("a duration is one that can be") }
        }
        guard let head = try? MediaHead(source) else { return }
        let format: (any MediaFormat)?
        do throws(MediaError) { format = try MediaFormats.format(of: head) } catch { format = nil }
        guard let format else { return enterMPEG(source) }
        _ = format.picture(head)
        _ = try? format.comments(head)
        var table: SeekTable?
        if let walk = try? format.seekTableWalk(head) {
            for _ in 0..<mostPieces { if (try? walk.step()) != false { break } }
            table = walk.table.flatMap { SeekTable(stored: $0.bytes) }
        }
        for table in [nil, table] {
            guard let decoder = try? format.open(head, table) else { return }
            if table == nil { drain(decoder, pieces: mostPieces) }
            let count = decoder.frameCount ?? 40_000
            for frame in [0, 1, count / 2, count, 1 << 40, Int64.max] {
                if (try? decoder.seek(toFrame: frame) { true }) != nil { drain(decoder, pieces: 2) }
            }
        }
    }

    static func chapters(_ kind: FuzzKind, _ bytes: [UInt8], _ broken: Broken) {
        let found: [Chapter]
        switch kind {
        case .cue: found = CueSheet(bytes, audioName: "a.wav").chapters
        case .chapters:
            let reader = ChaptersJSON()
            try? reader.take(bytes)
            found = reader.chapters
        default: found = Chapter.milliseconds(bytes).map { [Chapter(startMilliseconds: $0, title: "")] } ?? []
        }
        for chapter in found where !(0...Int(Int32.max)).contains(chapter.startMilliseconds) {
            broken("a chapter begins where it can")
        }
    }

    static func gain(_ kind: FuzzKind, _ bytes: [UInt8], _ broken: Broken) {
        var gains = TagGains()
        let name = kind == .trackGain ? "REPLAYGAIN_TRACK_GAIN" : kind == .opusGain ? "R128_TRACK_GAIN" : "ITUNNORM"
        _ = gains.take(named: Array(name.utf8), bytes)
        let gain = gains.loudness.track ?? 0
        if gain < -6000 || gain > 6000 { broken("a gain is one that can be") }
    }
}
