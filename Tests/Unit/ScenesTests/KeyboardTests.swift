// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Posix
import Testing

@testable import Scenes

@Suite struct KeyboardTests {
    /// Titles in each script are found by its own pattern and by no other's.
    @Test func everyScriptFindsItsOwnTitles() throws {
        let titles: [KeyboardLayout: [String]] = [
            .greek: ["Βίος και Πολιτεία του Αλέξη Ζορμπά", "Ὀδύσσεια", "ΙΛΙΑΣ"],
            .cyrillic: ["Война и мир", "Лісова пісня", "ЧАЙКА"], .hebrew: ["שלום עולם", "הבית של יעל"],
            .arabic: ["الأمير الصغير", "ألف ليلة وليلة", "شازده کوچولو"], .devanagari: ["हिन्दी की कहानी", "गोदान"],
            .latin: ["Les Misérables", "Çelik, Dvořák, Łódź: naïve", "紅樓夢", ""],
        ]
        let foreign = try TextPattern(KeyboardLayout.foreignPattern, foldsCase: true)
        for (layout, titles) in titles {
            for title in titles {
                #expect(foreign.isFound(in: title) == (layout != .latin), "\(title)")
                for script in KeyboardLayout.allCases {
                    guard let pattern = script.pattern else { continue }
                    let isFound = try TextPattern(pattern, foldsCase: true).isFound(in: title)
                    #expect(isFound == (script == layout), "\(title) \(script)")
                }
            }
        }
        for layout in KeyboardLayout.allCases {
            let letters = Array(layout.letters.unicodeScalars)
            #expect(Set(letters).count == letters.count, "\(layout)")
        }
    }

    /// All keys of all layouts stand on the page, apart from each other and large enough, on the smallest panel and with large words, too.
    @Test(arguments: KeyboardLayout.allCases) func allKeysCanBeTouched(layout: KeyboardLayout) throws {
        for (size, textSize) in [
            ((240, 240), Float(1)), ((320, 240), 1), ((800, 480), 1), ((800, 480), 2), ((480, 800), 1.5),
        ] {
            let stage = try Screens.stage(size, .dark, textSize: textSize)
            var told = ToldLetters()
            told.read(
                lines: (0..<UInt32(ToldLetters.most)).map { "letter: \(Unicode.Scalar(0x4E00 + $0)!)" }
                    .joined(separator: "\n"))
            let keyboard = Keyboard(layout: layout, next: .digits, told: told)
            let picture = Picture(stage, on: Surface(width: size.0, height: 4000))
            var column = Column(
                picture, x: 0, top: 0, width: size.0, visible: PixelRect(x: 0, y: 0, width: size.0, height: 4000))
            keyboard.layOut(&column)
            let keys = picture.elements
            let letters = layout == .titles ? told.letters : layout.letters
            #expect(keys.contains { $0.action == .type(.more) } == (layout == .titles))
            for letter in letters.unicodeScalars {
                #expect(
                    keys.filter { $0.action == .type(.letter(letter.value)) }.count == 1,
                    "\(letter) \(size) \(textSize)")
            }
            for action in [Element.TypedKey.erase, .layer, .done, .letter(0x20)] {
                #expect(keys.filter { $0.action == .type(action) }.count == 1, "\(action) \(size) \(textSize)")
            }
            for (index, key) in keys.enumerated() {
                #expect(key.frame.x >= 0 && key.frame.maxX <= size.0)
                for other in keys[(index + 1)...] {
                    #expect(key.frame.intersection(other.frame).isEmpty, "\(key.label) \(other.label) \(size)")
                }
            }
        }
    }

    /// The offers come one after the other, the digits last; letters of any script are typed and deleted whole.
    @Test func whatIsOfferedComesInTurn() {
        let page = SearchPage(PageContext())
        page.offer(.greek)
        page.offer(.hebrew)
        page.offer(.greek)
        #expect(page.layoutsInTurn == [.latin, .greek, .hebrew, .digits])
        for code in [0x3B6, 0x3BF] as [UInt32] { _ = page.type(.letter(code)) }
        #expect(page.words == "ζο")
        #expect(page.type(.erase) && page.words == "ζ")
        // No character at all.
        #expect(!page.type(.letter(0xD800)) && !page.type(.letter(0x11_0000)) && page.words == "ζ")
    }
}

extension SearchPage {
    /// From the one that is shown on, until it comes again.
    fileprivate var layoutsInTurn: [KeyboardLayout] {
        var all: [KeyboardLayout] = []
        repeat {
            all.append(layout)
            _ = type(.layer)
        } while layout != all[0] && all.count < 20
        return all
    }
}
