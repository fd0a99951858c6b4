// SPDX-License-Identifier: Apache-2.0
import Core
import Display
import Model
import Text

/// Sentences for the ear: a screen's facts, with numbers and times in spoken form.
enum SpokenWords {
    /// Joins sentences, and ends each with a full stop if it has none; "" for none.
    static func sentences(_ parts: [String]) -> String {
        var text = ""
        for part in parts where !part.isEmpty {
            if !text.isEmpty { text += " " }
            text += part
            let last = part.utf8.last
            if last != UInt8(ascii: "."), last != UInt8(ascii: "!"), last != UInt8(ascii: "?") { text += "." }
        }
        return text
    }

    /// Marks a text in another language, for `VoicePort.say`.
    /// - Parameter language: two letters; "" for the voice's own language.
    static func text(_ text: String, in language: String) -> String {
        text.isEmpty || language.isEmpty ? text : "\u{1}" + language + "\u{2}" + text + "\u{3}"
    }

    /// Returns a length such as "3 hours 20 minutes" or "45 seconds": no more precise than a listener remembers.
    static func length(milliseconds: Int64) -> String {
        let seconds = max(0, milliseconds) / 1000
        if seconds < 60 { return translated("%1 second", plural: "%1 seconds", seconds) }
        let minutes = seconds / 60 + (seconds % 60 >= 30 ? 1 : 0)
        return lengthWords(minutes: minutes)
    }

    /// Returns a list's sentence, such as "Books, 24. The River Bank, 3 hours 20 minutes, 40 percent heard."
    static func list(_ menu: MenuStatus) -> String {
        sentences([menu.list.words + (menu.list == .menu ? "" : ", \(menu.count)"), entry(menu.entry)])
    }

    static func entry(_ entry: MenuEntry) -> String {
        var words =
            switch entry.choice {
            case .sleep(let setting): sleep(setting)
            case .speed(let setting): speed(setting)
            case .newAlarm(_, let days): SpokenWords.days(days)
            case .alarm(_, let minute, let days), .removeAlarm(_, let minute, let days):
                clockWords(minute: minute) + " " + SpokenWords.days(days)
            default: text(entry.title, in: entry.language)
            }
        if let duration = entry.durationMilliseconds, duration > 0 { words += ", " + length(milliseconds: duration) }
        if let percent = entry.heardPercent { words += ", " + translated("%1 percent heard", "\(percent)") }
        return words + (entry.isCurrent ? ", " + translated("chosen") : "")
    }

    static func sleep(_ setting: Sleep) -> String {
        guard case .minutes(let minutes) = setting else { return setting.words }
        return length(milliseconds: Int64(minutes).multipliedSaturated(by: 60_000))
    }

    private static func dayName(_ day: Int) -> String {
        switch day {
        case 0: translated("Monday")
        case 1: translated("Tuesday")
        case 2: translated("Wednesday")
        case 3: translated("Thursday")
        case 4: translated("Friday")
        case 5: translated("Saturday")
        default: translated("Sunday")
        }
    }

    /// Returns days such as "Monday to Friday".
    static func days(_ days: AlarmDays) -> String {
        if days == .once { return translated("once") }
        if days == .daily { return translated("every day") }
        return days.runs.map { run in
            let first = dayName(run.lowerBound)
            return run.count == 1 ? first : translated("%1 to %2", first, dayName(run.upperBound))
        }.joined(separator: ", ")
    }

    static func speed(_ speed: Speed) -> String { translated("%1 times", withDecimalSign(speed.text)) }

    /// Returns the words of a notice for the menu's list, which is not about the current item.
    static func inMenu(_ notice: Notice) -> String {
        switch notice {
        case .firstItem: translated("First")
        case .lastItem: translated("Last")
        default: notice.words
        }
    }

    /// Returns a time such as "It is 6:05, Saturday, in the morning." After a sleepless night the number alone is not clear.
    /// - Parameter day: counted from the first of 1970, a Thursday; nil if it is unknown.
    static func time(minute: Int, day: Int64?) -> String {
        let time = translated("It is %1", clockWords(minute: minute))
        let weekday = day.map { ", " + dayName(Int((max(0, $0) % 7 + 3) % 7)) } ?? ""
        return time + weekday + ", " + part(ofDay: minute / 60)
    }

    private static func part(ofDay hour: Int) -> String {
        switch hour {
        case 5..<12: translated("in the morning")
        case 12..<17: translated("in the afternoon")
        case 17..<22: translated("in the evening")
        default: translated("at night")
        }
    }
}

/// The part of the speaker's state that the voice reports when it changes.
struct Answerable: Equatable {
    var plays = false
    /// The current entry; nil for none.
    var entry: Int?
    /// The title, marked with its own language; so is the chapter's title.
    var title = ""
    /// The audible chapter of the item; nil if it has none.
    var chapter: Int?
    var chapterTitle = ""
    var sleep = Sleep.off
    var speed = Speed.own
    var menu: MenuStatus?

    /// Returns the effect of a listener's command, in words; "" if the effect itself can be heard.
    static func answer(to command: Command, _ before: Answerable, _ after: Answerable, notices: [Notice]) -> String {
        // The interrupting sound is no answer of the speaker's.
        if case .interrupt = command { return "" }
        var parts: [String] = []
        if let menu = after.menu, case .menu = command {
            for notice in notices { parts.append(SpokenWords.inMenu(notice)) }
            if before.menu?.list != menu.list {
                parts.append(SpokenWords.list(menu))
            } else if before.menu != menu {
                parts.append(SpokenWords.entry(menu.entry))
            }
            return SpokenWords.sentences(parts)
        }
        for notice in notices { parts.append(notice.words) }
        if before.sleep != after.sleep { parts.append(translated("Sleep timer %1", SpokenWords.sleep(after.sleep))) }
        if before.speed != after.speed { parts.append(translated("Speed %1", SpokenWords.speed(after.speed))) }
        // The voice reports a choice in the menu, even if it was current before.
        let isChosen = command == .menu(.choose) && before.menu != nil && after.menu == nil
        let isOther = before.entry != after.entry || isChosen && !before.plays && after.plays
        if isOther { parts.append(after.title) }
        if !after.chapterTitle.isEmpty, isOther || before.chapter != after.chapter { parts.append(after.chapterTitle) }
        if before.plays != after.plays || isOther && !after.plays {
            // A playing item can be heard by itself.
            if !after.plays {
                parts.append(translated("Paused"))
            } else if !isOther {
                parts.append(translated("Playing"))
            }
        }
        if parts.isEmpty, isChosen { parts += [after.title, after.chapterTitle] }
        if parts.isEmpty, before.menu != nil, after.menu == nil { parts.append(translated("Menu closed")) }
        return SpokenWords.sentences(parts)
    }
}
