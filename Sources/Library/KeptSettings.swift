// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import SQLite

/// The rows of `setting`: a listener's choices on the speaker itself, and its own notes between two starts. A setting that is as shipped
/// has no row.
extension Library {
    /// The `name` of each row. A name that has shipped never changes.
    enum KeptSetting: String {
        /// The name of the speaker's speed, as `Speed.text` is.
        case speed
        /// "shorter" if silences are shortened.
        case silences
        /// The raw value of a `SoundChanges.Level`.
        case level
        /// The word of a `Sleep`.
        case sleep
        /// The bookmark of the sleep timer: the text of a `SleepMark`.
        case sleepMark
        /// The boot in which the speaker ran last.
        case boot
        /// The time at which the playable recordings changed last, in seconds since 1970.
        case changed
        /// The text of a `HeardWeek`.
        case week
        /// The text of a `RingingAlarm`.
        case ringing
        /// The boot in which a listener set the clock.
        case clock
        /// The raw value of a `VoiceManner`.
        case manner
        /// "on" or "off": the voice's switch.
        case voice
        /// The highest volume in percent.
        case loudest
        /// The volume of headphones without a wire, in percent.
        case headphones
        case language
        /// The level of headings, from 1.
        case headings
        /// "book" if a book starts again at its end.
        case repeats = "repeat"
        /// The skipped parts of talking books: the number of a `SkippableParts`.
        case skipped
    }

    /// Returns the speed that the speaker had when it last ran.
    public func restoredSpeed() -> Speed { text(.speed).flatMap { Speed(text: $0) } ?? .own }

    /// Saves the speaker's speed. If the write fails, the next successful write saves it.
    public func save(_ speed: Speed) {
        memory.speed.value = speed
        saveUnsavedSpeed()
    }

    func saveUnsavedSpeed() {
        guard let speed = memory.speed.unsaved else { return }
        memory.speed.isUnsaved = !set(.speed, speed.text)
    }

    /// Returns the sound changes that were in force when the speaker last ran.
    public func restoredSound() -> SoundChanges {
        var sound = SoundChanges()
        sound.shortensSilences = text(.silences) == "shorter"
        sound.level = text(.level).flatMap { SoundChanges.Level(rawValue: $0) } ?? .off
        return sound
    }

    /// Saves the sound changes. If the write fails, the next successful write saves them.
    public func save(_ sound: SoundChanges) {
        memory.sound.value = sound
        saveUnsavedSound()
    }

    func saveUnsavedSound() {
        guard let sound = memory.sound.unsaved else { return }
        memory.sound.isUnsaved = !write(else: false) { (database) throws(SQLiteError) in
            try KeptSetting.silences.put(sound.shortensSilences ? "shorter" : nil, database)
            try KeptSetting.level.put(sound.level == .off ? nil : sound.level.rawValue, database)
            return true
        }
    }

    /// Returns the sleep timer that ran when the speaker last ran, or nil if there was none.
    public func restoredSleep() -> Sleep? { text(.sleep).flatMap { Sleep(word: $0) } }

    /// Saves the sleep timer if it changed. If the write fails, the next saved position saves it.
    public func save(_ sleep: Sleep) {
        if memory.sleep == sleep { return }
        memory.sleep = set(.sleep, sleep == .off ? nil : sleep.word) ? sleep : nil
    }

    /// Returns the sleep timer's bookmark, or nil if there is none.
    public func restoredSleepMark() -> SleepMark? { text(.sleepMark).flatMap { SleepMark(text: $0) } }

    public func save(_ mark: SleepMark?) { set(.sleepMark, mark?.text) }

    /// True if a book starts again at its end, by a listener's choice.
    public var restoredRepeatsBook: Bool { text(.repeats) != nil }

    public func save(repeatsBook: Bool) { set(.repeats, repeatsBook ? "book" : nil) }

    /// Returns the boot in which the speaker last ran, or nil if it is unknown.
    public func restoredBoot() -> String? { text(.boot) }

    public func save(boot: String) {
        if boot != restoredBoot() { set(.boot, boot) }
    }

