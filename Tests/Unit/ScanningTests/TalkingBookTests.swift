// SPDX-License-Identifier: Apache-2.0
import Core
import Foundation
import Library
import Media
import Model
import Posix
import TestSupport
import Testing
import Transcript

@testable import Scanning

/// Talking books as libraries for the blind lend them: one book in reading order, with headings, pages and words.
@Suite struct TalkingBookTests {
    /// Some 13 s each.
    private static let frames = 500

    private func desk(
        _ files: [(name: String, text: String)], audio: [String] = ["zz_part.mp3", "aa_part.mp3", "mm_part.mp3"],
        folder: String = "book"
    ) throws -> ScanDesk {
        let desk = try ScanDesk()
        for (number, name) in audio.enumerated() {
            try desk.write("\(folder)/\(name)", ScanDesk.audio(number + 1, frames: TalkingBookTests.frames))
        }
        for file in files { try desk.write("\(folder)/\(file.name)", Array(file.text.utf8)) }
        try desk.scan()
        return desk
    }

    private struct Told: Equatable {
        var title = ""
        var author = ""
        var narrator = ""
        var language = ""
        var files: [String] = []
        var titles: [String] = []
        var chapters: [String] = []
        var pages: [String] = []
    }

    private func told(_ desk: ScanDesk) throws -> Told {
        while desk.library.updateBooks() {}
        let books = desk.library.books(by: .title, offset: 0, limit: 10)
        try #require(books.count == 1)
        var told = Told(
            title: books[0].title, author: books[0].author, narrator: books[0].narrator, language: books[0].language)
        for id in desk.library.items(of: books[0].id) {
            let item = try #require(desk.library.item(id))
            told.files.append(item.path.pathName)
            told.titles.append(item.title)
            for chapter in desk.library.chapters(of: id) {
                told.chapters.append("\(chapter.level) \(chapter.startMilliseconds) \(chapter.title)")
            }
            for page in desk.library.pages(of: id) { told.pages.append("\(page.startMilliseconds) \(page.title)") }
        }
        return told
    }

    private static let riverBank = Told(
        title: "River Bank", author: "Kenneth Grahame", narrator: "Ann Reader", language: "en",
        files: ["zz_part.mp3", "aa_part.mp3", "mm_part.mp3"], titles: ["Part One", "The Open Road", "Part Two"],
        chapters: ["1 0 Part One", "2 1000 The River Bank", "2 0 The Open Road", "1 0 Part Two"],
        pages: ["1000 7", "0 8"])

    private func texts(_ desk: ScanDesk, _ name: String) -> (texts: [String], starts: [Int], warnings: [String]) {
        let reading = TranscriptReading(audioPath: desk.path("book/" + name), durationMilliseconds: 13_000)
        while !reading.step() {}
        let transcript = reading.transcript
        return (
            transcript?.map { $0.text } ?? [], transcript?.map { $0.startMilliseconds } ?? [], reading.warnings
        )
    }

    @Test func aBookOfEitherKindIsOneBookInReadingOrder() throws {
        for files in [DaisyBook.riverBank.daisy2(), DaisyBook.riverBank.daisy3()] {
            let desk = try desk(files)
            #expect(try told(desk) == TalkingBookTests.riverBank)
            #expect(desk.warnings == [])
            let words = texts(desk, "zz_part.mp3")
            #expect(words.texts == ["Part One", "The River Bank", "The Mole had been working very hard."])
            #expect(words.starts == [0, 1000, 2500] && words.warnings == [])
            #expect(texts(desk, "aa_part.mp3").texts.last == "Ratty, said the Mole suddenly.")
        }
    }

    @Test func pagesAreFoundInTheBook() throws {
        let desk = try desk(DaisyBook.riverBank.daisy3())
        while desk.library.updateBooks() {}
        let book = try #require(desk.library.books(by: .title, offset: 0, limit: 1).first)
        let items = desk.library.items(of: book.id)
        let page = try #require(desk.library.page("8", among: items))
        #expect(page.item == items[1] && page.milliseconds == 0)
        #expect(desk.library.page("9", among: items) == nil)
        #expect(desk.library.page(of: items[0], at: 500) == nil)
        #expect(desk.library.page(of: items[0], at: 1500) == "7")
        // It goes on in the next file.
        #expect(desk.library.page(of: items[2], at: 100) == "8")
    }

