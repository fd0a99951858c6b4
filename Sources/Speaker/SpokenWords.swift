import Core
import Display
import Model

/// Sentences for the ear: what a screen shows, with numbers and times as people say them.
enum SpokenWords {
    /// Ends each with a full stop, where it has none; nothing for none.
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

    /// "3 hours 20 minutes", "45 seconds": no more than a person keeps in mind.
    static func length(milliseconds: Int64) -> String {
        let seconds = max(0, milliseconds) / 1000
        if seconds < 60 { return count(seconds, "second") }
        let minutes = seconds / 60 + (seconds % 60 >= 30 ? 1 : 0)
        if minutes < 60 { return count(minutes, "minute") }
        return count(minutes / 60, "hour") + (minutes % 60 == 0 ? "" : " " + count(minutes % 60, "minute"))
    }

    private static func count(_ number: Int64, _ unit: String) -> String {
        "\(number) " + unit + (number == 1 ? "" : "s")
    }

    /// "Books, 24. The River Bank, 3 hours 20 minutes, 40 percent heard."
    static func list(_ menu: MenuStatus) -> String {
        sentences([menu.list.words + (menu.list == .menu ? "" : ", \(menu.count)"), entry(menu.entry)])
    }

    static func entry(_ entry: MenuEntry) -> String {
        var words =
            switch entry.choice {
            case .sleep(let setting): sleep(setting)
            case .speed(let setting): speed(setting)
            case .newAlarm(_, let days): SpokenWords.days(days)
            case .alarm(_, let minute, let days): Alarm.timeWords(minute) + " " + SpokenWords.days(days)
            default: entry.title
            }
        if let duration = entry.durationMilliseconds, duration > 0 { words += ", " + length(milliseconds: duration) }
        if let percent = entry.heardPercent { words += ", \(percent) percent heard" }
        return words + (entry.isCurrent ? ", chosen" : "")
    }

    static func sleep(_ setting: Sleep) -> String {
        guard case .minutes(let minutes) = setting else { return setting.words }
        return length(milliseconds: Int64(minutes).multipliedSaturated(by: 60_000))
    }

    private static var dayNames: [String] {
        ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    }

    /// "Monday to Friday".
    static func days(_ days: AlarmDays) -> String {
        if days == .once { return "once" }
        if days == .daily { return "every day" }
        let runs = days.runs.map { dayNames[$0.lowerBound] + ($0.count == 1 ? "" : " to " + dayNames[$0.upperBound]) }
        return runs.joined(separator: ", ")
    }

    static func speed(_ speed: Speed) -> String { speed.text + " times" }

    /// In a list no item is meant.
    static func inMenu(_ notice: Notice) -> String {
        switch notice {
        case .firstItem: "First"
        case .lastItem: "Last"
        default: notice.words
        }
    }

    /// "It is 6:05."
    static func time(minute: Int) -> String {
        "It is \(minute / 60):" + (minute % 60 < 10 ? "0" : "") + "\(minute % 60)"
    }
}

/// As much of what is so as a person is told when it changes.
struct Answerable: Equatable {
    var plays = false
    /// The entry that is current; nil for none.
    var entry: Int?
    var title = ""
    /// Which chapter of the item is heard; nil where it has none.
    var chapter: Int?
    var chapterTitle = ""
    var sleep = Sleep.off
    var speed = Speed.own
    var menu: MenuStatus?

    /// What a command of a person has led to, in words; "" where there is nothing to be said that is not heard anyway.
    static func answer(to command: Command, _ before: Answerable, _ after: Answerable, notices: [Notice]) -> String {
        // What is to be heard instead is no answer of the speaker's.
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
        if before.sleep != after.sleep { parts.append("Sleep timer " + SpokenWords.sleep(after.sleep)) }
        if before.speed != after.speed { parts.append("Speed " + SpokenWords.speed(after.speed)) }
        // Who has chosen something in the menu hears what it is, be it what was there before.
        let isChosen = command == .menu(.choose) && before.menu != nil && after.menu == nil
        let isOther = before.entry != after.entry || isChosen && !before.plays && after.plays
        if isOther { parts.append(after.title) }
        if !after.chapterTitle.isEmpty, isOther || before.chapter != after.chapter { parts.append(after.chapterTitle) }
        if before.plays != after.plays || isOther && !after.plays {
            // What another item plays is heard.
            if !after.plays { parts.append("Paused") } else if !isOther { parts.append("Playing") }
        }
        if parts.isEmpty, isChosen { parts += [after.title, after.chapterTitle] }
        if parts.isEmpty, before.menu != nil, after.menu == nil { parts.append("Menu closed") }
        return SpokenWords.sentences(parts)
    }
}
