// SPDX-License-Identifier: Apache-2.0
import Library
import Model
import Speaker
import Wire

/// Stickers. Only songs have them, as in MPD 0.23.
extension Session {
    func sticker(_ arguments: [String], _ response: inout ResponseBuffer) throws(ConsoleError) -> Portions? {
        if arguments[1] != "song" { throw ConsoleError(.argument, "unknown sticker domain") }
        let uri = arguments[2]
        switch (arguments[0], arguments.count) {
        case ("get", 4):
            guard let value = host.library.sticker(arguments[3], of: try itemID(of: uri)), !value.isEmpty else {
                throw Session.noSuchSticker
            }
            response.sticker(arguments[3], value)
        case ("list", 3):
            for sticker in host.library.stickers(of: try itemID(of: uri)) {
                response.sticker(sticker.name, sticker.value)
            }
        case ("set", 5):
            if !host.library.setSticker(arguments[3], of: try itemID(of: uri), to: arguments[4]) {
                throw ConsoleError(.system, "The sticker could not be saved")
            }
            stickersDidChange()
        case ("delete", 3...4):
            let name = arguments.count > 3 ? arguments[3] : nil
            if !host.library.removeSticker(name, of: try itemID(of: uri)) { throw Session.noSuchSticker }
            stickersDidChange()
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

    /// Returns the id of a known song.
    private func itemID(of uri: String) throws(ConsoleError) -> Item.ID {
        guard let item = host.library.item(path: host.names.path(of: uri)) else {
            throw ConsoleError(.noExist, "No such song")
        }
        return item.id
    }

    private func stickersDidChange() {
        host.speaker.places.didWrite()
        host.changes.note(.sticker)
    }

    /// Lists the songs below a folder ("" is the whole library) with a sticker of this name.
    private func find(_ name: String, below uri: String, _ comparison: StickerComparison?) -> Portions {
        let (library, names) = (host.library, host.names)
        let folder = uri.isEmpty && names.root.isEmpty ? nil : names.path(of: uri)
        var content: Int64? = 0
        let found: Pages<(path: String, value: String)> = { limit in
            guard let last = content else { return nil }
            let page = library.stickers(named: name, below: folder, comparison, after: last, limit: limit)
            content = page.next
            return page.found.map { ($0.path, $0.value) }
        }
        return .pages(found) { song, response in
            response.field("file", path: names.uri(of: song.path))
            response.sticker(name, song.value)
        }
    }

    private static let noSuchSticker = ConsoleError(.noExist, "no such sticker")
}

extension ResponseBuffer {
    mutating func sticker(_ name: String, _ value: String) { field("sticker", name + "=" + value) }
}