    @Test func aBookWithoutTextHasStepsWithoutWords() throws {
        var book = DaisyBook.riverBank
        book.hasText = false
        for files in [book.daisy2(), book.daisy3()] {
            let desk = try desk(files)
            #expect(try told(desk) == TalkingBookTests.riverBank)
            let reading = TranscriptReading(audioPath: desk.path("book/zz_part.mp3"), durationMilliseconds: 13_000)
            while !reading.step() {}
            let transcript = try #require(reading.transcript)
            #expect(!transcript.hasWords && transcript.allSatisfy { $0.text.isEmpty })
            #expect(transcript.map { $0.startMilliseconds } == [0, 1000, 2500])
            #expect(transcript[2].endMilliseconds == 13_000)
        }
    }

    /// As each kind of book marks them; DAISY 3 by names of its own, which the NCX explains.
    @Test func skippablePartsAreAsTheBookMarksThem() throws {
        func book(_ marks: [String], head: String = "") -> DaisyBook {
            var book = DaisyBook([
                [
                    DaisyBook.Phrase("Part One", "zz_part.mp3", 0, 1, level: 1),
                    DaisyBook.Phrase("Page seven", "zz_part.mp3", 1, 2, page: "7", mark: marks[0]),
                    DaisyBook.Phrase("See below.", "zz_part.mp3", 2, 3),
                    DaisyBook.Phrase("A note,", "zz_part.mp3", 3, 4, mark: marks[1]),
                    DaisyBook.Phrase("and its end.", "zz_part.mp3", 4, 5, mark: marks[1]),
                    DaisyBook.Phrase("A picture.", "zz_part.mp3", 5, 6, mark: marks[2]),
                    DaisyBook.Phrase("A box.", "zz_part.mp3", 6, 7, mark: marks[3]),
                    DaisyBook.Phrase("It goes on.", "zz_part.mp3", 7, 8),
                ]
            ])
            book.head = head
            return book
        }
        let tests = ["pagenumber", "footnote", "prodnote", "sidebar"].map { "system-required=\"\($0)-on\"" }
        let types = ["pagebreak", "footnote x", "prodnote", "sidebar"].map { "epub:type=\"\($0)\"" }
        let custom = ["pagenum", "note", "prodnote", "sidebar"].map { "customTest=\"\($0)\"" }
        let named = ["seite", "fuss", "bild", "kasten"].map { "customTest=\"\($0)\"" }
        let head = zip(
            ["Seite", "fuss", "bild", "kasten"],
            ["PAGE_NUMBER", "NOTE", "OPTIONAL_PRODUCER_NOTE", "OPTIONAL_SIDEBAR"]
        ).map { "<smilCustomTest id=\"\($0)\" defaultState=\"true\" bookStruct=\"\($1)\"/>" }.joined()
        for (name, files) in [
            ("tests", book(tests).daisy2()), ("types", book(types).daisy3()), ("custom", book(custom).daisy3()),
            ("named", book(named, head: head).daisy3()),
        ] {
            let desk = try desk(files, audio: ["zz_part.mp3"])
            let reading = TranscriptReading(audioPath: desk.path("book/zz_part.mp3"), durationMilliseconds: 13_000)
            while !reading.step() {}
            let found = try #require(reading.transcript).skippable
            #expect(found.map { $0.milliseconds } == [1000..<2000, 3000..<5000, 5000..<6000, 6000..<7000], "\(name)")
            #expect(found.map { $0.parts } == [.pageNumbers, .notes, .producerNotes, .sidebars], "\(name)")
            #expect(reading.warnings == [] && desk.warnings == [])
        }
        #expect(try desk(DaisyBook.riverBank.daisy2()).warnings == [])
    }

