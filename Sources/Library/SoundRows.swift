import Core
import SQLite

/// `SoundChanges` in the table `speed`: how a person wants to hear what is played, as the speed is.
extension Library {
    // No audio has these numbers.
    private static let silencesContent: Int64 = -1
    private static let levelContent: Int64 = -2

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
        memory.sound = sound
        memory.isSoundUnsaved = true
        saveUnsavedSound()
    }

    func saveUnsavedSound() {
        guard memory.isSoundUnsaved, let sound = memory.sound else { return }
        memory.isSoundUnsaved = !write(else: false) { (database) throws(SQLiteError) in
            try Library.set(sound.shortensSilences ? "shorter" : nil, Library.silencesContent, database)
            try Library.set(sound.level == .off ? nil : sound.level.rawValue, Library.levelContent, database)
            return true
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
