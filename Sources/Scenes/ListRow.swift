// SPDX-License-Identifier: Apache-2.0
import Model
import Text

/// A row of a list as the console's commands give it: a favourite, a book, a chapter, a playlist, a podcast, an alarm.
public struct ListRow: Equatable, Sendable {
    public enum Kind: Int, Equatable, Sendable {
        case favourite, book, chapter, playlist, podcast, episode
        /// A file that was found, one of a book's, a sentence that was found.
        case song, part, sentence
        case alarm
    }

    public var kind: Kind
    /// Its name on the console: a file, a book's folder, a playlist's name, a feed's address; a chapter's start; an alarm's number.
    public var name: String
    /// The file of a book's place, or of a chapter or sentence; "" where it is not known.
    public var file = ""
    public var title = ""
    /// Author, or what stands in the second line.
    public var detail = ""
    public var durationMilliseconds: Int?
    /// Of the duration; nil where it was never begun.
    public var heardMilliseconds: Int?
    public var isFinished = false
    /// An alarm that will ring.
    public var isOn = false
    /// The start of a chapter.
    public var startMilliseconds: Int?
    /// The number of episodes, or files; of podcasts those that were not heard.
    public var count: Int?
    /// A picture's file, in states that are read from a file.
    public var artworkPath = ""

    public init(_ kind: Kind, name: String, title: String) {
        self.kind = kind
        self.name = name
        self.title = title
    }

    /// What plays it; "" where there is no one file for it.
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

    /// The heard part of it, 0…1; nil where nothing is known or begun.
    public var heardPart: Float? {
        if isFinished { return 1 }
        guard let heardMilliseconds, let durationMilliseconds, durationMilliseconds > 0, heardMilliseconds > 0
        else { return nil }
        return min(1, Float(heardMilliseconds) / Float(durationMilliseconds))
    }
}

extension [ListRow] {
    /// The chapter at a place, in milliseconds; nil before the first.
    func last(begunAt place: Int) -> ListRow? { last { ($0.startMilliseconds ?? .max) <= place } }
}

/// As `favourite list` orders them.
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
    /// One that the speaker keeps and the menu has, too.
    case speaker(SpeakerSetting)

    static var all: [SettingName] {
        [
            .speed, .volume, .sleep, .brightness, .theme, .textSize, .reducedMotion, .reducedTransparency,
            .increasedContrast, .lowPower, .network, .household, .about,
        ] + SpeakerSetting.allCases.map { .speaker($0) }
    }

    /// Nil for a word that is none.
    public init?(word: String) {
        guard let name = SettingName.all.first(where: { $0.word == word }) else { return nil }
        self = name
    }
}
