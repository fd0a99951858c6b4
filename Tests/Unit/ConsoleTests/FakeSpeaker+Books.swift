// SPDX-License-Identifier: Apache-2.0
import Model

@testable import Console

extension FakeSpeaker {
    private var book: Book {
        var book = Book(id: 1, title: "Stories", path: "/srv/nightstand/stories")
        book.author = "Jane Doe"
        book.itemCount = 2
        book.durationMilliseconds = 200_000
        book.heardMilliseconds = 120_000
        book.left = Book.Place(item: 7, path: "stories/lamp.mp3", index: 1, milliseconds: 20_000)
        return book
    }

    func book(of uri: String?) throws(ConsoleError) -> Book? { uri == "loose.mp3" ? nil : book }

    func chapters(of uri: String?) throws(ConsoleError) -> [(startMilliseconds: Int, title: String, level: Int)] {
        uri == nil ? [(1500, "One", 1), (2500, "Within", 2)] : []
    }

    func page(of uri: String?) throws(ConsoleError) -> String? { uri == nil ? "57" : nil }

    /// Has to be asked twice.
    func playPage(_ name: String, from files: inout Int) throws(ConsoleError) -> Bool {
        files += 1
        if files < 2 { return false }
        if name != "57" { throw ConsoleError(.noExist, "The book has no page \(name)") }
        try act("page \(name)", .player)
        return true
    }

    func books(by order: Book.Order) -> Pages<Book> {
        pages(
            of: (0..<20).map { number in
                var book = self.book
                book.title = "\(order) \(number)"
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
