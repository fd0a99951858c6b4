import Console
import Posix
import Scenes
import Text

/// What a screen shows, asked of a running speaker through its console.
enum ScreenSource {
    /// Larger pictures than this are not fetched.
    private static let mostPictureBytes = 32 * 1024 * 1024

    /// Of a file: what is within it, else what lies beside it; empty where it cannot be had.
    static func picture(of file: String, from speaker: SpeakerConnection) -> [UInt8] {
        for command in ["readpicture", "albumart"] {
            var bytes: [UInt8] = []
            var size: Int?
            while size == nil || bytes.count < size! {
                guard
                    let piece = try? speaker.ask(command + " " + Request.quoted(file) + " \(bytes.count)"),
                    !piece.binary.isEmpty
                else { break }
                size = piece.value("size").flatMap { Int($0) }
                bytes += piece.binary
                if size ?? .max > mostPictureBytes { return [] }
            }
            if let size, bytes.count == size, size > 0 { return bytes }
        }
        return []
    }

    /// What finds these words in titles and names, and in what is spoken; nil where there is no word in them.
    static func commands(for text: String) -> (titles: String, spoken: String)? {
        var words: [[UInt8]] = [[]]
        for byte in text.utf8 {
            let isWord = byte >= 0x80 || byte.isLetter || byte.isDigit || byte == UInt8(ascii: "'")
            if isWord { words[words.count - 1].append(byte) } else { words.append([]) }
        }
        words.removeAll { $0.isEmpty || $0.allSatisfy { $0 == UInt8(ascii: "'") } }
        if words.isEmpty { return nil }
        var (titles, spoken) = ("search", "say")
        for (index, word) in words.enumerated() {
            let text = String(decoding: word, as: UTF8.self)
            titles += " any " + Request.quoted(text)
            // The last one may be the beginning of a longer.
            spoken += " " + Request.quoted(index == words.count - 1 ? text + "*" : text)
        }
        return (titles + " window 0:\(mostFound)", spoken + " 0:\(mostFound)")
    }

    /// Of each kind: who finds more is to say more.
    private static let mostFound = 40
}

extension ScreenSpeaker {
    /// Asks for rows of a list; none where the speaker is not there, or refuses.
    func askRows(_ command: String, files: ListRow.Kind? = nil, then: @escaping ([ListRow]) -> Void) {
        ask(command) { answer in
            then(answer.map { ListRow.rows(lines: $0.lines, files: files) } ?? [])
        }
    }
}
