// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Posix
import Text

/// The content of a character LCD, independent of the wiring (`CharacterSurface`).
///
/// Two rows: state glyph, title and heart above; the transcript line below, or the progress bar with times if there is no transcript (the
/// artist for the first seconds of an item). Three and four rows: title, one or two transcript rows (the artist if there is none), progress
/// bar with times. One row: the transcript line, else the title. An open menu replaces all of it.
///
/// Control thread only. Requests as few wake-ups as possible.
public final class CharacterDisplay: Screen {
    public private(set) var nextChange: MonotonicTime?

    private let rom: CharacterROM
    private let iconv = Iconv()
    private let glass: CharacterGlass

    private var showing = SpeakerStatus()
    /// The time at which `showing` had its position.
    private var shownAt: MonotonicTime
    private var title: [TextPage] = []
    private var artist: [TextPage] = []
    /// The standing message.
    private var status: (pages: [TextPage], row: Int, since: MonotonicTime)
    private var spoken: SpokenPages?
    /// The open menu; nil while it is closed.
    private var menu: MenuPages?
    private var announcement: (pages: [TextPage], row: Int, since: MonotonicTime)?
    private var itemSince: MonotonicTime
    private var titleSince: MonotonicTime

    /// - Parameters:
    ///   - columns: the number of columns, limited to 8…40.
    ///   - rows: the number of rows, limited to 1…4.
    ///   - surface: the surface, kept for the life of the display.
    public init(columns: Int, rows: Int, rom: CharacterROM, surface: any CharacterSurface) {
        self.rom = rom
        glass = CharacterGlass(columns: columns, rows: rows, surface: surface)
        let never = MonotonicTime(nanoseconds: 0)
        shownAt = never
        itemSince = never
        titleSince = never
        status = ([], 0, never)
        setTitle()
    }

    public var columns: Int { glass.columns }
    public var rows: Int { glass.rows }

    // MARK: Screen

    public func show(_ new: SpeakerStatus, at now: MonotonicTime) {
        let old = showing
        var new = new.clamped
        let expected = position(at: now)
        let isNewItem = new.title != old.title || new.artist != old.artist
        let isAsBefore = new.state == old.state && new.wait == old.wait
        let isContinuing =
            !isNewItem && isAsBefore && new.durationMilliseconds == old.durationMilliseconds
            && new.speed == old.speed
        if isContinuing && new.isRunning
            && abs(new.positionMilliseconds - expected) < Timing.jitterMilliseconds
        {
            new.positionMilliseconds = old.positionMilliseconds
        } else {
            shownAt = now
        }
        showing = new

        if new.menu != old.menu {
            menu = new.menu.map {
                MenuPages($0, columns: columns, rows: rows, since: now) {
                    LCDText.codes($0, rom: rom, iconv: iconv)
                }
            }
            // Another menu entry replaces a message about the one before.
            if menu != nil { announcement = nil }
        }
        if isNewItem { itemSince = now }
        if isNewItem || !isAsBefore { titleSince = now }
        if new.title != old.title || new.isFavourite != old.isFavourite || new.speed != old.speed {
            setTitle()
        }
        if new.artist != old.artist { artist = pages(new.artist, columns: columns, rows: 1) }
        if isNewItem || new.trouble != old.trouble || new.alarm != old.alarm || !isAsBefore {
            setStatus(since: now)
        } else if new.standingWords != old.standingWords {
            // Only a number or name has changed: the pages keep turning.
            setStatus(since: (new.filesSeen == nil) != (old.filesSeen == nil) ? now : status.since)
        }
        setTranscript(new.segment, isNewItem: isNewItem, positionMilliseconds: position(at: now))
        if let volume = new.volumePercent, let before = old.volumePercent, volume != before {
            announcement = ([volumePage(volume)], areaRow, now)
        }
        if !isNewItem && !old.title.isEmpty && new.speed != old.speed {
            let words = translated("Speed %1", withDecimalSign(new.speed.text))
            announcement = (pages(words, columns: columns, rows: 1), areaRow, now)
        }
        // The end of the sleep timer is not shown to a sleeping listener; a restart of the timer is.
        if new.sleep != old.sleep && (new.sleep != .off || new.isRunning)
            || new.sleep != .off && new.sleepMinutes > old.sleepMinutes
        {
            let words = translated("Sleep: %1", new.sleep.words)
            announcement = (pages(words, columns: columns, rows: areaRows), areaRow, now)
        }
        draw(at: now)
    }

