@testable import Console

extension FakeSpeaker {
    private var book: BookDescription {
        var book = BookDescription(uri: "stories", title: "Stories")
        book.author = "Jane Doe"
        book.fileCount = 2
        book.durationMilliseconds = 200_000
        book.heardMilliseconds = 120_000
        book.left = BookDescription.Place(uri: "stories/lamp.mp3", index: 1, milliseconds: 20_000)
        return book
    }

    func book(of uri: String?) throws(ConsoleError) -> BookDescription? { uri == "loose.mp3" ? nil : book }

    func chapters(of uri: String?) throws(ConsoleError) -> [ChapterDescription] {
        uri == nil ? [ChapterDescription(startMilliseconds: 1500, title: "One")] : []
    }

    func books(_ kind: BookDescription.Kind) -> Pages<BookDescription> {
        pages(
            of: (0..<20).map { number in
                var book = self.book
                book.title = "\(kind) \(number)"
                return book
            })
    }

    /// Has to be asked twice.
    func playBook(_ name: String) throws(ConsoleError) -> Bool {
        booksAsked += 1
        if booksAsked % 2 == 1 { return false }
        if name != "stories" { throw ConsoleError(.noExist, "No book is called so") }
        try act("book \(name)", .player)
        return true
    }

    func setFinished(_ isFinished: Bool, of uri: String?) throws(ConsoleError) {
        try act("finished \(isFinished) \(uri ?? "current")", [])
    }
}
