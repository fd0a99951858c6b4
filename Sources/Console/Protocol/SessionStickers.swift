// SPDX-License-Identifier: Apache-2.0
import Model

/// Stickers. There are those of songs, as in MPD 0.23.
extension Session {
    func sticker(_ arguments: [String], _ response: inout ResponseBuffer) throws(ConsoleError) -> Portions? {
        if arguments[1] != "song" { throw ConsoleError(.argument, "unknown sticker domain") }
        let uri = arguments[2]
        switch (arguments[0], arguments.count) {
        case ("get", 4):
            guard let value = try speaker.sticker(arguments[3], of: uri), !value.isEmpty else {
                throw Session.noSuchSticker
            }
            response.sticker(arguments[3], value)
        case ("list", 3):
            for sticker in try speaker.stickers(of: uri) { response.sticker(sticker.name, sticker.value) }
        case ("set", 5): try speaker.setSticker(arguments[3], of: uri, to: arguments[4])
        case ("delete", 3...4):
            let name = arguments.count > 3 ? arguments[3] : nil
            if try !speaker.removeSticker(name, of: uri) { throw Session.noSuchSticker }
        case ("find", 4): return find(arguments[3], below: uri, nil)
        case ("find", 6):
            let value = arguments[5]
            let comparison: StickerComparison
            switch arguments[4] {
            case "=": comparison = .equals(value)
            case "<": comparison = .isLess(value)
            case ">": comparison = .isGreater(value)
            default: throw ConsoleError(.argument, "bad operator")
            }
            return find(arguments[3], below: uri, comparison)
        default: throw ConsoleError(.argument, "bad request")
        }
        return nil
    }

    private func find(_ name: String, below uri: String, _ comparison: StickerComparison?) -> Portions {
        .pages(speaker.stickers(named: name, below: uri, comparison)) { song, response in
            response.field("file", path: song.uri)
            response.sticker(name, song.value)
        }
    }

    private static let noSuchSticker = ConsoleError(.noExist, "no such sticker")
}

extension ResponseBuffer {
    mutating func sticker(_ name: String, _ value: String) { field("sticker", name + "=" + value) }
}
