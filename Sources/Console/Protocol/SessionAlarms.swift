// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Speaker
import Wire

/// Alarms: `alarm add 06:40 mon-fri "Tales" rise 10`, `alarm off 2`, `alarm snooze`.
extension Session {
    func alarm(_ arguments: [String], _ response: inout ResponseBuffer) throws(ConsoleError) -> Portions? {
        let rest = arguments.dropFirst()
        switch (arguments[0], rest.count) {
        case ("add", 1...): return try addAlarm(Array(rest))
        case ("list", 0): for alarm in host.speaker.alarms.all { tell(alarm, &response) }
        case ("remove", 1): try check(host.speaker.alarms.remove(try Session.alarmNumber(rest)))
        case ("on", 1): try check(host.speaker.setAlarm(try Session.alarmNumber(rest), isOn: true))
        case ("off", 1): try check(host.speaker.setAlarm(try Session.alarmNumber(rest), isOn: false))
        case ("snooze", 0): try host.perform(.alarm(.snooze))
        case ("end", 0): try host.perform(.alarm(.end))
        default:
            throw Argument.wrong(
                arguments[0], "Expected add TIME [...], list, remove NUMBER, on NUMBER, off NUMBER, snooze or end")
        }
        return nil
    }

    private func addAlarm(_ words: [String]) throws(ConsoleError) -> Portions {
        guard let minute = Alarm.minute(words[0]) else {
            throw Argument.wrong(words[0], "Expected a time such as 06:40")
        }
        var alarm = Alarm(minute: minute, days: .daily)
        var left = words.dropFirst()
        if let first = left.first, let days = AlarmDays(words: first) {
            alarm.days = days
            left = left.dropFirst()
        }
        var name: String?
        while let word = left.popFirst() {
            switch word {
            case "rise": alarm.riseMinutes = try Argument.integer(left.popFirst() ?? "", in: Alarm.rises)
            case "volume": alarm.loudnessPercent = try Argument.integer(left.popFirst() ?? "", in: Alarm.loudnesses)
            default:
                if name != nil {
                    throw Argument.wrong(
                        word, "Expected \(AlarmDays.expected), then a name, rise MINUTES or volume PERCENT")
                }
                name = word
            }
        }
        return .awaited(try host.add(alarm, playing: name), onlyTells: false) { number, response in
            response.field("alarm", number)
            return nil
        }
    }

    private func tell(_ alarm: Alarm, _ response: inout ResponseBuffer) {
        let alarms = host.speaker.alarms
        response.field("alarm", alarm.id)
        response.field("time", alarm.timeWords)
        response.field("days", alarm.days.words)
        response.field("plays", host.words(alarm.sound))
        response.field("rise", alarm.riseMinutes)
        response.field("volume", alarm.loudnessPercent)
        response.field("enabled", alarms.isAwaited(alarm) ? 1 : 0)
        if let next = alarms.next(alarm) { response.field("next", date: next) }
    }

    private func check(_ wasThere: Bool) throws(ConsoleError) {
        if !wasThere { throw ConsoleError(.noExist, "no such alarm; alarm list tells which there are") }
    }

    private static func alarmNumber(_ words: ArraySlice<String>) throws(ConsoleError) -> Alarm.ID {
        Int64(try Argument.integer(words.first ?? ""))
    }
}
