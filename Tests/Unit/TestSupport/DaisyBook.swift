// SPDX-License-Identifier: Apache-2.0
/// Writes the files of a talking book, beside its audio, which is the test's: DAISY 2.02 or DAISY 3, with headings within each other, pages
/// and text, and with what books out there do differently.
public struct DaisyBook {
    public struct Phrase {
        public var text: String
        public var audio: String
        public var start: Double
        public var end: Double
        /// A heading of this level, 1 to 6.
        public var level: Int?
        /// A page begins with it.
        public var page: String?
        /// The attribute that marks its `par` as skippable.
        public var mark: String
        /// The class by which the index of DAISY 2.02 alone marks it.
        public var kind: String

        public init(
            _ text: String, _ audio: String, _ start: Double, _ end: Double, level: Int? = nil, page: String? = nil,
            mark: String = "", kind: String = ""
        ) {
            (self.text, self.audio, self.start, self.end) = (text, audio, start, end)
            (self.level, self.page, self.mark, self.kind) = (level, page, mark, kind)
        }
    }

    public var title = "River Bank"
    public var author = "Kenneth Grahame"
    public var narrator = "Ann Reader"
    public var language = "en"
    /// Each a SMIL file.
    public var sections: [[Phrase]]
    /// True if the text has sentences of its own, beside headings.
    public var hasText = true

    /// The head of the NCX.
    public var head = ""

    public init(_ sections: [[Phrase]]) { self.sections = sections }

    /// Three files with names out of reading order, headings of two levels, pages 7 and 8.
    public static var riverBank: DaisyBook {
        DaisyBook([
            [
                Phrase("Part One", "zz_part.mp3", 0, 1, level: 1),
                Phrase("The River Bank", "zz_part.mp3", 1, 2.5, level: 2, page: "7"),
                Phrase("The Mole had been working very hard.", "zz_part.mp3", 2.5, 5),
            ],
            [
                Phrase("The Open Road", "aa_part.mp3", 0, 1.25, level: 2, page: "8"),
                Phrase("Ratty, said the Mole suddenly.", "aa_part.mp3", 1.25, 4),
            ],
            [Phrase("Part Two", "mm_part.mp3", 0, 2, level: 1), Phrase("The End.", "mm_part.mp3", 2, 4)],
        ])
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for letter in text {
            switch letter {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            default: escaped.append(letter)
            }
        }
        return escaped
    }

    private func forEach(_ body: (_ section: Int, _ place: Int, Phrase) -> Void) {
        for (section, phrases) in sections.enumerated() {
            for (place, phrase) in phrases.enumerated() { body(section, place, phrase) }
        }
    }

    private var headings: [(level: Int, title: String, link: String)] {
        var found: [(level: Int, title: String, link: String)] = []
        forEach { section, place, phrase in
            if let level = phrase.level { found.append((level, phrase.text, "s\(section).smil#p\(section)_\(place)")) }
        }
        return found
    }

    // MARK: DAISY 2.02

