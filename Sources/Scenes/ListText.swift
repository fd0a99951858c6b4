// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Text

/// Rows as the console's commands give them: `favourite list`, `books`, `book` (its chapters), `listplaylists`, `subscriptions`, `search`,
/// `say`, `alarm list`. The first name of each row tells its kind. Unknown names are ignored.
extension ListRow {
    /// - Parameter files: the kind of a row that begins with its file, as in `favourite list`; nil if that file is a book's saved position.
    public static func rows(lines text: String, files: Kind? = nil) -> [ListRow] {
        var rows: [ListRow] = []
        for line in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: true) {
            guard let (name, value) = SpeakerStatus.parts(line) else { continue }
            if let kind = kind(name, files) {
                var row = ListRow(kind, name: value, title: "")
                // The file name serves as a title until a title follows.
                if kind != .book && kind != .podcast { row.title = kind == files ? fileTitle(value) : value }
                rows.append(row)
            } else if !rows.isEmpty {
                rows[rows.count - 1].take(name, value)
            }
        }
        // A chapter lasts until the next begins.
        for index in rows.indices.dropLast() where rows[index].kind == .chapter {
            if let start = rows[index].startMilliseconds, let next = rows[index + 1].startMilliseconds {
                rows[index].durationMilliseconds = max(0, next - start)
            }
        }
        return rows
    }

    private static func kind(_ name: String, _ files: Kind?) -> Kind? {
        switch name {
        case "book": .book
        case "chapter": .chapter
        case "playlist": .playlist
        case "subscription": .podcast
        case "file": files
        case "hit": .sentence
        case "alarm": .alarm
        default: nil
        }
    }

    /// "The Open Road" of "willows/The Open Road.mp3".
    static func fileTitle(_ path: String) -> String {
        let bytes = Array(path.utf8)
        let start = bytes.lastIndex(of: 0x2F).map { $0 + 1 } ?? 0
        let end = bytes.lastIndex(of: 0x2E) ?? bytes.count
        return String(decoding: end > start ? bytes[start..<end] : bytes[start...], as: UTF8.self)
    }

    /// Returns the words for an alarm's sound: its name, or translated words if it has none.
    private static func localWords(ofSound words: String) -> String {
        switch words {
        case "what was heard last": translated("what was heard last")
        case "a tone": translated("a tone")
        default: words
        }
    }

    private mutating func take(_ field: String, _ value: String) {
        switch field {
        case "Title" where kind == .sentence: detail = value
        case "text" where kind == .sentence: title = value
        case "time" where kind == .alarm: title = Alarm.minute(value).map { clockWords(minute: $0) } ?? value
        case "days" where kind == .alarm: detail = AlarmDays(words: value)?.titleWords ?? value
        case "plays" where kind == .alarm:
            if !value.isEmpty { detail += (detail.isEmpty ? "" : " · ") + ListRow.localWords(ofSound: value) }
        case "enabled": isOn = value == "1"
        case "Title": title = value
        case "file", "directory": file = value
        case "Author", "Artist": detail = value
        case "duration": durationMilliseconds = Seconds.milliseconds(value)
        case "heard", "position": heardMilliseconds = heardMilliseconds ?? Seconds.milliseconds(value)
        case "finished": isFinished = value == "1"
        case "start":
            startMilliseconds = Seconds.milliseconds(value)
            // Two chapters may have one name.
            if let startMilliseconds, kind == .chapter { name = "\(startMilliseconds)" }
        case "unheard", "songs", "files": count = Int(value)
        case "artwork": artworkPath = value
        default: break
        }
    }
}