    public func announce(_ notice: Notice, at now: MonotonicTime) {
        announce(notice.words, at: now)
        // At the end of the program, drop text that is still waiting for slow wires.
        if notice == .goodbye { for _ in 0..<columns * rows where nextChange == now { draw(at: now) } }
    }

    func announce(_ message: String, at now: MonotonicTime) {
        announcement = (pages(message, columns: columns, rows: areaRows), areaRow, now)
        // A message that needs more rows also takes the title's.
        if let count = announcement?.pages.count, count > 1, rows > 1 {
            announcement = (pages(message, columns: columns, rows: areaRows + areaRow), 0, now)
        }
        draw(at: now)
    }

    public func turnOff() { glass.turnOff() }

    public func setLit(_ isLit: Bool) { glass.setLit(isLit) }

    public func refresh(at now: MonotonicTime) { draw(at: now) }

    // MARK: Text into pages

    private func pages(_ text: String, columns: Int, rows: Int) -> [TextPage] {
        TextPages.pages(LCDText.codes(text, rom: rom, iconv: iconv), columns: columns, rows: rows)
    }

    /// The rows between the title and the progress bar, or the single row for everything.
    private var areaRows: Int { max(1, rows - 2) }
    /// The first of these rows.
    private var areaRow: Int { rows == 1 ? 0 : 1 }
    private var hasProgressRow: Bool { rows > 2 }
    private var titleColumn: Int { columns >= 12 ? 2 : 1 }

    private func setTitle() {
        var end = columns
        if showing.isFavourite { end -= columns >= 12 ? 2 : 1 }
        if !speedCodes.isEmpty { end -= speedCodes.count + 1 }
        title = pages(showing.title, columns: end - titleColumn, rows: 1)
        // The title is empty, or only emoji.
        if title.isEmpty { title = pages("Nightstand", columns: end - titleColumn, rows: 1) }
    }

    /// The speed after the title, if there is room and it is not the recorded pace.
    private var speedCodes: [UInt8] {
        showing.speed == .own || columns < 16 ? [] : Array((withDecimalSign(showing.speed.text) + "x").utf8)
    }

    private func setStatus(since: MonotonicTime) {
        let text: String
        if let words = showing.standingWords {
            text = words
        } else {
            switch showing.wait {
            case .device: text = translated("Waiting for the sound device")
            case .library: text = translated("Waiting for the library")
            case .network: text = Trouble.streamAwaited.words
            case nil: text = ""
            }
        }
        status = (pages(text, columns: columns, rows: areaRows), areaRow, since)
        // There is no title yet, so the number can use its row.
        if status.pages.count > 1 && showing.trouble == .lookingForAudio && rows > 1 {
            status = (pages(text, columns: columns, rows: areaRows + areaRow), 0, since)
        }
    }

    /// Shows a new line, and keeps the last one during the following pause.
    private func setTranscript(_ line: Segment?, isNewItem: Bool, positionMilliseconds: Int) {
        if let line {
            if line == spoken?.line { return }
            spoken = SpokenPages(
                line: line, pages: pages(line.text, columns: columns, rows: areaRows), secondsTick: hasProgressRow)
        } else if isNewItem || !isLingering(positionMilliseconds) {
            spoken = nil
        }
    }

