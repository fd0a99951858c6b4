// SPDX-License-Identifier: Apache-2.0
import Core
import Posix
import Text

/// A list of the speaker's menu: the menu itself, and the lists in it.
public enum MenuList: Equatable, Sendable {
    case menu
    /// The unfinished works, the last one first.
    case goOn
    case books
    case podcasts
    /// Of one podcast.
    case episodes(Feed.ID, title: String)
    /// Addresses that were added.
    case stations
    case favourites
    case bookmarks
    /// Of what is played.
    case chapters
    /// Of the printed book that is played.
    case pages
    /// Those that are stored.
    case playlists
    case sleep
    case alarms
    /// Of a new one: its hour, of which minute of the day it is, and its days.
    case alarmHours
    /// Those that can be taken away.
    case alarmRemovals
    case alarmMinutes(hour: Int)
    case alarmDays(minute: Int)
    case volume
    case speed
    /// A setting of the speaker itself.
    case setting(SpeakerSetting)
    /// The library's folder.
    case folders
    /// Below the library's, by its whole path.
    case folder(String)
    case about
    /// Without a wire: those that are paired, one of them, and those that are near.
    case headphones
    case knownHeadphones(String, name: String)
    case newHeadphones

    /// Those that stand in the menu itself, in their order.
    public static let ofMenu: [MenuList] = [
        .goOn, .books, .podcasts, .stations, .favourites, .bookmarks, .chapters, .pages, .playlists, .sleep,
        .alarms, .volume, .speed, .setting(.skipStart), .setting(.skipEnd), .setting(.headings), .setting(.pageNumbers),
        .setting(.notes), .setting(.producerNotes), .setting(.sidebars), .setting(.repeats), .setting(.loudest),
        .setting(.language), .setting(.voice), .headphones, .folders, .about,
    ]

    /// As a person reads it.
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
        /// Goes into it.
        case list(MenuList)
        /// Goes on with it.
        case book(Book.ID)
        case item(Item.ID)
        /// Plays from there.
        case place(Item.ID, milliseconds: Int)
        case sleep(Sleep)
        /// 1…100.
        case volume(percent: Int)
        case speed(Speed)
        /// On where it is off, and off where it is on.
        case alarm(Alarm.ID, minute: Int, AlarmDays)
        case newAlarm(minute: Int, AlarmDays)
        case removeAlarm(Alarm.ID, minute: Int, AlarmDays)
        case playlist(String)
        case setting(SpeakerSetting, value: String)
        /// In this order a podcast's episodes stand and are played from now on.
        case order(Feed.ID, Feed.Order)
        case headphones(HeadphoneRequest)
        /// It is there to be read.
        case nothing
    }

    public var choice: Choice
    public var title: String
    /// In which the title is, by two letters; "" for none that is known.
    public var language = ""
    /// It is what is so now: the chapter that is heard, the speed that is set.
    public var isCurrent = false
    /// The heard part of it; 0 for nothing, or where that means nothing.
    public var heardMilliseconds: Int64 = 0
    /// Its length; nil if it is unknown or means nothing.
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

    /// The heard part in percent, 1…100; nil if that is nothing, or the length is unknown.
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
