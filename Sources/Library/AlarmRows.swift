// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import SQLite

/// The rows of `alarm`.
extension Library {
    private enum Column: Int32 {
        case id, minute, days, playlist, item, isBook, rise, loudness, isOn, since, rang
    }

    /// Returns the last saved alarms, ordered by their numbers.
    public func restoredAlarms() -> [Alarm] {
        read(else: []) { (database) throws(SQLiteError) in
            try database.prepare(
                """
                SELECT id, minute, days, playlist, item, isBook, rise, loudness, isOn, since, rang FROM alarm
                WHERE id > 0 ORDER BY id LIMIT \(Alarm.most)
                """
            ).all { Library.alarm($0) }
        }
    }

    /// Numbers are bounded, since a damaged page may hold any.
    private static func alarm(_ row: Statement) -> Alarm {
        func number(_ column: Column, in range: ClosedRange<Int>) -> Int {
            min(range.upperBound, max(range.lowerBound, held(row.integer(column))))
        }
        let playlist = row.text(Column.playlist.rawValue)
        let sound: Alarm.Sound
        if !playlist.isEmpty {
            sound = .playlist(playlist)
        } else if let item = row.optionalInteger(Column.item) {
            sound = row.integer(Column.isBook) == 1 ? .book(of: item) : .item(item)
        } else {
            sound = .lastHeard
        }
        var alarm = Alarm(
            id: row.integer(Column.id), minute: number(.minute, in: 0...1439),
            days: AlarmDays(bits: number(.days, in: 0...127)), sound: sound,
            riseMinutes: number(.rise, in: Alarm.rises), loudnessPercent: number(.loudness, in: Alarm.loudnesses))
        alarm.isOn = row.integer(Column.isOn) == 1
        alarm.sinceSeconds = row.optionalInteger(Column.since).map { seconds($0) }
        alarm.rangMinute = row.optionalInteger(Column.rang)
        return alarm
    }

    /// Saves the alarms in the place of the old ones. If the write fails, the next successful write saves them.
    public func save(_ alarms: [Alarm]) {
        memory.alarms.value = alarms
        saveUnsavedAlarms()
    }

    func saveUnsavedAlarms() {
        guard let alarms = memory.alarms.unsaved else { return }
        batch {
            memory.alarms.isUnsaved = !write(else: false) { (database) throws(SQLiteError) in
                try database.execute("DELETE FROM alarm")
                for alarm in alarms { try Library.insert(alarm, database) }
                return true
            }
        }
    }

    private static func insert(_ alarm: Alarm, _ database: Database) throws(SQLiteError) {
        var (playlist, item, isBook) = ("", Int64?.none, false)
        switch alarm.sound {
        case .lastHeard: break
        case .item(let id): item = id
        case .book(let id): (item, isBook) = (id, true)
        case .playlist(let name): playlist = name
        }
        try database.cached(
            """
            INSERT INTO alarm(id, minute, days, playlist, item, isBook, rise, loudness, isOn, since, rang)
            VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, .integer(alarm.id), .integer(alarm.minute), .integer(alarm.days.bits), .text(playlist),
            .optional(item), .integer(isBook ? 1 : 0), .integer(alarm.riseMinutes), .integer(alarm.loudnessPercent),
            .integer(alarm.isOn ? 1 : 0), .optional(alarm.sinceSeconds), .optional(alarm.rangMinute)
        ).run()
    }
}

/// A ringing or snoozing alarm, for continuing after a power cut.
public struct RingingAlarm: Equatable, Sendable {
    public var alarm: Alarm.ID
    /// The time at which it began to ring, or is to ring again, in seconds since 1970.
    public var atSeconds: Int64

    public init(alarm: Alarm.ID, atSeconds: Int64) {
        self.alarm = alarm
        self.atSeconds = atSeconds
    }

    /// The form of the alarm in the database: "3 1700000000".
    var text: String { "\(alarm) \(max(0, atSeconds))" }

    /// nil for any other text.
    init?(text: String) {
        let parts = text.utf8.split(separator: 0x20)
        guard parts.count == 2, let alarm = Int64(digits: parts[0], most: 10),
            let seconds = Int64(digits: parts[1], most: 12)
        else { return nil }
        (self.alarm, atSeconds) = (alarm, seconds)
    }
}
