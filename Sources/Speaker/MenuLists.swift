// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Media
import Model
import Posix
import Scanning
import Text

/// The menu's lists, from the library and the speaker, and the effects of choices.
extension Speaker: MenuSource {
    /// An upper limit; no listener looks further back.
    static let mostBegun = 100
    private static let mostEpisodes = 200
    /// The limit of a folder's own folders, and of its files: reading that many takes 6 ms on a desktop.
    static let mostInFolder = 10_000
    /// The volumes to choose from, in percent.
    private static let volumes = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100]
    /// The speeds to choose from, in percent.
    private static let speeds = [75, 90, 100, 110, 125, 150, 175, 200]

    public var isMenuOpen: Bool { menu.isOpen }

    func perform(_ step: Command.Menu, _ asked: MonotonicTime?) {
        let time = asked ?? MonotonicTime.now
        if step == .open {
            library.updateBooks()
            menu.headings = nil
            menu.pages = nil
            sound.alarms.readPlaylistNames { [self] in
                if menu.playlists == $0 { return }
                menu.playlists = $0
                menu.didFind(.playlists)
            }
        }
        switch menu.take(step, at: time) {
        case .nothing: break
        case .moved: if step == .choose, menu.status?.list == .newHeadphones { ask(.scan) }
        case .isFirst: audience.announce(.firstItem)
        case .isLast: audience.announce(.lastItem)
        case .chosen(let choice): perform(choice, asked)
        }
    }

    private func perform(_ choice: MenuEntry.Choice, _ asked: MonotonicTime?) {
        switch choice {
        case .list: break
        case .book(let book): if !goOn(with: book, asked: asked) { audience.announce(.cannotPlay) }
        case .item(let item): perform(.playItem(item), asked: asked)
        case .place(let item, let milliseconds):
            if !play(item, fromMilliseconds: milliseconds, asked: asked) { audience.announce(.cannotPlay) }
        case .sleep(let sleep): setSleep(sleep)
        case .volume(let percent): perform(.setVolume(percent: percent), asked: asked)
        case .speed(let speed): setSpeed(speed, forBook: false, asked: asked)
        case .alarm(let id, _, _):
            if let alarm = alarms.all.first(where: { $0.id == id }) { _ = setAlarm(id, isOn: !alarms.isAwaited(alarm)) }
        case .newAlarm(let minute, let days): _ = addAlarm(Alarm(minute: minute, days: days))
        case .removeAlarm(let id, _, _): if alarms.remove(id) { audience.announce(.alarmRemoved) }
        case .playlist(let name): play(playlist: name)
        case .setting(let setting, let value): _ = choose(value, of: setting)
        case .headphones(let request): ask(request)
        case .order(let feed, let order): _ = streaming.podcasts.setOrder(order, of: feed)
        case .nothing: break
        }
    }

    func isCounted(_ list: MenuList) -> Bool { list != .favourites || library.areFavouritesCounted }

    func count(of list: MenuList) -> Int {
        switch list {
        case .menu: MenuList.ofMenu.count
        case .goOn: library.begun(limit: Speaker.mostBegun).count
        case .books: library.bookCount
        case .podcasts: library.feeds().count
        case .episodes(let feed, _): episodesInMenu(of: feed) + 1
        case .stations: library.stationCount
        case .favourites: library.favouriteCount
        case .bookmarks: library.bookmarkCount
        case .chapters:
            listening.chapters.isEmpty
                ? bookOfFiles?.itemCount ?? 0 : headings.isEmpty ? listening.chapters.count : headings.count
        case .pages: pages.count
        case .sleep: Sleep.choices.count
        case .alarms: entriesOfAlarms.count
        case .alarmRemovals: alarms.all.count
        case .alarmHours: 24
        case .alarmMinutes: 60 / Alarm.stepMinutes
        case .alarmDays: AlarmDays.choices.count
        case .volume: volumes.count
        case .speed: Speaker.speeds.count
        case .playlists: menu.playlists.count
        case .setting(let setting): status(of: setting)?.choices.count ?? 0
        case .folders: count(ofFolder: libraryFolder)
        case .folder(let path): count(ofFolder: path)
        case .about: aboutLines.count
        case .headphones, .knownHeadphones, .newHeadphones: count(ofHeadphones: list)
        }
    }

    /// The volumes that are allowed now, including the loudest.
    private var volumes: [Int] {
        let most = mostPercent
        let allowed = Speaker.volumes.filter { $0 < most }
        return allowed + [most]
    }

    private func episodesInMenu(of feed: Feed.ID) -> Int {
        min(Speaker.mostEpisodes, library.episodeCounts(of: feed).all)
    }

    /// Returns the entry for the other order, behind the episodes.
    private func entryOfOrder(of feed: Feed.ID) -> MenuEntry {
        library.feed(feed)?.order == .oldest
            ? MenuEntry(.order(feed, .newest), translated("Newest first"))
            : MenuEntry(.order(feed, .oldest), translated("Oldest first"))
    }

    func start(of list: MenuList) -> Int {
        switch list {
        case .chapters:
            headings.isEmpty
                ? listening.chapter(at: listening.placeMilliseconds) ?? bookOfFiles?.left?.index ?? 0
                : currentHeading ?? 0
        case .pages: index(in: pages) ?? 0
        case .sleep: Sleep.choices.firstIndex(of: sleep.setting) ?? 0
        case .volume: volumes.firstIndex { $0 >= sound.volume.percent } ?? volumes.count - 1
        case .speed: Speaker.speeds.firstIndex { $0 >= currentSpeed.percent } ?? Speaker.speeds.count - 1
        case .setting(let setting): status(of: setting)?.index ?? 0
        // Most people get up then.
        case .alarmHours: 6
        default: 0
        }
    }

    func entriesToLetter(of list: MenuList, from entry: MenuEntry, forward: Bool, limit: Int) -> Int? {
        guard list == .books, case .book(let book) = entry.choice else { return nil }
        return library.booksToLetter(from: book, isForward: forward, limit: limit)
    }

    func entries(of list: MenuList, _ places: Range<Int>, from known: (place: Int, entry: MenuEntry)?) -> [MenuEntry] {
        let (offset, limit) = (places.lowerBound, places.count)
        switch list {
        case .menu: return page(offered, places).map { MenuEntry(.list($0), $0.words) }
        case .goOn: return library.begun(limit: places.upperBound).dropFirst(offset).compactMap(entryOfBegun)
        case .books:
            if let known, case .book(let id) = known.entry.choice {
                let found = library.booksByTitle(from: id, offset: offset - known.place, limit: limit)
                if !found.isEmpty { return found.map(entry) }
            }
            return library.books(by: .title, offset: offset, limit: limit).map(entry)
        case .podcasts:
            return library.feeds().dropFirst(offset).prefix(limit).map {
                MenuEntry(.list(.episodes($0.id, title: $0.title)), $0.title)
            }
        case .episodes(let feed, _):
            let count = episodesInMenu(of: feed)
            let shown = library.episodes(of: feed, limit: min(count, places.upperBound)).dropFirst(offset)
            let isWhole = places.contains(count)
            return entries(shown.map { $0.item }) + (isWhole ? [entryOfOrder(of: feed)] : [])
        case .stations: return entries(library.stations(offset: offset, limit: limit))
        case .favourites:
            if let known, case .item(let id) = known.entry.choice {
                let found = library.favourites(from: id, offset: offset - known.place, limit: limit)
                if !found.isEmpty { return found.map { entry($0.item) } }
            }
            return library.favourites(offset: offset, limit: limit).map { entry($0.item) }
        case .bookmarks:
            return library.bookmarks(offset: offset, limit: limit).map {
                MenuEntry(.place($0.itemID, milliseconds: $0.milliseconds), $0.words.isEmpty ? $0.title : $0.words)
            }
        case .chapters:
            if listening.chapters.isEmpty, let book = bookOfFiles {
                return entries(library.items(of: book.id, offset: offset, limit: limit))
            }
            return headings.isEmpty ? entriesOfChapters(places) : entriesOfHeadings(places)
        case .pages:
            let (pages, current) = (pages, index(in: pages))
            return places.clamped(to: 0..<pages.count).map {
                let page = pages[$0]
                return MenuEntry(
                    .place(page.item, milliseconds: page.chapter.startMilliseconds),
                    translated("Page %1", page.chapter.title), isCurrent: $0 == current)
            }
        case .sleep:
            return Sleep.choices[places].map { MenuEntry(.sleep($0), $0.words, isCurrent: $0 == sleep.setting) }
        case .alarms: return Array(page(entriesOfAlarms, places))
        case .alarmRemovals:
            return page(alarms.all, places).map {
                MenuEntry(
                    .removeAlarm($0.id, minute: $0.minute, $0.days),
                    clockWords(minute: $0.minute) + " " + $0.days.localWords)
            }
        case .alarmHours:
            return places.map { MenuEntry(.list(.alarmMinutes(hour: $0)), clockWords(minute: $0 * 60)) }
        case .alarmMinutes(let hour):
            return places.map {
                let minute = hour * 60 + $0 * Alarm.stepMinutes
                return MenuEntry(.list(.alarmDays(minute: minute)), clockWords(minute: minute))
            }
        case .alarmDays(let minute):
            return AlarmDays.choices[places].map { MenuEntry(.newAlarm(minute: minute, $0), $0.localWords) }
        case .volume:
            return page(volumes, places).map {
                MenuEntry(.volume(percent: $0), "\($0) %", isCurrent: $0 == sound.volume.percent)
            }
        case .speed:
            return Speaker.speeds[places].map {
                MenuEntry(
                    .speed(Speed(percent: $0)), withDecimalSign(Speed(percent: $0).text) + "x",
                    isCurrent: $0 == currentSpeed.percent)
            }
        case .playlists:
            return page(menu.playlists, places).map { MenuEntry(.playlist($0), $0) }
        case .setting(let setting):
            guard let status = status(of: setting) else { return [] }
            return page(status.choices, places).map {
                MenuEntry(.setting(setting, value: $0), setting.words(of: $0), isCurrent: $0 == status.value)
            }
        case .folders: return entries(ofFolder: libraryFolder, places)
        case .folder(let path): return entries(ofFolder: path, places)
        case .headphones, .knownHeadphones, .newHeadphones: return Array(page(entries(ofHeadphones: list), places))
        case .about: return page(aboutLines, places).map { MenuEntry(.nothing, $0) }
        }
    }

    private func page<Element>(_ all: [Element], _ places: Range<Int>) -> ArraySlice<Element> {
        all[places.clamped(to: all.indices)]
    }

    /// The lines of About: the state and the troubles.
    private var aboutLines: [String] {
        let unplayable = queueKeeper.scans?.unplayable ?? Unplayable()
        var lines = [trouble?.words ?? (unplayable.count == 0 ? translated("All is well") : "")].filter { !$0.isEmpty }
        if let mistake = listening.troubles.ofSettings { lines.append(mistake) }
        if unplayable.count > 0 {
            lines.append(translated("Unreadable files: %1", "\(unplayable.count)"))
            lines += unplayable.names
        }
        lines.append(translated("Books: %1", "\(library.bookCount)"))
        let favourites = library.favouriteCount
        lines.append(translated("Favorites: %1", "\(favourites)" + (library.areFavouritesCounted ? "" : "+")))
        if let today = heardWeek?.milliseconds.last {
            lines.append(translated("Heard today: %1", SpokenWords.length(milliseconds: today)))
        }
        return lines
    }

    private var entriesOfAlarms: [MenuEntry] {
        alarms.all.map {
            MenuEntry(
                .alarm($0.id, minute: $0.minute, $0.days), clockWords(minute: $0.minute) + " " + $0.days.localWords,
                isCurrent: alarms.isAwaited($0))
        }
            + [MenuEntry(.list(.alarmHours), MenuList.alarmHours.words)]
            + (alarms.all.isEmpty ? [] : [MenuEntry(.list(.alarmRemovals), MenuList.alarmRemovals.words)])
    }

    /// The non-empty lists.
    private var offered: [MenuList] { MenuList.ofMenu.filter(isOffered) }

    /// Returns whether the menu offers a list. Lists that need all files of a book or a count of all books are decided without reading
    /// them.
    private func isOffered(_ list: MenuList) -> Bool {
        switch list {
        case .goOn: !library.begun(limit: 1).isEmpty
        case .books: library.hasBooks
        case .folders:
            isLibrary && !library.itemIDs(ItemQuery(folder: libraryFolder), after: nil, limit: 1).ids.isEmpty
        case .about: true
        case .chapters: !listening.chapters.isEmpty || bookOfFiles != nil
        // If a book has no pages, its files have none.
        case .pages: currentItem.map { !library.pages(of: $0.id).isEmpty } ?? false
        default: !entries(of: list, 0..<1, from: nil).isEmpty
        }
    }

    private func entries(_ items: [ItemID]) -> [MenuEntry] { library.items(items).map { entry($0) } }

    private func entry(_ item: Item) -> MenuEntry {
        MenuEntry(
            .item(item.id), item.title, isCurrent: item.id == currentItem?.id,
            heardMilliseconds: Int64(item.positionMilliseconds),
            durationMilliseconds: item.durationMilliseconds.map { Int64($0) })
    }

    private func entry(_ book: Book) -> MenuEntry {
        var entry = MenuEntry(
            .book(book.id), book.title, heardMilliseconds: book.heardMilliseconds,
            durationMilliseconds: book.durationMilliseconds)
        entry.language = languageCode(book.language)
        return entry
    }

    private func entryOfBegun(_ item: ItemID) -> MenuEntry? {
        // An episode's podcast is a book in name only.
        if library.sharesPlace(item), let book = library.book(of: item) { return entry(book) }
        return library.item(item).map { entry($0) }
    }

    /// The current book, if its files serve as chapters.
    var bookOfFiles: Book? {
        currentItem.flatMap { library.sharesPlace($0.id) ? library.book(of: $0.id) : nil }
    }

    /// The headings of all files of the current talking book; none for other recordings. Read once while the menu is open.
    var headings: [Library.Heading] {
        guard let item = currentItem?.id, bookOfFiles != nil else { return [] }
        if let known = menu.headings, known.item == item { return known.list }
        let list = headingsOfBook
        menu.headings = (item, list)
        return list
    }

    /// The headings of the current talking book, of one file or of several; none for other recordings.
    var headingsOfBook: [Library.Heading] {
        guard let item = currentItem?.id else { return [] }
        let list =
            bookOfFiles.map { library.headings(of: $0.id) }
            ?? listening.chapters.map { Library.Heading(item: item, chapter: $0) }
        return list.contains { $0.chapter.level > 0 } ? list : []
    }

    private var currentHeading: Int? { index(in: headings) }

    /// Returns the index of the present place in a list of a book's headings; nil if the audible file has none of it.
    func index(in list: [Library.Heading]) -> Int? {
        let (item, place) = (currentItem?.id, listening.placeMilliseconds)
        return list.lastIndex { $0.item == item && $0.chapter.startMilliseconds <= place }
            ?? list.firstIndex { $0.item == item }
    }

    /// The pages of the printed book of the current recording. Read once while the menu is open.
    private var pages: [Library.Heading] {
        guard let item = currentItem?.id else { return [] }
        if let known = menu.pages, known.item == item { return known.list }
        let list =
            bookOfFiles.map { library.pages(ofBook: $0.id) }
            ?? library.pages(of: item).map { Library.Heading(item: item, chapter: $0) }
        menu.pages = (item, list)
        return list
    }

    private var libraryFolder: String { queueKeeper.folder ?? "/" }

    /// Returns a folder's folders, then its files. Read once while the menu stays in it.
    private func contents(ofFolder path: String) -> (folders: [String], items: [Item.ID]) {
        if let known = menu.folder, known.path == path { return (known.folders, known.items) }
        let found = library.contents(ofFolder: path, limit: Speaker.mostInFolder)
        menu.folder = (path, found.folders, found.items)
        return found
    }

    private func count(ofFolder path: String) -> Int {
        let (folders, items) = contents(ofFolder: path)
        return folders.count + items.count
    }

    private func entries(ofFolder path: String, _ places: Range<Int>) -> [MenuEntry] {
        let (folders, items) = contents(ofFolder: path)
        let files = max(0, places.lowerBound - folders.count)..<max(0, places.upperBound - folders.count)
        return folders[places.clamped(to: folders.indices)].map { MenuEntry(.list(.folder($0)), $0.pathName) }
            + entries(Array(items[files.clamped(to: items.indices)]))
    }

    private func entriesOfHeadings(_ places: Range<Int>) -> [MenuEntry] {
        let (headings, current, language) = (headings, currentHeading, languageOfCurrent)
        return places.clamped(to: 0..<headings.count).map { index in
            let chapter = headings[index].chapter
            var entry = MenuEntry(
                .place(headings[index].item, milliseconds: chapter.startMilliseconds),
                SongNames.title(chapter.title, ofChapter: index + 1), isCurrent: index == current)
            if !chapter.title.isEmpty { entry.language = language }
            return entry
        }
    }

    private func entriesOfChapters(_ places: Range<Int>) -> [MenuEntry] {
        guard let item = currentItem else { return [] }
        let chapters = listening.chapters
        let heard = listening.chapter(at: listening.placeMilliseconds)
        return places.clamped(to: 0..<chapters.count).map { index in
            let (start, end) = (
                chapters[index].startMilliseconds,
                index + 1 < chapters.count ? chapters[index + 1].startMilliseconds : item.durationMilliseconds
            )
            var entry = MenuEntry(
                .place(item.id, milliseconds: start), SongNames.title(chapters[index].title, ofChapter: index + 1),
                isCurrent: index == heard, durationMilliseconds: end.map { Int64(max(0, $0 - start)) })
            if !chapters[index].title.isEmpty { entry.language = languageOfCurrent }
            return entry
        }
    }
}
