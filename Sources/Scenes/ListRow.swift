// SPDX-License-Identifier: Apache-2.0
import Model
import Text

/// A row of a list as the console's commands give it: a favorite, a book, a chapter, a playlist, a podcast, an alarm.
public struct ListRow: Equatable, Sendable {
    public enum Kind: Int, Equatable, Sendable {
        case favourite, book, chapter, playlist, podcast, episode
        /// A file that was found, a file of a book, a sentence that was found.
        case song, part, sentence
        case alarm
    }

    public var kind: Kind
    /// Its name on the console: a file, a book's folder, a playlist's name, a feed's address; a chapter's start; an alarm's number.
    public var name: String
    /// The file of a book's position, of a chapter or of a sentence; "" if unknown.
    public var file = ""
    public var title = ""
    /// The author, or other text of the second line.
    public var detail = ""
    public var durationMilliseconds: Int?
    /// The heard part of the duration; nil if it was never begun.
    public var heardMilliseconds: Int?
    public var isFinished = false
    /// True for an alarm that will ring.
    public var isOn = false
    /// The start of a chapter.
    public var startMilliseconds: Int?
    /// The number of episodes or files; for podcasts the number of unheard episodes.
    public var count: Int?
    /// The picture's file, in states read from a file.
    public var artworkPath = ""

    public init(_ kind: Kind, name: String, title: String) {
        self.kind = kind
        self.name = name
        self.title = title
    }

    /// The file to play; "" if there is no single one.
    public var playsFile: String {
        switch kind {
        case .favourite, .episode, .song, .part: name
        default: file
        }
    }

    /// The first letter of its title, as a capital; nil for a row without a title.
    var letter: Unicode.Scalar? {
        guard let first = title.unicodeScalars.first(where: { $0.value > 0x20 }) else { return nil }
        return first.value >= 0x61 && first.value <= 0x7A ? Unicode.Scalar(first.value - 0x20) : first
    }

    /// The heard part, 0…1; nil if unknown or not begun.
    public var heardPart: Float? {
        if isFinished { return 1 }
        guard let heardMilliseconds, let durationMilliseconds, durationMilliseconds > 0, heardMilliseconds > 0
        else { return nil }
        return min(1, Float(heardMilliseconds) / Float(durationMilliseconds))
    }
}

extension [ListRow] {
    /// Returns the chapter at a position, in milliseconds; nil before the first one.
    func last(begunAt place: Int) -> ListRow? { last { ($0.startMilliseconds ?? .max) <= place } }
}

/// The orders of `favourite list`.
public enum FavouritesOrder: String, CaseIterable, Equatable, Sendable {
    case newest, title, duration, plays

    var title: String {
        switch self {
        case .newest: translated("Newest")
        case .title: translated("Title")
        case .duration: translated("Length")
        case .plays: translated("Plays")
        }
    }
}

public enum LibrarySection: String, CaseIterable, Equatable, Sendable {
    case books, chapters, playlists, podcasts

    var symbol: Symbol {
        switch self {
        case .books: .book
        case .chapters: .bookmark
        case .playlists: .list
        case .podcasts: .podcast
        }
    }

    var title: String {
        switch self {
        case .books: translated("Books")
        case .chapters: translated("Chapters")
        case .playlists: translated("Playlists")
        case .podcasts: translated("Podcasts")
        }
    }
}

/// A setting of the screen.
public enum SettingName: Equatable, Sendable {
    case speed, volume, sleep, brightness, theme, textSize, reducedMotion, reducedTransparency, increasedContrast
    case lowPower, network, household, about
    /// A setting of the speaker that its menu offers, too.
    case speaker(SpeakerSetting)

    static var all: [SettingName] {
        [
            .speed, .volume, .sleep, .brightness, .theme, .textSize, .reducedMotion, .reducedTransparency,
            .increasedContrast, .lowPower, .network, .household, .about,
        ] + SpeakerSetting.allCases.map { .speaker($0) }
    }

    /// Returns nil for a word that names no setting.
    public init?(word: String) {
        guard let name = SettingName.all.first(where: { $0.word == word }) else { return nil }
        self = name
    }
}