    /// Returns true if the last spoken line stays during the gap. The display's position may be slightly before the line's end.
    private func isLingering(_ positionMilliseconds: Int) -> Bool {
        guard let line = spoken?.line else { return false }
        return positionMilliseconds > line.endMilliseconds - Timing.jitterMilliseconds
            && positionMilliseconds < line.endMilliseconds + Timing.lingerMilliseconds
    }

    private func volumePage(_ percent: Int) -> TextPage {
        let figure = Array(String(percent).utf8) + [UInt8(ascii: "%")]
        let right = [UInt8](repeating: 0x20, count: 5 - figure.count) + figure
        let name = columns >= 20 ? translated("Volume") : translated("Vol", as: "volume")
        let left = LCDText.codes(name, rom: rom, iconv: iconv).prefix(columns - 5) + [0x20]
        let cells = columns - left.count - right.count
        return TextPage(lines: [
            left + ProgressRow.bar(percent, of: 100, cells: max(0, cells)) + right.suffix(columns - left.count)
        ])
    }

    // MARK: The picture

    /// The position at `now`, in milliseconds.
    private func position(at now: MonotonicTime) -> Int {
        guard showing.isRunning else { return showing.positionMilliseconds }
        let position = Int(
            clamping: Int64(showing.positionMilliseconds)
                + max(0, now.milliseconds(since: shownAt)) * Int64(showing.speed.percent) / 100)
        return min(position, showing.durationMilliseconds ?? position)
    }

    /// Returns when playback reaches a position; nil if it is paused or ends before.
    private func time(ofPosition milliseconds: Int) -> MonotonicTime? {
        guard showing.isRunning else { return nil }
        if let duration = showing.durationMilliseconds, milliseconds > duration { return nil }
        // Round up: an early wake-up would need a second one.
        let left = milliseconds.subtractingSaturated(showing.positionMilliseconds)
        return shownAt.adding(milliseconds: showing.speed.clockMilliseconds(of: left))
    }

    /// A picture in the making, and the time of its next change.
    private struct Picture {
        var cells: [UInt8]
        let columns: Int
        var change: MonotonicTime?

        mutating func put(_ codes: [UInt8], row: Int, column: Int = 0) {
            for (i, code) in codes.prefix(columns - column).enumerated() { cells[row * columns + column + i] = code }
        }

        /// Records a change, which wakes the control thread. A change that may be late waits for another one.
        mutating func changes(at time: MonotonicTime?) {
            if let time { change = change.map { min($0, time) } ?? time }
        }
    }

    private func picture(at now: MonotonicTime) -> Picture {
        var picture = Picture(cells: [UInt8](repeating: 0x20, count: columns * rows), columns: columns)
        if let menu {
            putMenu(menu, into: &picture, at: now)
            return picture
        }
        let position = position(at: now)
        var needsTitle = true

        // Below the title: a message, a trouble, the transcript, or the facts about the item.
        var row = areaRow
        var area: TextPage?
        if let announced = announcedPage(at: now) {
            area = announced.page
            row = announced.row
            picture.changes(at: announced.until)
        } else if !status.pages.isEmpty {
            let clock = PageClock(
                since: status.since, firstMilliseconds: Timing.pageMilliseconds,
                otherMilliseconds: Timing.pageMilliseconds,
                rounds: showing.isRunning || showing.filesSeen != nil ? nil : 2)
            let (index, until) = clock.page(of: status.pages.count, at: now)
            area = status.pages[index]
            row = status.row
            picture.changes(at: until)
        } else if let spoken, !spoken.pages.isEmpty, showing.segment != nil || isLingering(position) {
            let (index, until) = spoken.page(at: position)
            area = spoken.pages[index]
            picture.changes(at: until.flatMap(time(ofPosition:)))
            let end = spoken.line.endMilliseconds + Timing.lingerMilliseconds
            if position < end { picture.changes(at: time(ofPosition: end)) }
        } else if let first = artist.first, rows > 1 {
            let until = itemSince.adding(milliseconds: Timing.artistMilliseconds)
            if hasProgressRow {
                area = first
            } else if now < until {
                area = first
                picture.changes(at: until)
            }
        }
        if let area {
            for (i, line) in area.lines.enumerated() { picture.put(line, row: row + i) }
            needsTitle = row > 0
        }

        if hasProgressRow || (rows == 2 && area == nil) {
            let codes = ProgressRow.codes(
                positionMilliseconds: position, durationMilliseconds: showing.durationMilliseconds, columns: columns,
                speed: showing.speed)
            picture.put(codes, row: rows - 1)
            picture.changes(at: time(ofPosition: (position / 1000 + 1) * 1000))
        }

        if needsTitle {
            let clock = PageClock(
                since: titleSince, firstMilliseconds: Timing.titleMilliseconds,
                otherMilliseconds: Timing.pageMilliseconds,
                rounds: showing.isRunning ? nil : 2)
            let (index, until) = clock.page(of: title.count, at: now)
            picture.put([stateCode], row: 0)
            if let line = title[index].lines.first { picture.put(line, row: 0, column: titleColumn) }
            if showing.isFavourite { picture.put([Glyph.heart], row: 0, column: columns - 1) }
            let speed = speedCodes
            picture.put(speed, row: 0, column: columns - speed.count - (showing.isFavourite ? 2 : 0))
            // A title may be late: it turns with the clock's next digit or the next words, without a wake-up of its own.
            picture.changes(at: until?.adding(milliseconds: Timing.titleLatenessMilliseconds))
        }
        return picture
    }

