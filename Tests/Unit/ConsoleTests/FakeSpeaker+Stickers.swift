// SPDX-License-Identifier: Apache-2.0
import Model

@testable import Console

/// Keeps one song's stickers apart from another's, in a dictionary.
extension FakeSpeaker {
    func sticker(_ name: String, of uri: String) throws(ConsoleError) -> String? {
        try check(uri)
        return stickers[uri]?[name]
    }

    func stickers(of uri: String) throws(ConsoleError) -> [(name: String, value: String)] {
        try check(uri)
        return (stickers[uri] ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    func setSticker(_ name: String, of uri: String, to value: String) throws(ConsoleError) {
        try check(uri)
        try act("sticker \(name)=\(value)", .sticker)
        stickers[uri, default: [:]][name] = value
    }

    func removeSticker(_ name: String?, of uri: String) throws(ConsoleError) -> Bool {
        try check(uri)
        let before = stickers[uri]?.count ?? 0
        if let name { stickers[uri]?[name] = nil } else { stickers[uri] = nil }
        return before != stickers[uri]?.count ?? 0
    }

    func stickers(
        named name: String, below uri: String, _ comparison: StickerComparison?
    ) -> Pages<(uri: String, value: String)> {
        var found: [(uri: String, value: String)] = []
        for (song, all) in stickers where uri.isEmpty || song.hasPrefix(uri + "/") {
            guard let value = all[name] else { continue }
            let isMeant =
                switch comparison {
                case nil: true
                case .equals(let text): value == text
                case .isLess(let text): value < text
                case .isGreater(let text): value > text
                }
            if isMeant { found.append((song, value)) }
        }
        let all = pages(of: found.sorted { $0.uri < $1.uri })
        return { _ in all(1) }
    }

    func check(_ uri: String) throws(ConsoleError) {
        if librarySong(uri) == nil { throw ConsoleError(.noExist, "No such song") }
    }

    func librarySong(_ uri: String) -> SongDescription? {
        for (_, entries) in library {
            for case .song(let song) in entries where song.uri == uri { return song }
        }
        return nil
    }
}