    /// Of DAISY 2.02, where only the index says what a phrase is.
    @Test func skippablePartsOfTheIndexAlone() throws {
        let book = DaisyBook([
            [
                DaisyBook.Phrase("Part One", "zz_part.mp3", 0, 1, level: 1),
                DaisyBook.Phrase("Page seven", "zz_part.mp3", 1, 2, page: "7"),
                DaisyBook.Phrase("See below.", "zz_part.mp3", 2, 3),
                DaisyBook.Phrase("1", "zz_part.mp3", 3, 4, kind: "noteref"),
                DaisyBook.Phrase("A picture.", "zz_part.mp3", 4, 5, kind: "optional-prodnote"),
                DaisyBook.Phrase("A box.", "zz_part.mp3", 5, 6, kind: "Sidebar"),
                DaisyBook.Phrase("A group.", "zz_part.mp3", 6, 7, kind: "group"),
            ]
        ])
        let desk = try desk(book.daisy2(), audio: ["zz_part.mp3"])
        func found() throws -> Transcript {
            let reading = TranscriptReading(audioPath: desk.path("book/zz_part.mp3"), durationMilliseconds: 13_000)
            while !reading.step() {}
            #expect(reading.warnings == [])
            return try #require(reading.transcript)
        }
        let (stretches, parts) = (
            [1000..<2000, 3000..<4000, 4000..<5000, 5000..<6000],
            [SkippableParts.pageNumbers, .notes, .producerNotes, .sidebars]
        )
        var transcript = try found()
        #expect(transcript.skippable.map { $0.milliseconds } == stretches)
        #expect(transcript.skippable.map { $0.parts } == parts)
        // The text there is no heading and no page.
        #expect(desk.library.chapters(of: desk.queue[0]).map { $0.title } == ["Part One"])
        // Words beside it take nothing of that away.
        try desk.write("book/zz_part.vtt", Array("WEBVTT\n\n00:01.000 --> 00:02.000\nOwn words.\n".utf8))
        transcript = try found()
        #expect(transcript.map { $0.text } == ["Own words."])
        #expect(transcript.skippable.map { $0.milliseconds } == stretches)
        #expect(transcript.skippable.map { $0.parts } == parts)
    }

