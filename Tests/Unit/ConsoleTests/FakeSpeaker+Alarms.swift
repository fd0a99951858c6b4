// SPDX-License-Identifier: Apache-2.0
import Model

@testable import Console

extension FakeSpeaker {
    func add(_ alarm: Alarm, playing name: String?) throws(ConsoleError) -> Awaited<Alarm.ID> {
        if name == "Nothing" { throw ConsoleError(.noExist, "No book, item, playlist or station is called so") }
        try act("alarm \(alarm.timeWords) \(alarm.days.words) \(name ?? "")", .options)
        var new = alarm
        new.id = Alarm.ID(alarms.count + 1)
        alarms.append(AlarmDescription(new, plays: name ?? "what was heard last", nextSeconds: 1_700_000_000))
        return Awaited(.success(new.id))
    }

    func removeAlarm(_ id: Alarm.ID) -> Bool {
        let before = alarms.count
        alarms.removeAll { $0.alarm.id == id }
        return alarms.count < before
    }

    func setAlarm(_ id: Alarm.ID, isOn: Bool) -> Bool {
        guard let index = alarms.firstIndex(where: { $0.alarm.id == id }) else { return false }
        alarms[index].alarm.isOn = isOn
        return true
    }
}
