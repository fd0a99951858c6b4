// SPDX-License-Identifier: Apache-2.0
import Media
import Wire

/// Pictures, in pieces of raw bytes.
extension Session {
    /// The limit of a piece, independent of the client's own limit: a client that does not read costs no more.
    private static let mostPictureBytes = 64 * 1024

    func picture(_ arguments: [String], _ place: PicturePlace) throws(ConsoleError) -> Portions {
        if manner == .spoken {
            throw ConsoleError(.argument, "A picture cannot be shown here; ask for it over the socket")
        }
        let offset = try Argument.unsigned(arguments[1])
        let limit = min(binaryLimit, Session.mostPictureBytes)
        return .awaited(try host.picture(of: arguments[0], place)) {
            (picture, response) throws(ConsoleError) in
            guard let picture else {
                // MPD answers with nothing for a song without a picture, and with a refusal for a folder without one.
                if case .folder = place { throw ConsoleError(.noExist, "No file exists") }
                return nil
            }
            if offset > picture.bytes.count {
                if case .folder = place { throw ConsoleError(.argument, "Offset too large") }
                throw ConsoleError(.argument, "Bad file offset")
            }
            let piece = picture.bytes[offset..<min(picture.bytes.count, offset + limit)]
            response.field("size", picture.bytes.count)
            if case .tags = place, !picture.mime.isEmpty { response.field("type", picture.mime) }
            response.field("binary", piece.count)
            response.bytes(piece)
            response.byte(.newline)
            return nil
        }
    }
}