    @Test func namesInAnyCaseAndOldEncodings() throws {
        var book = DaisyBook.riverBank
        (book.title, book.author, book.language) = ("Été à la mer", "Zoë Œuvre", "fr-FR")
        for (name, declaration) in [
            ("latin", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n"),
            ("windows", "<?xml version=\"1.0\" encoding=\"windows-1252\"?>\n"), ("none", ""),
            ("utf8", "<?xml version=\"1.0\"?>"),
        ] {
            let desk = try ScanDesk()
            for (number, name) in ["ZZ_PART.MP3", "Aa_Part.mp3", "mm_part.mp3"].enumerated() {
                try desk.write("book/" + name, ScanDesk.audio(number + 1, frames: TalkingBookTests.frames))
            }
            for file in book.daisy2(declaration: declaration) {
                var bytes = Array(file.text.utf8)
                if name != "utf8" {
                    bytes = [UInt8](try #require(file.text.data(using: .windowsCP1252)))
                }
                try desk.write("book/" + (file.name == "ncc.html" ? "NCC.HTML" : file.name.uppercased()), bytes)
            }
            try desk.scan()
            let told = try told(desk)
            #expect(told.title == "Été à la mer" && told.author == "Zoë Œuvre" && told.language == "fr-FR", "\(name)")
            #expect(told.files == ["ZZ_PART.MP3", "Aa_Part.mp3", "mm_part.mp3"], "\(name)")
            #expect(told.chapters == TalkingBookTests.riverBank.chapters, "\(name)")
            #expect(desk.warnings == [])
        }
    }

    /// As a program for Windows wrote it in 1999.
    @Test func anIndexThatIsNoXML() throws {
        var files = DaisyBook.riverBank.daisy2()
        files[0].text = files[0].text.replacingOccurrences(of: " />", with: ">")
            .replacingOccurrences(of: "class=\"page-normal\"", with: "class=page-normal")
            .replacingOccurrences(of: "The Open Road", with: "The <b>Open<b> Road<br>")
        let desk = try desk(files)
        #expect(try told(desk) == TalkingBookTests.riverBank)
    }

    @Test func whatIsBrokenGoesAsFarAsItGoes() throws {
        // A file is away, one ends in the middle, and times are beyond the ends.
        var book = DaisyBook.riverBank
        book.sections[1].append(DaisyBook.Phrase("Lost", "gone.mp3", 0, 3, level: 1))
        book.sections[2].append(DaisyBook.Phrase("Too late", "mm_part.mp3", 55, 59, level: 2))
        let desk = try desk(book.daisy3())
        // A heading that is not heard does not hide the next.
        let wanted = TalkingBookTests.riverBank
        let found = try told(desk)
        #expect(found.files == wanted.files && found.titles == wanted.titles)
        #expect(found.chapters.prefix(4) == wanted.chapters.prefix(4))
        #expect(found.chapters.last?.hasPrefix("2 13") == true && found.chapters.last?.hasSuffix("Too late") == true)
        #expect(desk.warnings == [desk.path("book/book.opf") + ": names 1 file that is not there: gone.mp3"])
        try desk.scan()
        #expect(desk.warnings.count == 1)
        var files = DaisyBook.riverBank.daisy3()
        let place = try #require(files.firstIndex { $0.name == "s0.smil" })
        files[place].text = String(files[place].text.prefix(files[place].text.count - 30))
        let cut = try self.desk(files)
        #expect(try told(cut).files == TalkingBookTests.riverBank.files)
        #expect(cut.warnings.count == 1)
    }

    @Test func protectedBooksAreNamedOnce() throws {
        var files = DaisyBook.riverBank.daisy3()
        files[0].text =
            "<?xml version=\"1.0\"?><EncryptedData xmlns=\"http://www.w3.org/2001/04/xmlenc#\"><CipherData/></EncryptedData>"
        let desk = try desk(files)
        #expect(desk.warnings.count == 1 && desk.warnings[0].contains("book.opf is a protected talking book (PDTB)"))
        #expect(desk.library.itemIDs(inFolder: nil) == [])
        let licensed = try self.desk(DaisyBook.riverBank.daisy3() + [(name: "book.ao", text: "x")])
        #expect(licensed.warnings.count == 1 && licensed.library.itemIDs(inFolder: nil) == [])
    }

    @Test func anArchiveThatCannotBeReadIsNamedOnce() throws {
        let desk = try desk([], audio: ["a.mp3"])
        try desk.write("book/broken.epub", [0x50, 0x4B, 3, 4] + [UInt8](repeating: 0, count: 1000))
        // No archive, and no business of ours.
        try desk.write("book/broken.rar", [1, 2, 3])
        for _ in 0..<2 {
            try desk.scan()
            #expect(
                desk.warnings.count == 1 && desk.warnings[0].contains("broken.epub: it is no ZIP file that can be read")
            )
            #expect(desk.keeper.unplayable.names == ["broken.epub"] && desk.keeper.unplayable.count == 1)
        }
    }

    /// Calibre and others leave packages beside plain recordings, and a web page is no index.
    @Test func otherFoldersStayWhatTheyWere() throws {
        let opf =
            "<package><metadata xmlns:dc=\"d\"><dc:title>Other</dc:title></metadata><manifest><item id=\"c\" href=\"cover.jpg\"/></manifest></package>"
        let desk = try desk([
            (name: "metadata.opf", text: opf), (name: "index.html", text: "<html>"), (name: "s.smil", text: ""),
        ])
        let told = try told(desk)
        #expect(told.title == "book" && told.files == ["aa_part.mp3", "mm_part.mp3", "zz_part.mp3"])
        #expect(desk.warnings == [])
        let folder = SidecarFolder("/nowhere")
        for name in ["a.smil", "b.xml", "c.ncx", "page.html", "a.mp3"] { folder.take(name, isAudio: name == "a.mp3") }
        folder.finish()
        #expect(folder.sidecars(of: "a.mp3").stamp == 0 && folder.sidecars(of: "a.mp3").book == nil)
    }

    /// Each volume has a folder of its own, and its index names the files of both.
    @Test func volumesAreOneBook() throws {
        var whole = DaisyBook.riverBank.daisy2()
        whole[0].text = whole[0].text.replacingOccurrences(
            of: "</head>", with: "<meta name=\"ncc:setInfo\" content=\"1 of 2\"/></head>")
        let desk = try ScanDesk()
        for (volume, section, audio) in [("CD 1", 0, "zz_part.mp3"), ("CD 2", 1, "aa_part.mp3")] {
            try desk.write("book/\(volume)/\(audio)", ScanDesk.audio(section + 1, frames: TalkingBookTests.frames))
            for file in whole where !file.name.hasSuffix(".smil") || file.name == "s\(section).smil" {
                try desk.write("book/\(volume)/\(file.name)", Array(file.text.utf8))
            }
        }
        try desk.scan()
        let told = try told(desk)
        #expect(told.title == "River Bank" && told.files == ["zz_part.mp3", "aa_part.mp3"])
        #expect(told.chapters == ["1 0 Part One", "2 1000 The River Bank", "2 0 The Open Road"])
        #expect(desk.warnings == [])
        let book = try #require(desk.library.books(by: .title, offset: 0, limit: 1).first)
        #expect(
            desk.library.headings(of: book.id).map { $0.chapter.title } == [
                "Part One", "The River Bank", "The Open Road",
            ])
    }