    /// `ncc.html`, the SMIL files, and `text.html` where it has text.
    /// - Parameter declaration: of the encoding; the bytes are UTF-8.
    public func daisy2(declaration: String = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n") -> [(
        name: String, text: String
    )] {
        var index =
            declaration + """
                <!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "xhtml1-transitional.dtd">
                <html xmlns="http://www.w3.org/1999/xhtml"><head><title>\(DaisyBook.escaped(title))</title>
                <meta name="dc:title" content="\(DaisyBook.escaped(title))" /><meta name="dc:creator" content="\(DaisyBook.escaped(author))" />
                <meta name="dc:language" content="\(language)" scheme="ISO 639" /><meta name="ncc:narrator" content="\(DaisyBook.escaped(narrator))" />
                <meta name="ncc:multimediaType" content="\(hasText ? "audioFullText" : "audioNcc")" /></head><body>

                """
        var files: [(name: String, text: String)] = []
        var text = "<html><head><title>x</title></head><body>\n"
        forEach { section, place, phrase in
            let link = "s\(section).smil#t\(section)_\(place)"
            if let page = phrase.page {
                index += "<span class=\"page-normal\" id=\"g\(page)\"><a href=\"\(link)\">\(page)</a></span>\n"
            }
            let words = DaisyBook.escaped(phrase.text)
            if !phrase.kind.isEmpty {
                index += "<span class=\"\(phrase.kind)\"><a href=\"\(link)\">\(words)</a></span>\n"
            }
            if let level = phrase.level {
                index += "<h\(level) id=\"h\(section)_\(place)\"><a href=\"\(link)\">\(words)</a></h\(level)>\n"
            }
            text += "<p><span id=\"x\(section)_\(place)\">\(words)</span></p>\n"
        }
        files.append(("ncc.html", index + "</body></html>\n"))
        for (section, phrases) in sections.enumerated() {
            var smil =
                "<?xml version=\"1.0\"?>\n<smil><head><meta name=\"dc:format\" content=\"Daisy 2.02\"/></head><body><seq>\n"
            for (place, phrase) in phrases.enumerated() {
                let target = hasText ? "text.html#x\(section)_\(place)" : "ncc.html#h\(section)_0"
                smil +=
                    "<par \(phrase.mark) endsync=\"last\" id=\"p\(section)_\(place)\"><text src=\"\(target)\" id=\"t\(section)_\(place)\"/><seq><audio src=\"\(phrase.audio)\" clip-begin=\"npt=\(phrase.start)s\" clip-end=\"npt=\(phrase.end)s\" id=\"a\(section)_\(place)\"/></seq></par>\n"
            }
            files.append(("s\(section).smil", smil + "</seq></body></smil>\n"))
        }
        if hasText { files.append(("text.html", text + "</body></html>\n")) }
        return files
    }

    // MARK: DAISY 3

    /// The package, the NCX, the SMIL files, and the DTBook where it has text.
    public func daisy3() -> [(name: String, text: String)] {
        var package = """
            <?xml version="1.0" encoding="utf-8"?>
            <package xmlns="http://openebook.org/namespaces/oeb-package/1.0/" unique-identifier="uid"><metadata><dc-metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
            <dc:Format>ANSI/NISO Z39.86-2005</dc:Format><dc:Title>\(DaisyBook.escaped(title))</dc:Title><dc:Creator>\(DaisyBook.escaped(author))</dc:Creator><dc:Language>\(language)</dc:Language>
            </dc-metadata><x-metadata><meta name="dtb:narrator" content="\(DaisyBook.escaped(narrator))"/></x-metadata></metadata><manifest>
            <item id="ncx" href="book.ncx" media-type="application/x-dtbncx+xml"/><item id="text" href="book.xml" media-type="application/x-dtbook+xml"/>

            """
        for section in sections.indices {
            package += "<item id=\"s\(section)\" href=\"s\(section).smil\" media-type=\"application/smil\"/>\n"
        }
        package += "</manifest><spine>\n"
        for section in sections.indices { package += "<itemref idref=\"s\(section)\"/>\n" }
        var files = [("book.opf", package + "</spine></package>\n"), ("book.ncx", contents)]
        var book = "<?xml version=\"1.0\"?>\n<dtbook><book><bodymatter><level1>\n"
        for (section, phrases) in sections.enumerated() {
            var smil =
                "<?xml version=\"1.0\"?>\n<smil xmlns=\"http://www.w3.org/2001/SMIL20/\"><body><seq id=\"q\(section)\">\n"
            for (place, phrase) in phrases.enumerated() {
                let text = hasText ? "<text src=\"book.xml#x\(section)_\(place)\"/>" : ""
                smil +=
                    "<par \(phrase.mark) id=\"p\(section)_\(place)\">\(text)<audio src=\"\(phrase.audio)\" clipBegin=\"0:00:\(phrase.start < 10 ? "0" : "")\(phrase.start)\" clipEnd=\"0:00:\(phrase.end < 10 ? "0" : "")\(phrase.end)\"/></par>\n"
                book +=
                    "<p><sent id=\"x\(section)_\(place)\" smilref=\"s\(section).smil#p\(section)_\(place)\">\(DaisyBook.escaped(phrase.text))</sent></p>\n"
            }
            files.append(("s\(section).smil", smil + "</seq></body></smil>\n"))
        }
        if hasText { files.append(("book.xml", book + "</level1></bodymatter></book></dtbook>\n")) }
        return files.map { (name: $0.0, text: $0.1) }
    }

    private var contents: String {
        var contents = """
            <?xml version="1.0"?>
            <ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><head>\(head)</head><docTitle><text>\(DaisyBook.escaped(title))</text></docTitle><navMap>

            """
        var open: [Int] = []
        for (number, heading) in headings.enumerated() {
            while let last = open.last, last >= heading.level {
                contents += "</navPoint>"
                open.removeLast()
            }
            open.append(heading.level)
            contents +=
                "<navPoint id=\"n\(number)\" class=\"h\(heading.level)\"><navLabel><text>\(DaisyBook.escaped(heading.title))</text><audio src=\"x.mp3\"/></navLabel><content src=\"\(heading.link)\"/>"
        }
        contents += String(repeating: "</navPoint>", count: open.count) + "</navMap><pageList>\n"
        forEach { section, place, phrase in
            guard let page = phrase.page else { return }
            contents +=
                "<pageTarget type=\"normal\" value=\"\(page)\"><navLabel><text>\(page)</text></navLabel><content src=\"s\(section).smil#p\(section)_\(place)\"/></pageTarget>\n"
        }
        return contents + "</pageList></ncx>\n"
    }
}
