// SPDX-License-Identifier: Apache-2.0
import Core
import Posix
import Text

/// A list of the speaker's menu: the menu itself, and the lists in it.
public enum MenuList: Equatable, Sendable {
    case menu
    /// The unfinished works, the last heard first.
    case goOn
    case books
    case podcasts
    /// The episodes of one podcast.
    case episodes(Feed.ID, title: String)
    /// The stations that a listener added.
    case stations
    case favourites
    case bookmarks
    /// The chapters of the current item.
    case chapters
    /// The pages of the current printed book.
    case pages
    /// The stored playlists.
    case playlists
    case sleep
    case alarms
    /// The lists for a new alarm: its hour, its minute of the day, and its days.
    case alarmHours
    /// The alarms that can be removed.
    case alarmRemovals
    case alarmMinutes(hour: Int)
    case alarmDays(minute: Int)
    case volume
    case speed
    /// A setting of the speaker itself.
    case setting(SpeakerSetting)
    /// The library's folder.
    case folders
    /// A folder below the library's, by its whole path.
    case folder(String)
    case about
    /// Wireless headphones: the paired ones, one of them, and those that are near.
    case headphones
    case knownHeadphones(String, name: String)
    case newHeadphones

    /// The lists in the menu itself, in their order.
    public static let ofMenu: [MenuList] = [
        .goOn, .books, .podcasts, .stations, .favourites, .bookmarks, .chapters, .pages, .playlists, .sleep,
        .alarms, .volume, .speed, .setting(.skipStart), .setting(.skipEnd), .setting(.headings), .setting(.pageNumbers),
        .setting(.notes), .setting(.producerNotes), .setting(.sidebars), .setting(.repeats), .setting(.loudest),
        .setting(.language), .setting(.voice), .headphones, .folders, .about,
    ]

    /// The list's name for people.
    public var words: String {
        switch self {
        case .menu: translated("Menu")
        case .goOn: translated("Continue")
        case .books: translated("Books")
        case .podcasts: translated("Podcasts")
        case .episodes(_, let title): title
        case .stations: translated("Stations")
        case .favourites: translated("Favorites")
        case .bookmarks: translated("Bookmarks")
        case .chapters: translated("Chapters")
        case .pages: translated("Go to page")
        case .sleep: translated("Sleep timer")
        case .alarms: translated("Alarms")
        case .alarmHours: translated("New alarm")
        case .alarmRemovals: translated("Delete an alarm")
        case .alarmMinutes(let hour): clockWords(minute: hour * 60)
        case .alarmDays(let minute): clockWords(minute: minute)
        case .playlists: translated("Playlists")
        case .volume: translated("Volume")
        case .speed: translated("Speed")
        case .setting(let setting): setting.words
        case .folders: translated("Folders")
        case .folder(let path): path.pathName
        case .about: translated("About")
        case .headphones: translated("Headphones")
        case .knownHeadphones(_, let name): name
        case .newHeadphones: translated("New headphones")
        }
    }
}

/// An entry in a list of the menu, and its act.
public struct MenuEntry: Equatable, Sendable {
    public enum Choice: Equatable, Sendable {
        /// Opens the list.
        case list(MenuList)
        /// Resumes the book or the item.
        case book(Book.ID)
        case item(Item.ID)
        /// Plays from that place.
        case place(Item.ID, milliseconds: Int)
        case sleep(Sleep)
        /// Sets the volume, 1…100.
        case volume(percent: Int)
        case speed(Speed)
        /// Switches an alarm on or off.
        case alarm(Alarm.ID, minute: Int, AlarmDays)
        case newAlarm(minute: Int, AlarmDays)
        case removeAlarm(Alarm.ID, minute: Int, AlarmDays)
        case playlist(String)
        case setting(SpeakerSetting, value: String)
        /// Sets the order of a podcast's episodes in lists and playback.
        case order(Feed.ID, Feed.Order)
        case headphones(HeadphoneRequest)
        /// Does nothing: the entry is only for reading.
        case nothing
    }

    public var choice: Choice
    public var title: String
    /// The language of the title, by two letters; "" if unknown.
    public var language = ""
    /// True for the present state, such as the audible chapter or the set speed.
    public var isCurrent = false
    /// The heard part in milliseconds; 0 for none, or for an entry without one.
    public var heardMilliseconds: Int64 = 0
    /// The length; nil if it is unknown, or for an entry without one.
    public var durationMilliseconds: Int64?

    public init(
        _ choice: Choice, _ title: String, isCurrent: Bool = false, heardMilliseconds: Int64 = 0,
        durationMilliseconds: Int64? = nil
    ) {
        self.choice = choice
        self.title = title
        self.isCurrent = isCurrent
        self.heardMilliseconds = heardMilliseconds
        self.durationMilliseconds = durationMilliseconds
    }

    /// The heard part in percent, 1…100; nil for none, or with an unknown length.
    public var heardPercent: Int? {
        guard let duration = durationMilliseconds, duration > 0, heardMilliseconds > 0 else { return nil }
        return Int(max(1, min(100, heardMilliseconds / max(1, duration / 100))))
    }
}

/// The position in the menu.
public struct MenuStatus: Equatable, Sendable {
    public var list: MenuList
    public var entry: MenuEntry
    /// The index of the list's entry, from 0.
    public var index: Int
    /// The number of the list's entries; never 0.
    public var count: Int

    public init(list: MenuList, entry: MenuEntry, index: Int, count: Int) {
        self.list = list
        self.entry = entry
        self.index = index
        self.count = count
    }
}
