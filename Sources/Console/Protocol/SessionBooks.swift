// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Text
import Wire

/// Books.
extension Session {
    func book(_ arguments: [String], _ response: inout ResponseBuffer) throws(ConsoleError) -> Portions? {
        if arguments.count > 1 {
            if arguments[0] != "play" && arguments[0] != "page" {
                throw Argument.wrong(arguments[0], "Expected play NAME, page NUMBER, or one file")
            }
            try access.check(.player, for: name + " " + arguments[0])
            let (host, wanted) = (host, arguments[1])
            if arguments[0] == "page" {
                try checkNamed(nil)
                var files = 0
                return .steps(onlyTells: false) { _ throws(ConsoleError) in
                    try host.playPage(wanted, from: &files)
                }
            }
            return .steps(onlyTells: false) { _ throws(ConsoleError) in try host.playBook(wanted) }
        }
        let uri = arguments.first
        try checkNamed(uri)
        let book = try host.book(of: uri)
        let chapters = try host.chapters(of: uri)
        if book == nil && chapters.isEmpty { throw ConsoleError(.noExist, "It is part of no book") }
        if let book { response.book(book, host.names) }
        if let page = try host.page(of: uri) { response.field("page", page) }
        return .pages(pages(of: chapters)) { chapter, response in
            response.field("chapter", chapter.title)
            response.field("start", milliseconds: chapter.startMilliseconds)
            if chapter.level > 0 { response.field("level", chapter.level) }
        }
    }

    func books(_ arguments: [String]) throws(ConsoleError) -> Portions {
        var order = Book.Order.newest
        var isWanted: (Book) -> Bool = { _ in true }
        var range = 0..<Argument.maximum
        for (index, argument) in arguments.enumerated() {
            switch argument {
            case "newest" where index == 0: order = .newest
            case "title" where index == 0: order = .title
            case "author" where index == 0: order = .author
            case "series" where index == 0: order = .series
            case "unfinished" where index == 0: isWanted = { $0.left != nil && !$0.isFinished }
            case "finished" where index == 0: isWanted = { $0.isFinished }
            default:
                if index + 1 < arguments.count || !(argument.utf8.first ?? 0).isDigit {
                    throw Argument.wrong(
                        argument, "[newest|title|author|series|unfinished|finished] [START:END] expected")
                }
                range = try Argument.range(argument)
            }
        }
        let (listing, names, wanted) = (host.books(by: order), host.names, isWanted)
        // Looks up the places of the books.
        let books: Pages<Book> = { limit in listing(limit)?.filter(wanted) }
        return .pages(books, window: range, most: 8) { $1.book($0, names) }
    }

    func finished(_ arguments: [String]) throws(ConsoleError) {
        guard arguments[0] == "on" || arguments[0] == "off" else {
            throw Argument.wrong(arguments[0], "on or off expected")
        }
        let uri = arguments.count > 1 ? arguments[1] : nil
        try checkNamed(uri)
        try host.setFinished(arguments[0] == "on", of: uri)
    }

    private func checkNamed(_ uri: String?) throws(ConsoleError) {
        if uri == nil && host.status.current == nil {
            throw ConsoleError(.playerSync, "Nothing is playing; name a file")
        }
    }
}

extension ResponseBuffer {
    fileprivate mutating func book(_ book: Book, _ names: SongNames) {
        field("book", path: names.uri(of: book.path))
        field("Title", book.title)
        for (name, text) in [
            ("Author", book.author), ("Narrator", book.narrator), ("Series", book.series),
            ("SeriesPart", book.seriesPart), ("Date", book.year), ("Genre", book.genre), ("Language", book.language),
        ] where !text.isEmpty {
            field(name, text)
        }
        field("files", book.itemCount)
        field("duration", milliseconds: Int(clamping: book.durationMilliseconds))
        field("heard", milliseconds: Int(clamping: book.heardMilliseconds))
        field("finished", book.isFinished ? 1 : 0)
        if let left = book.left {
            field("file", path: names.uri(of: left.path))
            field("position", milliseconds: left.milliseconds)
        }
    }
}
