// SPDX-License-Identifier: Apache-2.0
import Core
import Pixels
import Text

/// Something on a screen that a voice can name and a finger may touch.
public struct Element: Equatable, Sendable {
    /// The word that a voice says after the label.
    public enum Role: String, Sendable {
        case text, heading, image, button, slider, tab, row, setting
    }

    /// The effect of choosing the element. A scene handles its own affairs itself and returns `.none`.
    public enum Action: Equatable, Sendable {
        case none
        case togglePlayback, back, forward, previous, next, toggleFavourite
        /// Seeks to the touched place on the progress bar: see `Gesture`.
        case seek
        /// Sets the volume from the touched place on the element.
        case volume
        /// Sets the volume, in percent.
        case setVolume(Int)
        /// Seeks to a position in the playing item, in milliseconds.
        case seekTo(Int)
        /// Shows the sentence spoken at the finger's position, in milliseconds.
        case look(Int)
        case show(Tab)
        /// Shows the choices for a setting.
        case ask(Question)
        /// Goes back to the previous screen.
        case leave
        /// Opens what a row stands for, by its name on the console.
        case open(ListRow.Kind, String)
        /// Plays what a row stands for without opening it.
        case play(ListRow.Kind, String)
        case search
        /// Presses a key of the panel's keyboard.
        case type(TypedKey)
        /// Removes a row of the favorites.
        case remove(String)
        /// Opens a row's menu: a long press.
        case menu(ListRow.Kind, String)
        case order(FavouritesOrder)
        case section(LibrarySection)
        case change(SettingName, Step)
        /// Answers the ringing alarm.
        case alarm(Command.AlarmAnswer)
        case refresh
        case retry
        /// Closes a menu or a sheet.
        case dismiss
        /// Undoes the last act, or does what its toast offers.
        case undo
        /// Chooses the item of a menu at this index.
        case choose(Int)
    }

    public typealias Tab = ScreenName

    /// The act of a key of the panel's keyboard.
    public enum TypedKey: Equatable, Sendable {
        /// A letter, by its Unicode code point.
        case letter(UInt32)
        case erase
        /// Deletes the whole text.
        case clear
        /// Switches to the next offered layout.
        case layer
        /// Shows more letters of this layout.
        case more
        /// Hides the keyboard, or shows it.
        case done, edit
    }

    /// A setting with a choice of values.
    public enum Question: Equatable, Sendable {
        case speed, sleep
        /// The time of a new alarm, asked in two steps; minutes of the day.
        case alarmHour
        case alarmMinute(hour: Int)
        case alarmDays(minute: Int)
    }

    /// The direction of a change. Either one flips a switch.
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
    /// The part of the element that casts a shadow.
    public var relief = Relief.flat

    public enum Relief: Equatable, Sendable {
        case flat
        /// The whole element, a circle.
        case disc
        /// The square picture at the top.
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
    /// The element's line in a screen tree, with a voice's words and the frame: `button "Back", 10 seconds (goes back) at 112,330 44x44`.
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

    /// Returns the state words as the console's `screen tree` prints them: "focused selected".
    public func stateWords(isFocused: Bool) -> String {
        var words: [String] = []
        if isFocused { words.append("focused") }
        if isSelected { words.append("selected") }
        if !isEnabled { words.append("disabled") }
        return words.joined(separator: " ")
    }
}

/// A drawn text with the least favorable color beneath it.
public struct DrawnText: Equatable, Sendable {
    public var text: String
    public var frame: PixelRect
    public var contrast: Float
    public var isTruncated: Bool
    /// True if the text is cut without an ellipsis, which is always a fault.
    public var isCut: Bool
}
