// SPDX-License-Identifier: Apache-2.0
import Core
import Pixels
import Text

/// Something on a screen that a voice would name, and a finger may touch.
public struct Element: Equatable, Sendable {
    /// The word that a voice says after the label.
    public enum Role: String, Sendable {
        case text, heading, image, button, slider, tab, row, setting
    }

    /// The act of choosing it. A scene does what concerns only itself and gives `.none`.
    public enum Action: Equatable, Sendable {
        case none
        case togglePlayback, back, forward, previous, next, toggleFavourite
        /// Along the recording, by where on the element it is touched: see `Gesture`.
        case seek
        /// The volume, by the touched place on the element.
        case volume
        /// So loud, in percent.
        case setVolume(Int)
        /// To a place in what is playing, in milliseconds.
        case seekTo(Int)
        /// A finger is at that place, in milliseconds: show the sentence spoken there.
        case look(Int)
        case show(Tab)
        /// Shows what can be chosen from.
        case ask(Question)
        /// To the screen before this one.
        case leave
        /// Opens a row's subject, by its name on the console.
        case open(ListRow.Kind, String)
        /// The same without a look into it first.
        case play(ListRow.Kind, String)
        case search
        /// Of the keyboard on the panel.
        case type(TypedKey)
        /// A row of the favourites.
        case remove(String)
        /// Opens a row's menu: a long press.
        case menu(ListRow.Kind, String)
        case order(FavouritesOrder)
        case section(LibrarySection)
        case change(SettingName, Step)
        /// To what rings.
        case alarm(Command.AlarmAnswer)
        case refresh
        case retry
        /// A menu or a sheet goes.
        case dismiss
        /// Undoes the last act, or does what its toast offers.
        case undo
        /// Of a menu, from the first on.
        case choose(Int)
    }

    public typealias Tab = ScreenName

    /// The act of a key of the panel's keyboard.
    public enum TypedKey: Equatable, Sendable {
        /// By its code in Unicode.
        case letter(UInt32)
        case erase
        /// All of it.
        case clear
        /// The next of the layouts that are offered.
        case layer
        /// Further letters of this one.
        case more
        /// The keyboard goes, or comes.
        case done, edit
    }

    /// A setting with a choice of values.
    public enum Question: Equatable, Sendable {
        case speed, sleep
        /// Of a new alarm, one after the other; minutes of the day.
        case alarmHour
        case alarmMinute(hour: Int)
        case alarmDays(minute: Int)
    }

    /// The direction of a change; a switch is turned over by either.
    public enum Step: Equatable, Sendable {
        case less, more
    }

    public var frame: PixelRect
    public var label: String
    public var value = ""
    public var hint = ""
    public var action = Action.none
    public var role = Role.text
    public var isSelected = false
    public var isEnabled = true
    /// What of it throws a shadow.
    public var relief = Relief.flat

    public enum Relief: Equatable, Sendable {
        case flat
        /// All of it, which is round.
        case disc
        /// The square at its top, a picture.
        case cover
    }

    public init(
        frame: PixelRect, label: String, value: String = "", hint: String = "", action: Action = .none,
        role: Role? = nil, isSelected: Bool = false, relief: Relief = .flat
    ) {
        self.relief = relief
        self.frame = frame
        self.label = label
        self.value = value
        self.hint = hint
        self.action = action
        self.role = role ?? (action == .none ? .text : .button)
        self.isSelected = isSelected
    }
}

extension Element {
    /// Its line of a tree: the words of a voice, and its place. `button "Back", 10 seconds (goes back) at 112,330 44x44`.
    public var line: String {
        var line = role.rawValue + " \"" + label + "\""
        if !value.isEmpty && value != translated("selected") { line += ", " + value }
        if isSelected { line += ", selected" }
        if !isEnabled { line += ", not available" }
        if !hint.isEmpty { line += " (" + hint + ")" }
        return line + " at \(frame.x),\(frame.y) \(frame.width)x\(frame.height)"
    }
}

extension Element {
    /// A row, a card or a setting of a list.
    var isRow: Bool {
        if case .open = action { return true }
        return role == .row || role == .setting
    }

    public var roleWord: String { role.rawValue }

    /// "focused selected": as the console's `screen tree` says it.
    public func stateWords(isFocused: Bool) -> String {
        var words: [String] = []
        if isFocused { words.append("focused") }
        if isSelected { words.append("selected") }
        if !isEnabled { words.append("disabled") }
        return words.joined(separator: " ")
    }
}

/// A text as it was drawn, with the worst that lies beneath it.
public struct DrawnText: Equatable, Sendable {
    public var text: String
    public var frame: PixelRect
    public var contrast: Float
    public var isTruncated: Bool
    /// More characters than it shows, without an ellipsis: never meant to be.
    public var isCut: Bool
}