    private func putMenu(_ menu: MenuPages, into picture: inout Picture, at now: MonotonicTime) {
        let announced = announcedPage(at: now)
        let (lines, until) = menu.lines(rows: rows, at: now)
        for line in lines where announced == nil || line.row < (announced?.row ?? 0) {
            picture.put(line.codes, row: line.row)
        }
        if let announced {
            for (i, line) in announced.page.lines.enumerated() { picture.put(line, row: announced.row + i) }
        }
        picture.changes(at: announced?.until ?? until)
    }

    private func announcedPage(at now: MonotonicTime) -> (page: TextPage, row: Int, until: MonotonicTime)? {
        guard let announcement else { return nil }
        let index = Int(
            clamping: max(0, now.milliseconds(since: announcement.since)) / Int64(Timing.announcementMilliseconds))
        guard index < announcement.pages.count else { return nil }
        let until = announcement.since.adding(milliseconds: (index + 1) * Timing.announcementMilliseconds)
        return (announcement.pages[index], announcement.row, until)
    }

    private var stateCode: UInt8 {
        if showing.wait != nil { return UInt8(ascii: "!") }
        return switch showing.state {
        case .playing: Glyph.play
        case .paused: Glyph.pause
        case .stopped: Glyph.stop
        }
    }

    // MARK: Onto the glass

    private func draw(at now: MonotonicTime) {
        if let announced = announcement, announcedPage(at: now) == nil, now >= announced.since { announcement = nil }
        let picture = picture(at: now)
        nextChange = glass.draw(picture.cells, at: now) ?? picture.change
    }

    /// Returns the intended cells, for tests.
    func intendedCells(at now: MonotonicTime) -> [UInt8] { picture(at: now).cells }
}

extension SpeakerStatus {
    /// The state with every number in the range that arithmetic relies on, since files may state false lengths.
    var clamped: SpeakerStatus {
        let longest = 500 * 3600 * 1000
        func clamp(_ milliseconds: Int) -> Int { min(max(0, milliseconds), longest) }
        var result = self
        result.durationMilliseconds = durationMilliseconds.map(clamp)
        result.positionMilliseconds = min(clamp(positionMilliseconds), result.durationMilliseconds ?? longest)
        result.volumePercent = volumePercent.map { min(max(0, $0), 100) }
        if let segment {
            let start = clamp(segment.startMilliseconds)
            result.segment = Segment(
                text: segment.text, startMilliseconds: start,
                endMilliseconds: max(start, clamp(segment.endMilliseconds)))
        }
        return result
    }
}
