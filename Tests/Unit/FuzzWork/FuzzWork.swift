// SPDX-License-Identifier: Apache-2.0
import Playlists

/// The program's uses of a stranger's bytes, by kind. The unit tests run them in the ordinary build and measure their cost; a program of
/// its own runs them in Embedded Swift, where an `Int` may have 32 bits.
public enum FuzzKind: String, CaseIterable {
    case media, cue, chapters, times, trackGain, opusGain, soundCheck
    case transcript
    case ncc, package, contents, smil, bookText, archive
    case mediaPlaylist, masterPlaylist, head, map, feed, date, addresses, outlines, segment
    case playlist, sheet
    case question, records, page, packets, answers, state, request
    case realtime

    /// As files that are kept say it.
    public var name: String { rawValue }
}

/// Reports a broken promise.
public typealias Broken = (StaticString) -> Void

public enum FuzzWork {
    public static func run(_ kind: FuzzKind, _ bytes: [UInt8], _ broken: Broken) {
        switch kind {
        case .media: media(bytes, broken)
        case .cue, .chapters, .times: chapters(kind, bytes, broken)
        case .trackGain, .opusGain, .soundCheck: gain(kind, bytes, broken)
        case .transcript: transcript(bytes, broken)
        case .ncc, .package, .contents, .smil, .bookText: talkingBook(kind, bytes, broken)
        case .archive: archive(bytes, broken)
        case .mediaPlaylist: mediaPlaylist(bytes)
        case .masterPlaylist: masterPlaylist(bytes)
        case .head: head(bytes)
        case .map: map(bytes)
        case .feed: _ = feed(bytes)
        case .date: date(bytes, broken)
        case .addresses: addresses(bytes)
        case .outlines: outlines(bytes)
        case .segment: segment(bytes, broken)
        case .playlist: playlist(bytes, .m3u, broken)
        case .sheet: playlist(bytes, .cue, broken)
        case .question: question(bytes)
        case .records: records(bytes, broken)
        case .page: page(bytes, broken)
        case .packets: packets(bytes)
        case .answers: answers(bytes)
        case .state: state(bytes)
        case .request: request(bytes, broken)
        case .realtime: realtime(bytes, broken)
        }
    }
}