    /// The time at which the playable recordings changed last, in seconds since 1970; nil if it is unknown.
    public var restoredChangedSeconds: Int64? { text(.changed).flatMap { Int64($0) } }

    public func save(changedSeconds: Int64) { set(.changed, "\(changedSeconds)") }

    /// Returns the listening time of the last week, or nil if none was saved.
    public func restoredWeek() -> HeardWeek? { text(.week).flatMap { HeardWeek(text: $0) } }

    /// Saves the listening time. If the write fails, the next save includes it.
    public func save(_ week: HeardWeek) { set(.week, week.text) }

    /// Returns the alarm that was ringing when the speaker last ran, or nil if none was.
    public func restoredRinging() -> RingingAlarm? { text(.ringing).flatMap { RingingAlarm(text: $0) } }

    /// - Parameter ringing: nil once the alarm has ended.
    public func save(_ ringing: RingingAlarm?) { set(.ringing, ringing?.text) }

    /// Returns the boot in which a listener set the clock, or nil if no listener did.
    public func restoredClockBoot() -> String? { text(.clock) }

    public func save(clockSetIn boot: String) { set(.clock, boot) }

    /// The voice's manner, by a listener's choice; nil without a choice.
    public var restoredVoiceManner: VoiceManner? { text(.manner).flatMap { VoiceManner(rawValue: $0) } }

    public func save(_ manner: VoiceManner) { set(.manner, manner.rawValue) }

    /// True if the voice speaks at all, by a listener's choice; nil without a choice.
    public var restoredVoiceIsOn: Bool? { text(.voice).map { $0 == "on" } }

    public func save(voiceIsOn: Bool) { set(.voice, voiceIsOn ? "on" : "off") }

    /// The language for people, by a listener's choice; nil without a choice.
    public var restoredLanguage: String? { text(.language) }

    public func save(language: String) { set(.language, language) }

    /// The level of headings that previous and next go by, by a listener's choice; nil without a choice.
    public var restoredHeadingLevel: Int? { text(.headings).flatMap { Int($0) } }

    public func save(headingLevel: Int) {
        set(.headings, headingLevel < SpeakerSetting.lowestHeading ? "\(headingLevel)" : nil)
    }

    /// The parts of talking books that a listener skips.
    public var restoredSkippedParts: SkippableParts {
        SkippableParts(rawValue: text(.skipped).flatMap { UInt8($0) } ?? 0)
    }

    public func save(skipped: SkippableParts) { set(.skipped, skipped.isEmpty ? nil : "\(skipped.rawValue)") }

    /// The highest volume in percent, by a listener's choice; nil without a choice.
    public var restoredLoudest: Int? { text(.loudest).flatMap { Int($0) } }

    public func save(loudestPercent: Int) { set(.loudest, loudestPercent < 100 ? "\(loudestPercent)" : nil) }

    /// The volume of headphones without a wire, in percent; nil before the first.
    public var restoredHeadphonePercent: Int? { text(.headphones).flatMap { Int($0) } }

    public func save(headphonePercent: Int) { set(.headphones, "\(headphonePercent)") }

    private func text(_ setting: KeptSetting) -> String? {
        read(else: nil) { (database) throws(SQLiteError) in
            try database.cached("SELECT value FROM setting WHERE name = ?", .text(setting.rawValue)).first {
                $0.text(0)
            }
        }
    }

    /// - Parameter text: nil for the value as shipped.
    /// - Returns: false if the database refused it.
    @discardableResult
    private func set(_ setting: KeptSetting, _ text: String?) -> Bool {
        write(else: false) { (database) throws(SQLiteError) in
            try setting.put(text, database)
            return true
        }
    }
}

extension Library.KeptSetting {
    fileprivate func put(_ text: String?, _ database: Database) throws(SQLiteError) {
        guard let text else {
            return try database.cached("DELETE FROM setting WHERE name = ?", .text(rawValue)).run()
        }
        try database.cached(
            """
            INSERT INTO setting(name, value) VALUES(?, ?) ON CONFLICT(name) DO UPDATE SET value = excluded.value
            """, .text(rawValue), .text(text)
        ).run()
    }
}
