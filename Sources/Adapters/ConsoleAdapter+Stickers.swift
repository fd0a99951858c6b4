// SPDX-License-Identifier: Apache-2.0
import Console
import Library
import Model
import Speaker

/// Stickers of songs.
extension ConsoleAdapter {
    public func sticker(_ name: String, of uri: String) throws(ConsoleError) -> String? {
        library.sticker(name, of: try song(uri).id)
    }

    public func stickers(of uri: String) throws(ConsoleError) -> [(name: String, value: String)] {
        library.stickers(of: try song(uri).id)
    }

    public func setSticker(_ name: String, of uri: String, to value: String) throws(ConsoleError) {
        let id = try song(uri).id
        if !library.setSticker(name, of: id, to: value) {
            throw ConsoleError(.system, "The sticker could not be saved")
        }
        speaker.places.didWrite()
        consolesDidChange(.sticker)
    }

    public func removeSticker(_ name: String?, of uri: String) throws(ConsoleError) -> Bool {
        let id = try song(uri).id
        let wasThere = library.removeSticker(name, of: id)
        if wasThere {
            speaker.places.didWrite()
            consolesDidChange(.sticker)
        }
        return wasThere
    }

    public func stickers(
        named name: String, below uri: String, _ comparison: StickerComparison?
    ) -> Pages<(uri: String, value: String)> {
        let folder = uri.isEmpty && names.root.isEmpty ? nil : names.path(of: uri)
        var content: Int64? = 0
        return { [names, library] limit in
            guard let last = content else { return nil }
            let page = library.stickers(named: name, below: folder, comparison, after: last, limit: limit)
            content = page.next
            return page.found.map { (names.uri(of: $0.path), $0.value) }
        }
    }

    /// A song that is there.
    func song(_ uri: String) throws(ConsoleError) -> Item {
        guard let item = library.item(path: names.path(of: uri)) else { throw ConsoleError(.noExist, "No such song") }
        return item
    }
}
