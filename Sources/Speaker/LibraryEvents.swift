// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model
import Posix
import Scanning
import Text

/// The scans' reports. The queue follows them until its first edit.
extension Speaker: LibraryListener {
    public func libraryDidGain(_ arrivals: [Arrival]) {
        queueKeeper.arrive(arrivals)
        if queue.currentIndex == nil && currentItem == nil { begin() }
        audience.didChange(.library)
    }

    /// Notes that the items' files are away. The current one stays in the queue until another is current.
    public func libraryDidLose(_ items: [ItemID]) {
        queueKeeper.lose(items)
        if let item = currentItem, items.contains(item.id) { listening.refresh() }
        audience.didChange(.library)
    }

    /// Notes that titles, paths, durations or chapters have changed.
    public func libraryDidChange(_ items: [ItemID]) {
        if let item = currentItem, items.contains(item.id) {
            listening.refresh()
            listening.readChapters()
            watchChapters()
            updateSleepEnd()
            audience.didChange(.player)
        }
        audience.didChange(.library)
    }

    public func scanDidBegin() {
        queueKeeper.forgetProgress()
        audience.didChange(.scan)
    }

    /// Notes the scan's progress. During playback nothing shows it.
    public func scanDidProgress() {
        queueKeeper.scanDidProgress()
        if !wantsToPlay { audience.didChange(.scanProgress) }
    }

    public func scanDidEnd(foundAny: Bool) {
        queueKeeper.forgetProgress()
        if queue.currentIndex == nil && currentItem == nil, !isLibrary, !queue.isEmpty { start(at: 0) }
        audience.didChange(.scan)
        if queue.isEmpty, !isLibrary { audience.didEnd() }
    }

    /// Offers a stick that was plugged in: announces the book that the next press of play starts, at its place. A recording of that stick
    /// that plays, rings or is paused stays.
    public func libraryDidMount(_ folder: String) {
        guard rules.takesSticks, isLibrary, !missing.isAwaited, let item = itemToOffer(in: folder) else { return }
        if item.id != currentItem?.id, !wantsToPlay, !alarms.isRinging, let index = (try? entry(of: item.id)) ?? nil {
            go(to: index, milliseconds: library.resumeMilliseconds(of: item), play: false)
        }
        let book = library.book(of: item.id)
        // A title like "0001" says nothing: the stick's name replaces it.
        var name = book?.title ?? item.title
        if name.utf8.allSatisfy({ $0 < 0x80 && !$0.isLetter }) { name = folder.pathName }
        let title = SpokenWords.text(name, in: languageCode(book?.language ?? ""))
        audience.answers?.announce(
            SpokenWords.sentences([translated("%1, from the stick", title)]), isNight: isNight)
    }

    /// Returns the item that the next press of play should start: the current one if it is below a folder, else the last heard below it,
    /// else its first.
    private func itemToOffer(in folder: String) -> Item? {
        let prefix = folder + "/"
        if let item = currentItem, item.path.begins(with: prefix) { return item }
        for id in library.begun(limit: Speaker.mostBegun) {
            if let item = library.item(id), item.path.begins(with: prefix) { return item }
        }
        return library.presentItems(in: folder, after: nil, limit: 1).items.first.flatMap { library.item($0.id) }
    }

    /// Prepares the first item, if there is one and nothing was chosen so far.
    func begin() {
        guard let first = queue.entries.first else { return }
        guard case .named(let paths) = queueKeeper.source else {
            // Ready for the first press.
            guard let item = library.item(first.itemID) else { return }
            queueKeeper.setCurrent(0, isChosen: false)
            load(item, milliseconds: item.resumeMilliseconds, play: false)
            listening.standsReady()
            return saveState()
        }
        // Start with the last run's current item, if it is among them.
        guard let last = library.restoredState?.currentItemID, let item = library.item(last), isNamed(item, paths)
        else {
            return start(at: 0)
        }
        guard let index = queue.index(ofItem: last) else { return }
        let isHeard = item.durationMilliseconds.map { item.positionMilliseconds >= $0 } ?? false
        start(at: !isHeard ? index : index + 1 < queue.count ? index + 1 : 0)
    }

    private func start(at index: Int) { go(to: index, .goingOn, play: true) }

    /// Returns whether the scan will find it.
    private func isNamed(_ item: Item, _ paths: [String]) -> Bool {
        item.isPresent
            && paths.contains { path in
                item.path == path || item.path.begins(with: path.utf8.last == UInt8(ascii: "/") ? path : path + "/")
            }
    }
}
