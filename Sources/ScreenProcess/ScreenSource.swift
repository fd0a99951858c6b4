// SPDX-License-Identifier: Apache-2.0
import Core
import Posix
import Scenes
import Text
import Wire

/// The content of a screen, asked of a running speaker through its console.
enum ScreenSource {
    /// Larger pictures than this are not fetched.
    private static let mostPictureBytes = 32 * 1024 * 1024

    /// Of a file: the picture within it, else the one beside it; empty where it cannot be had.
    static func picture(of file: String, from speaker: SpeakerConnection) -> [UInt8] {
        for command in ["readpicture", "albumart"] {
            var bytes: [UInt8] = []
            var size: Int?
            while size == nil || bytes.count < size! {
                guard
                    let piece = try? speaker.ask(command + " " + file.quotedArgument + " \(bytes.count)"),
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
}

extension ScreenSpeaker {
    /// Asks for rows of a list; none where the speaker is not there, or refuses.
    func askRows(_ command: String, files: ListRow.Kind? = nil, then: @escaping ([ListRow]) -> Void) {
        ask(command) { answer in
            then(answer.map { ListRow.rows(lines: $0.lines, files: files) } ?? [])
        }
    }
}
