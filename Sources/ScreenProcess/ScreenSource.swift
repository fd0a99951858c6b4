// SPDX-License-Identifier: Apache-2.0
import Core
import Posix
import Scenes
import Text
import Wire

/// The content of a screen, requested from a running speaker over its console.
enum ScreenSource {
    /// The largest picture to fetch, in bytes.
    private static let mostPictureBytes = 32 * 1024 * 1024

    /// Returns a file's picture: the one within it, else the one beside it; empty if neither can be read.
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
    /// Requests rows of a list. The result is empty if the speaker is away or refuses.
    func askRows(_ command: String, files: ListRow.Kind? = nil, then: @escaping ([ListRow]) -> Void) {
        ask(command) { answer in
            then(answer.map { ListRow.rows(lines: $0.lines, files: files) } ?? [])
        }
    }
}
