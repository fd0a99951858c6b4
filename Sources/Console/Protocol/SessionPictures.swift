/// Pictures, in pieces of raw bytes.
extension Session {
    func picture(_ arguments: [String], _ place: PicturePlace) throws(ConsoleError) -> Portions {
        if manner == .spoken {
            throw ConsoleError(.argument, "A picture cannot be shown here; ask for it over the socket")
        }
        let offset = try Argument.unsigned(arguments[1])
        let picture = try speaker.picture(of: arguments[0], place)
        return PicturePortions(picture, place, from: offset, limit: binaryLimit)
    }
}

/// A piece of a picture.
final class PicturePortions: Portions {
    /// However much a client says that it takes: a client that does not read costs no more.
    private static let mostBytes = 64 * 1024

    private let picture: Awaited<PictureDescription?>
    private let place: PicturePlace
    private let offset: Int
    private let limit: Int

    init(_ picture: Awaited<PictureDescription?>, _ place: PicturePlace, from offset: Int, limit: Int) {
        self.picture = picture
        self.place = place
        self.offset = offset
        self.limit = min(limit, PicturePortions.mostBytes)
    }

    var isWaiting: Bool { picture.outcome == nil }

    func give(_ budget: inout WorkBudget, _ response: inout ResponseBuffer) throws(ConsoleError) -> Bool {
        switch picture.outcome {
        case nil: return false
        case .failure(let error): throw error
        case .success(nil):
            // MPD answers with nothing for a song without a picture, and with a refusal for a folder without one.
            if case .folder = place { throw ConsoleError(.noExist, "No file exists") }
        case .success(let picture?):
            if offset > picture.bytes.count {
                if case .folder = place { throw ConsoleError(.argument, "Offset too large") }
                throw ConsoleError(.argument, "Bad file offset")
            }
            budget.take(WorkBudget.pageCost)
            let piece = picture.bytes[offset..<min(picture.bytes.count, offset + limit)]
            response.field("size", picture.bytes.count)
            if case .tags = place, !picture.mime.isEmpty { response.field("type", picture.mime) }
            response.field("binary", piece.count)
            response.bytes(piece)
            response.byte(.newline)
        }
        return true
    }
}
