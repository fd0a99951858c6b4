import Console
import Library
import Media
import Speaker

extension ConsoleAdapter {
    public func book(of uri: String?) throws(ConsoleError) -> BookDescription? {
        library.book(of: try item(uri).id).map { describe($0) }
    }

    public func chapters(of uri: String?) throws(ConsoleError) -> [ChapterDescription] {
        let item = try item(uri)
        // A chapter that is a song of its own has none.
        let isChapter = uri.map { library.item(path: names.path(of: $0)) == nil } ?? (speaker.currentBounds != nil)
        if isChapter { return [] }
        return library.chapters(of: item.id).map {
            ChapterDescription(startMilliseconds: $0.startMilliseconds, title: $0.title)
        }
    }

    public func books(_ kind: BookDescription.Kind) -> Pages<BookDescription> {
        let order: Book.Order =
            switch kind {
            case .newest, .unfinished, .finished: .newest
            case .title: .title
            case .author: .author
            case .series: .series
            }
        var offset = 0
        return { [self] limit in
            // What has changed since somebody asked is looked at first.
            if offset == 0 && library.updateBooks() { return [] }
            let books = library.books(by: order, offset: offset, limit: limit)
            if books.isEmpty { return nil }
            offset += books.count
            let wanted = books.filter { book in
                switch kind {
                case .unfinished: book.left != nil && !book.isFinished
                case .finished: book.isFinished
                default: true
                }
            }
            return wanted.map { describe($0) }
        }
    }

    public func playBook(_ name: String) throws(ConsoleError) -> Bool {
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

    public func setFinished(_ isFinished: Bool, of uri: String?) throws(ConsoleError) {
        if !library.setFinished(try item(uri).id, isFinished) {
            throw ConsoleError(.system, "It could not be saved")
        }
        speaker.didWrite()
    }
}

extension ConsoleAdapter {
    fileprivate func describe(_ book: Book) -> BookDescription {
        var description = BookDescription(uri: names.uri(of: book.path), title: book.title)
        description.author = book.author
        description.narrator = book.narrator
        description.series = book.series
        description.seriesPart = book.seriesPart
        description.year = book.year
        description.genre = book.genre
        description.language = book.language
        description.fileCount = book.itemCount
        description.durationMilliseconds = book.durationMilliseconds
        description.heardMilliseconds = book.heardMilliseconds
        description.isFinished = book.isFinished
        if let left = book.left, let item = library.item(left.item) {
            description.left = BookDescription.Place(
                uri: names.uri(of: item.path), index: left.index, milliseconds: left.milliseconds)
        }
        return description
    }
}
