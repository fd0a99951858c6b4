import Core
import Model
import SQLite

/// How a person wants to hear what is played, in the table `speed` as the speed is: `SoundChanges`, and for how long.
extension Library {
    // No audio has these numbers.
    private static let silencesContent: Int64 = -1
    private static let levelContent: Int64 = -2
    private static let sleepContent: Int64 = -3
    private static let bootContent: Int64 = -4
    private static let changedContent: Int64 = -5
    private static let weekContent: Int64 = -6
    private static let ringingContent: Int64 = -7
    private static let clockContent: Int64 = -8
    private static let voiceContent: Int64 = -9
    private static let loudestContent: Int64 = -10
    private static let languageContent: Int64 = -11
    private static let headingsContent: Int64 = -12
    private static let spokenContent: Int64 = -13

    /// As they were when the speaker last ran.
    public func restoredSound() -> SoundChanges {
        read(else: SoundChanges()) { (database) throws(SQLiteError) in
            var sound = SoundChanges()
            let rows = try database.prepare(
                "SELECT content, factor FROM speed WHERE content BETWEEN ? AND ?", .integer(Library.levelContent),
                .integer(Library.silencesContent))
            while try rows.step() {
                let text = rows.text(1)
                if rows.integer(0) == Library.silencesContent {
                    sound.shortensSilences = text == "shorter"
                } else {
                    sound.level = SoundChanges.Level(rawValue: text) ?? .off
                }
            }
            return sound
        }
    }

    /// Saves them. What could not be saved is, with the next that can be.
    public func save(_ sound: SoundChanges) {
        memory.sound.value = sound
        saveUnsavedSound()
    }

    func saveUnsavedSound() {
        guard let sound = memory.sound.unsaved else { return }
        memory.sound.isUnsaved = !write(else: false) { (database) throws(SQLiteError) in
            try Library.set(sound.shortensSilences ? "shorter" : nil, Library.silencesContent, database)
            try Library.set(sound.level == .off ? nil : sound.level.rawValue, Library.levelContent, database)
            return true
        }
    }

    /// How long it was to play when the speaker last ran; nil for for ever.
    public func restoredSleep() -> Sleep? { text(Library.sleepContent).flatMap { Sleep(word: $0) } }

    /// Saves it, if it is another than the last time. What cannot be saved is, with the next place that can be.
    public func save(_ sleep: Sleep) {
        if memory.sleep == sleep { return }
        let isSaved = write(else: false) { (database) throws(SQLiteError) in
            try Library.set(sleep == .off ? nil : sleep.word, Library.sleepContent, database)
            return true
        }
        memory.sleep = isSaved ? sleep : nil
    }

    /// Which start of the board the speaker last ran on, as `save(boot:)` was told; nil where nobody said.
    public func restoredBoot() -> String? { text(Library.bootContent) }

    public func save(boot: String) {
        if boot == restoredBoot() { return }
        write(else: ()) { (database) throws(SQLiteError) in
            try Library.set(boot, Library.bootContent, database)
        }
    }

    /// When what there is to play last changed, as `save(changedSeconds:)` was told; nil where nobody said.
    public var restoredChangedSeconds: Int64? { text(Library.changedContent).flatMap { Int64($0) } }

    public func save(changedSeconds: Int64) {
        write(else: ()) { (database) throws(SQLiteError) in
            try Library.set("\(changedSeconds)", Library.changedContent, database)
        }
    }

    /// How long was listened of late, as it was saved last; nil where it never was.
    public func restoredWeek() -> HeardWeek? { text(Library.weekContent).flatMap { HeardWeek(text: $0) } }

    /// What cannot be saved is part of the next that can be.
    public func save(_ week: HeardWeek) {
        write(else: ()) { (database) throws(SQLiteError) in
            try Library.set(week.text, Library.weekContent, database)
        }
    }

    /// Which alarm rang when the speaker last ran, as it was saved; nil for none.
    public func restoredRinging() -> RingingAlarm? { text(Library.ringingContent).flatMap { RingingAlarm(text: $0) } }

    /// - Parameter ringing: nil once it is ended.
    public func save(_ ringing: RingingAlarm?) {
        write(else: ()) { (database) throws(SQLiteError) in
            try Library.set(ringing?.text, Library.ringingContent, database)
        }
    }

    /// In which start of the board somebody has set its clock, as `save(clockSetIn:)` was told; nil where nobody has.
    public func restoredClockBoot() -> String? { text(Library.clockContent) }

    public func save(clockSetIn boot: String) {
        write(else: ()) { (database) throws(SQLiteError) in
            try Library.set(boot, Library.clockContent, database)
        }
    }

    /// When the voice answers, as somebody has chosen it; nil where nobody has.
    public var restoredVoiceManner: VoiceManner? { text(Library.voiceContent).flatMap { VoiceManner(rawValue: $0) } }

    public func save(_ manner: VoiceManner) {
        write(else: ()) { (database) throws(SQLiteError) in
            try Library.set(manner.rawValue, Library.voiceContent, database)
        }
    }

    /// Whether the voice speaks at all, as a hand has chosen it; nil where none has.
    public var restoredVoiceIsOn: Bool? { text(Library.spokenContent).map { $0 == "on" } }

    public func save(voiceIsOn: Bool) {
        write(else: ()) { (database) throws(SQLiteError) in
            try Library.set(voiceIsOn ? "on" : "off", Library.spokenContent, database)
        }
    }

    /// People's language, as somebody has chosen it; nil where nobody has.
    public var restoredLanguage: String? { text(Library.languageContent) }

    public func save(language: String) {
        write(else: ()) { (database) throws(SQLiteError) in
            try Library.set(language, Library.languageContent, database)
        }
    }

    /// The level of the headings that a talking book is gone through by, as somebody has chosen it; nil where nobody has.
    public var restoredHeadingLevel: Int? { text(Library.headingsContent).flatMap { Int($0) } }

    public func save(headingLevel: Int) {
        write(else: ()) { (database) throws(SQLiteError) in
            try Library.set(
                headingLevel < SpeakerSetting.lowestHeading ? "\(headingLevel)" : nil, Library.headingsContent, database
            )
        }
    }

    /// How loud it may be made, in percent, as somebody has chosen it; nil where nobody has.
    public var restoredLoudest: Int? { text(Library.loudestContent).flatMap { Int($0) } }

    public func save(loudestPercent: Int) {
        write(else: ()) { (database) throws(SQLiteError) in
            try Library.set(loudestPercent < 100 ? "\(loudestPercent)" : nil, Library.loudestContent, database)
        }
    }

    private func text(_ content: Int64) -> String? {
        read(else: nil) { (database) throws(SQLiteError) in
            let row = try database.cached("SELECT factor FROM speed WHERE content = ?", .integer(content))
            defer { row.reset() }
            return try row.step() ? row.text(0) : nil
        }
    }

    private static func set(_ text: String?, _ content: Int64, _ database: Database) throws(SQLiteError) {
        guard let text else {
            return try database.cached("DELETE FROM speed WHERE content = ?", .integer(content)).run()
        }
        try database.cached(
            """
            INSERT INTO speed(content, factor) VALUES(?, ?) ON CONFLICT(content) DO UPDATE SET factor = excluded.factor
            """, .integer(content), .text(text)
        ).run()
    }
}