    @Test func aBookThatIsCopiedLaterIsReadAgain() throws {
        let files = DaisyBook.riverBank.daisy2()
        let desk = try desk(files.filter { $0.name != "s1.smil" })
        #expect(try told(desk).files != TalkingBookTests.riverBank.files)
        let missing = try #require(files.first { $0.name == "s1.smil" })
        try desk.write("book/s1.smil", Array(missing.text.utf8))
        try desk.scan()
        #expect(try told(desk) == TalkingBookTests.riverBank)
        desk.forgetEvents()
        try desk.scan()
        #expect(desk.changed == [])
        // A file that the index does not name comes last.
        try desk.write("book/aaa.mp3", ScanDesk.audio(9, track: "1"))
        try desk.scan()
        #expect(try told(desk).files == TalkingBookTests.riverBank.files + ["aaa.mp3"])
    }

    @Test func manyFilesAreReadInSteps() throws {
        var sections: [[DaisyBook.Phrase]] = []
        for section in 0..<60 {
            var phrases: [DaisyBook.Phrase] = []
            for place in 0..<50 {
                var phrase = DaisyBook.Phrase(
                    "Sentence \(place)", "\(100 - section).mp3", Double(place) / 5, Double(place + 1) / 5)
                if place == 0 { phrase.level = 1 }
                if place == 25 { phrase.page = "\(section)" }
                phrases.append(phrase)
            }
            sections.append(phrases)
        }
        let folder = NSTemporaryDirectory() + "talking-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for file in DaisyBook(sections).daisy2() {
            try Data(file.text.utf8).write(to: URL(fileURLWithPath: folder + "/" + file.name))
        }
        for section in 0..<60 { try Data([1]).write(to: URL(fileURLWithPath: folder + "/\(100 - section).mp3")) }
        let reading = TalkingBookReading(path: folder + "/ncc.html")
        var steps = 1
        while !reading.step() { steps += 1 }
        let book = try #require(reading.book)
        #expect(steps > 8 && book.parts.map { $0.name } == (0..<60).map { "\(100 - $0).mp3" })
        #expect(book.parts.allSatisfy { $0.chapters.count == 1 && $0.pages.count == 1 })
        let phrases = TalkingBookReading(path: folder + "/ncc.html", audioName: "50.mp3")
        while !phrases.step() {}
        #expect(phrases.phrases.count == 50 && phrases.phrases[1].startMilliseconds == 200)
    }
}
