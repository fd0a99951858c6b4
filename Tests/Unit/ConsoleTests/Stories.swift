// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Media
import Model
import Posix
import Scanning
import Speaker
import TestSupport

@testable import Console
@testable import SpeakerBench
@testable import Wire

extension Desk {
    static let lamp = "stories/lamp.mp3"
    static let moth = "stories/moth \"grey\".mp3"
    static let lesson = "französisch.mp3"

    /// Three stories in the library and the queue (Ids 1 to 3), the first one playing at 5.123 s of 100.5 s.
    static func playing(playlists: String? = nil, loop: EventLoop? = nil) -> Desk {
        let mixer = FakeMixer()
        mixer.percent = 50
        let desk = Desk(mixer: mixer, playlists: playlists, loop: loop)
        desk.figures.streamFormat = (22_050, 1)
        desk.shelve(
            lamp, title: "Under the Lamp", artist: "Ada Reader", album: "Nights", milliseconds: 100_500,
            bytes: 603_000, modifiedSeconds: 1_716_322_800)
        desk.shelve(moth, title: "The Moth", artist: "Ada Reader", album: "Nights", milliseconds: 200_000)
        desk.shelve(lesson, title: "Leçon 1", artist: "Émile", milliseconds: 400_000)
        desk.bench.press(.setVolume(percent: 50), .play)
        desk.turn()
        desk.bench.player.positionMilliseconds = 5123
        return desk
    }

    /// So many songs in the queue, which is the library in its order.
    static func holding(_ count: Int) -> Desk {
        let desk = Desk()
        for number in 0..<count {
            desk.shelve(
                "shelf/\(number).mp3", title: "Chapter \(number)", artist: "Ada Reader", album: "Nights",
                milliseconds: 60_000)
        }
        return desk
    }

    /// Puts a song into the library, and behind the others into the queue.
    @discardableResult
    func shelve(
        _ uri: String, title: String, artist: String = "", album: String = "", milliseconds: Int? = 60_000,
        bytes: Int64 = 960_000, modifiedSeconds: Int64 = 1, tags: [(Tag, String)] = [], chapters: [Chapter] = []
    ) -> Item.ID {
        let path = uri.hasPrefix("/") ? uri : "/books/" + uri
        bench.disk.paths.formUnion([path.pathFolder, path])
        var all = TagList([(.title, title), (.artist, artist), (.album, album)].filter { !$0.1.isEmpty })
        for (tag, text) in tags { all.append(tag, text) }
        let probe = Probe(
            identity: ContentIdentity(hash: path.stableHash, audioBytes: bytes), path: path,
            fileBytes: bytes, fileModifiedSeconds: modifiedSeconds, tags: all, durationMilliseconds: milliseconds,
            chapters: chapters)
        let id = bench.library.upsert(probe)!.id
        bench.speaker.libraryDidGain([Arrival(id: id, place: .last)])
        return id
    }

    /// The queue's Ids, in its order.
    var ids: [String] { bench.speaker.queue.entries.map { "\($0.songID)" } }

    /// True while it is as `playing` made it.
    var isUntouched: Bool { differences.isEmpty }

    /// The differences from `playing`, in words.
    var differences: [String] { zip(Desk.playing().seen, seen).compactMap { $0 == $1 ? nil : $1 } }

    /// Returns the effect of a command line in words: "play 2 at 0; volume 40"; "" for none.
    func effect(_ line: String) -> String {
        let before = seen
        let text = answer(self, line)
        if !text.hasSuffix("OK\n") { return text }
        return zip(before, seen).compactMap { $0 == $1 ? nil : $1 }.joined(separator: "; ")
    }

    /// Each fact that a command may change, in words.
    private var seen: [String] {
        let status = host.status
        let player = bench.player
        let place = status.current.map { "\($0.position)" } ?? "nothing"
        let favourites = bench.library.favourites(by: .newest, offset: 0, limit: 100).map(\.item.title)
        return [
            "\(status.state) \(place) at \(player.track == nil ? 0 : player.positionMilliseconds)",
            status.volumePercent.map { "volume \($0)" } ?? "no volume",
            // By their first letters: L, M, F.
            "queue " + queue.map { String($0.split(separator: "/").last!.prefix(1)).uppercased() }.joined(),
            "scans " + scans.asked.map { $0.isEmpty ? "all" : $0 }.joined(separator: ","),
            "favourites " + favourites.joined(separator: ","),
            "error " + (status.error ?? "none"),
            "sleep " + (status.sleepWord ?? "off"),
            "modes \(status.modes)",
            "speed \(status.speed.text), book \(status.bookSpeed?.text ?? "none")",
            "sound \(status.sound.shortensSilences) \(status.sound.level)",
            "stretch " + (status.repeatedStretch.map { "\($0)" } ?? "none"),
        ]
    }
}

/// Returns a session's answer to lines that arrive at once.
func answer(_ desk: Desk, _ lines: String..., manner: Session.Manner = .plain) -> String {
    var session = Session(host: desk.host, manner: manner)
    return answer(&session, lines, desk)
}

/// - Parameter desk: supplies the worker and the time where a command waits; nil if none waits.
func answer(_ session: inout Session, _ lines: [String], _ desk: Desk? = nil) -> String {
    String(decoding: answer(&session, lines.map { Array($0.utf8) }, desk), as: UTF8.self)
}

func answer(_ session: inout Session, _ lines: [[UInt8]], _ desk: Desk? = nil) -> [UInt8] {
    var response = ResponseBuffer()
    for line in lines { session.take(.complete(line[...]), &response, desk) }
    return response.bytes
}

extension Session {
    /// Takes a line and answers it whole.
    mutating func take(_ line: LineBuffer.Line, _ response: inout ResponseBuffer, _ desk: Desk? = nil) {
        var budget = WorkBudget()
        receive(line, &budget, &response)
        while isBusy {
            // The wait has a limit.
            if isWaiting { desk!.bench.pass(milliseconds: 20) }
            var budget = WorkBudget()
            goOn(&budget, &response)
        }
    }
}
