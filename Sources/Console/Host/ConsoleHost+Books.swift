// SPDX-License-Identifier: Apache-2.0
import Library
import Media
import Model
import Speaker
import Wire

extension ConsoleHost {
    /// Returns the book of the song at a path (nil is the current song); nil for a song without a book.
    func book(of uri: String?) throws(ConsoleError) -> Book? { library.book(of: try item(uri).id) }

    /// Returns the chapters of the song, in order; none if it has none. A title may be empty.
    func chapters(of uri: String?) throws(ConsoleError) -> [(startMilliseconds: Int, title: String, level: Int)] {
        let item = try item(uri)
        // A chapter that is a song of its own has none.
        let isChapter = uri.map { library.item(path: names.path(of: $0)) == nil } ?? (speaker.currentBounds != nil)
        if isChapter { return [] }
        return library.chapters(of: item.id).map { ($0.startMilliseconds, $0.title, $0.level) }
    }

    /// Returns the page of the printed book at the current place, or at that of a song; nil if the book has no pages.
    func page(of uri: String?) throws(ConsoleError) -> String? {
        let item = try item(uri)
        let isCurrent = item.id == speaker.currentItem?.id && speaker.player.track != nil
        return library.page(
            of: item.id, at: isCurrent ? speaker.player.positionMilliseconds : item.positionMilliseconds)
    }

    /// The number of files of a book to search in one turn.
    private static let filesInTurn = 50

    /// Plays from a page of the current book, after searching some of its files.
    /// - Parameter files: the number of files searched so far; 0 at first.
    /// - Returns: false if there is more to search: call it again.
    func playPage(_ name: String, from files: inout Int) throws(ConsoleError) -> Bool {
        let item = try item(nil)
        let book = library.book(of: item.id)
        let items =
            book.map { library.items(of: $0.id, offset: files, limit: ConsoleHost.filesInTurn) }
            ?? (files == 0 ? [item.id] : [])
        if items.isEmpty { throw ConsoleError(.noExist, "The book has no page \(name)") }
        files += items.count
        guard let place = library.page(name, among: items) else { return false }
        try play(song: place.item, fromMilliseconds: place.milliseconds)
        return true
    }

    func books(by order: Book.Order) -> Pages<Book> {
        var offset = 0
        return { [library] limit in
            // Update the books that changed since the last answer first.
            if offset == 0 && library.updateBooks() { return [] }
            let books = library.books(by: order, offset: offset, limit: limit)
            offset += books.count
            return books.isEmpty ? nil : books
        }
    }

    /// Resumes a book: that of a file, of a folder, of a title, or of the only title with this beginning, ignoring accents and case. Throws
    /// `.noExist`, with up to five likely titles.
    /// - Returns: false if there is more to do: call it again.
    func playBook(_ name: String) throws(ConsoleError) -> Bool {
        if library.updateBooks() { return false }
        let found = library.books(named: name, path: names.path(of: name))
        guard found.isSure, let book = found.books.first else {
            let titles = found.books.prefix(5).map { $0.title }.joined(separator: ", ")
            throw ConsoleError(
                .noExist,
                titles.isEmpty ? "No book is called so" : "Which book? " + titles + (found.books.count > 5 ? ", …" : "")
            )
        }
        try checkOutput()
        if !speaker.goOn(with: book.id, asked: turnBegan()) {
            throw ConsoleError(.playlistMax, "Playlist is too large")
        }
        return true
    }

    /// Marks the song's book, or a song without a book, as finished or not.
    func setFinished(_ isFinished: Bool, of uri: String?) throws(ConsoleError) {
        if !library.setFinished(try item(uri).id, isFinished) {
            throw ConsoleError(.system, "It could not be saved")
        }
        speaker.places.didWrite()
    }
}
