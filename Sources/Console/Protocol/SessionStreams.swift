// SPDX-License-Identifier: Apache-2.0
import Model
import Posix
import Wire

/// Network addresses as songs.
extension Session {
    /// Returns the address if it begins with `http://` or `https://`; nil for anything else.
    static func streamAddress(_ argument: String) -> String? {
        let lower = argument.utf8.prefix(8).map { $0.lowerCase }
        return lower.starts(with: "http://".utf8) || lower.elementsEqual("https://".utf8) ? argument : nil
    }

    func writeURLHandlers(_ response: inout ResponseBuffer) {
        response.field("handler", "file://")
        if host.status.takesStreams {
            response.field("handler", "http://")
            response.field("handler", "https://")
        }
    }
}
