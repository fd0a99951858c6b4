// SPDX-License-Identifier: Apache-2.0
import Pixels
import Testing

@testable import Typography

/// The fonts of the tests, as `board/install test` installs them.
@Suite(.serialized) struct Setting {
    private let typesetter: Typesetter
    private let style = TextStyle(size: 20 << 6, lineHeight: 26, weight: .regular)

    init() throws { typesetter = Typesetter(try FontBook()) }

    static let texts = [
        "The Wind in the Willows",
        "Supercalifragilisticexpialidocious is one word, Antidisestablishmentarianism another",
        "الأمير الصغير (1943) والثعلب، قصة للأطفال والكبار", "שלום עולם, זהו ספר (2024) טוב מאוד",
        "红楼梦：第一回 甄士隐梦幻识通灵，贾雨村风尘怀闺秀", "हिन्दी में एक लंबी कहानी का शीर्षक", "ภาษาไทยไม่มีช่องว่างระหว่างคำในประโยค",
        "🌙 Good Night, Moon 👨‍👩‍👧 — 100 Stories ❤️ 🇫🇷🏳️‍🌈", "Ελληνικά και Русский текст вместе", "a", " ", "", "—",
        "\u{202E}abc",
        "e\u{301}e\u{301}e\u{301} combining ma\u{308}rks", "one two  three   four    five",
    ]

    /// Nothing is wider than it may be, nothing is lost but what an ellipsis stands for, and nothing stands twice.
    @Test(arguments: texts) func everyCharacterStandsSomewhere(text: String) {
        for width in [30, 60, 100, 180, 333, 2000] {
            for limit in [1, 2, 5, 100] {
                let layout = typesetter.set(text, style, width: width, lines: limit)
                #expect(layout.lines.count <= limit)
                let scalars = Array(text.unicodeScalars)
                var next = 0
                for line in layout.lines {
                    #expect(line.characters.lowerBound >= next)
                    for skipped in next..<line.characters.lowerBound {
                        #expect(LineBreaks.isSpace(scalars[skipped].value))
                    }
                    next = line.characters.upperBound
                    // One cluster may be wider than the whole line.
                    if line.characters.count > 6 && width >= 60 { #expect(line.pixelWidth <= width + 1) }
                }
                if !layout.isTruncated {
                    for left in next..<scalars.count { #expect(LineBreaks.isSpace(scalars[left].value)) }
                } else {
                    #expect(layout.lines.count == limit)
                }
            }
        }
    }

    /// A word that is longer than its line is divided with a hyphen, which has room there, too; scripts without hyphens have none.
    @Test func aTornWordHasItsHyphen() {
        let word = "Donaudampfschifffahrtsgesellschaft"
        for width in [60, 100, 180] {
            let torn = typesetter.set(word, style, width: width, lines: 20)
            #expect(torn.hasTornWord && !torn.isTruncated && torn.lines.count > 1)
            for (index, line) in torn.lines.enumerated() {
                #expect(line.pixelWidth <= width + 1)
                let isLast = index == torn.lines.count - 1
                #expect(line.glyphs.count >= line.characters.count - 2 + (isLast ? 0 : 1))
            }
            #expect(torn.glyphs.filter { $0.character == torn.lines[0].characters.upperBound }.count == 2)
            let bold = TextStyle(size: 20 << 6, lineHeight: 26, weight: .bold)
            let heavier = typesetter.set(word, bold, width: width, lines: 20)
            let over = typesetter.set(word, style, over: heavier, width: width, lines: 20)
            #expect(over.lines.map { $0.characters } == heavier.lines.map { $0.characters })
            #expect(over.glyphs.count == heavier.glyphs.count)
        }
        #expect(!typesetter.set("红楼梦第一回甄士隐", style, width: 60, lines: 20).hasTornWord)
        #expect(!typesetter.set("The Wind in the Willows", style, width: 90, lines: 20).hasTornWord)
    }

    @Test func noDashStandsBeforeAnEllipsis() {
        for words in ["Twelve Stairs — and more of them", "Twelve Stairs · and more of them"] {
            for width in 90..<200 {
                let set = typesetter.set(words, style, width: width)
                if let last = set.lines.first?.characters.upperBound, set.isTruncated {
                    #expect(!"—· ".contains(Array(words)[last - 1]))
                }
            }
        }
    }

    /// Marks that turn the direction of text would let a title write over what stands beside it, and an old libfribidi into freed memory.
    @Test func marksOfDirectionAreNotObeyed() {
        let marks = ["\u{202A}", "\u{202B}", "\u{202D}", "\u{202E}", "\u{2066}", "\u{2067}", "\u{2068}"]
        var hostile = ""
        for index in 0..<3000 { hostile += marks[index % marks.count] + "(a[" + (index % 3 == 0 ? "\u{2069}" : "") }
        let layout = typesetter.set(hostile, style, width: 480, lines: 3)
        #expect(layout.lines.count == 3)
        let (plain, turned) = ("abc def", "\u{202E}abc \u{2067}def")
        func glyphs(_ text: String) -> [UInt32] {
            typesetter.set(text, style, width: 480, lines: 1).glyphs.map { UInt32($0.index) }
        }
        let seen = glyphs(plain)
        #expect(glyphs(turned).filter { seen.contains($0) } == seen)
    }

    @Test func digitsThatCountAreAlikeInWidth() {
        var counting = style
        counting.digitsAlike = true
        let widths = Set("0123456789".map { typesetter.set(String($0), counting, width: 500).width })
        #expect(widths.count == 1)
    }

    /// A clock that counts on looks as if each of its times had been set by itself, and what is no digit is.
    @Test(arguments: [FontWeight.regular, .medium, .bold]) func countingIsSetting(weight: FontWeight) {
        let style = TextStyle(size: 14 << 6, lineHeight: 18, weight: weight, digitsAlike: true)
        let counting = CountingText(typesetter)
        let texts =
            (0..<70).map { "\($0 / 10):\($0 % 6)\($0 % 10)" } + [
                "11:11", "−0:59", "−1:00", "10:00:00", "19:59:59", "", "1:2x", "1:3x",
            ]
        for text in texts {
            let (wanted, made) = (typesetter.set(text, style, width: 300), counting.set(text, style, width: 300))
            #expect(made.width == wanted.width)
            #expect(made.glyphs.map { $0.index } == wanted.glyphs.map { $0.index }, "\(text)")
            #expect(made.glyphs.map { $0.x } == wanted.glyphs.map { $0.x }, "\(text)")
        }
    }

    /// A lighter text has the letters that it would have by itself, each where the heavier one stands.
    @Test(arguments: texts) func aLighterTextStandsOverAHeavierOne(text: String) {
        let heavy = TextStyle(size: style.size, lineHeight: style.lineHeight, weight: .medium)
        for (width, limit) in [(80, 2), (200, 40), (2000, 1)] {
            let spoken = typesetter.set(text, heavy, width: width, lines: limit)
            let plain = typesetter.set(text, style, over: spoken, width: width, lines: limit)
            #expect(plain.style.weight == .regular)
            #expect(plain.height == spoken.height)
            #expect(plain.lines.map { $0.characters } == spoken.lines.map { $0.characters })
            if width < 2000 { continue }
            let alone = typesetter.set(text, style, width: width, lines: limit)
            #expect(plain.glyphs.map { $0.index } == alone.glyphs.map { $0.index })
            #expect(plain.glyphs.map { $0.font } == alone.glyphs.map { $0.font })
        }
    }

    /// A glyph that stands for several letters, or for one among certain others, is shaped by itself; all else costs no shaping.
    @Test func onlyLettersThatAreChangedAreShapedAgain() {
        func shapings(_ text: String) -> Int {
            let heavy = TextStyle(size: style.size, lineHeight: style.lineHeight, weight: .medium)
            let spoken = typesetter.set(text, heavy, width: 300, lines: 40)
            let before = typesetter.textsShaped
            let plain = typesetter.set(text, style, over: spoken, width: 300, lines: 40)
            #expect(plain.glyphs.allSatisfy { $0.index != 0 })
            if typesetter.textsShaped == before { #expect(plain.glyphs.map { $0.x } == spoken.glyphs.map { $0.x }) }
            return typesetter.textsShaped - before
        }
        #expect(shapings("“Bother!” he said, and “O blow!” and also “Hang spring-cleaning!” — and so on…") == 0)
        #expect(shapings("Größe, naïve café, Ελληνικά и Русский") == 0)
        #expect(shapings("الأمير الصغير") == 1)
    }

    @Test func rightToLeft() {
        let layout = typesetter.set("שלום (2024) abc", style, width: 500)
        #expect(layout.isRightToLeft)
        #expect(layout.lines.count == 1)
        #expect(Typesetter.visualOrder([1, 2, 1]) == [2, 1, 0])
        #expect(Typesetter.visualOrder([0, 1, 2, 1, 0]) == [0, 3, 2, 1, 4])
        #expect(!typesetter.set("abc שלום", style, width: 500).isRightToLeft)
    }

    @Test func linesEndWhereTheyMay() {
        func breaks(_ text: String) -> [Int] {
            let scalars = text.unicodeScalars.map { $0.value }
            return (1..<scalars.count).filter { LineBreaks.allowed(after: scalars[$0 - 1], before: scalars[$0]) }
        }
        #expect(breaks("ab cd") == [3])
        #expect(breaks("well-known 3-4") == [5, 11])
        #expect(breaks("中文，字") == [1, 3])
        #expect(breaks("「字」") == [2].filter { _ in false })
    }

    /// The characters as they stand from left to right.
    private func seen(_ text: String) -> String {
        let layout = typesetter.set(text, style, width: 2000)
        let scalars = Array(text.unicodeScalars)
        return String(
            String.UnicodeScalarView(layout.glyphs.sorted { $0.x < $1.x }.map { scalars[$0.character] }))
    }

    /// Texts joined by a middot or a dash keep their own directions: a number stays with its words.
    @Test func joinedTextsHaveTheirOwnDirections() {
        #expect(seen("11 min · שלום 5") == "11 min · 5 םולש")
        #expect(seen("Chapter 4 of 18 · 112 שלום") == "Chapter 4 of 18 · םולש 112")
        #expect(seen("שלום 112 · Chapter 4") == "Chapter 4 · 112 םולש")
        #expect(seen("שלום — 11 min · אבג") == "גבא · 11 min — םולש")
        #expect(seen("7 · 8 · שלום") == "םולש · 8 · 7")
        // A text of one part is set as before.
        #expect(seen("abc שלום 12") == "abc 12 םולש")
        let many = String(repeating: "א · ", count: 4000)
        #expect(typesetter.set(many, style, width: 500).lines.count == 1)
    }

    /// An emoji of several characters is one glyph, and stays whole.
    @Test func sequencesStayWhole() {
        for text in ["👨‍👩‍👧", "🇫🇷", "🏳️‍🌈", "👍🏽", "❤️"] {
            let layout = typesetter.set(text, style, width: 500)
            #expect(layout.glyphs.count <= 2)
            #expect(layout.glyphs.allSatisfy { $0.index != 0 })
        }
    }

    /// Chinese has one weight: its bold letters are emboldened in place. Text with a bold font uses that.
    @Test func lettersWithoutABoldFontAreMadeBold() {
        let cache = GlyphCache(typesetter.fonts, capacity: 1 << 20)
        func set(_ text: String, _ weight: FontWeight) -> TextLayout {
            typesetter.set(text, TextStyle(size: 32 << 6, lineHeight: 40, weight: weight), width: 2000)
        }
        func slots(_ layout: TextLayout) -> [GlyphCache.Slot] {
            layout.glyphs.map { cache.glyph(font: $0.font, $0.index, size: 32 << 6, shift: 0) }
        }
        func ink(_ layout: TextLayout) -> Int {
            slots(layout).reduce(0) { sum, slot in
                sum + (0..<slot.pitch * slot.height).reduce(0) { $0 + Int(cache.bytes(slot)[$1]) }
            }
        }
        let han = "红楼梦"
        let (regular, medium) = (set(han, .regular), set(han, .medium))
        let (semibold, bold) = (set(han, .semibold), set(han, .bold))
        #expect(ink(medium) == ink(regular))
        #expect(ink(semibold) * 100 > ink(regular) * 110 && ink(bold) * 100 > ink(semibold) * 105)
        #expect(bold.glyphs.map { $0.index } == regular.glyphs.map { $0.index })
        #expect(bold.glyphs.map { $0.x } == regular.glyphs.map { $0.x } && bold.width == regular.width)
        for (plain, thick) in zip(slots(regular), slots(bold)) {
            #expect(thick.left <= plain.left && thick.left + thick.width >= plain.left + plain.width)
            #expect(thick.top >= plain.top && thick.top - thick.height <= plain.top - plain.height)
            #expect(abs(2 * (thick.left - plain.left) + thick.width - plain.width) <= 2)
            #expect(abs(2 * (thick.top - plain.top) - thick.height + plain.height) <= 2)
        }
        for text in ["Emma", "🌙"] {
            for glyph in set(text, .bold).glyphs { #expect(typesetter.fonts.fonts[glyph.font].boldness == 0) }
        }
    }

    /// The cache never grows beyond its bytes; evicted letters look as before.
    @Test func aFullCacheDrawsTheSame() {
        let cache = GlyphCache(typesetter.fonts, capacity: 4096)
        let font = typesetter.fonts.first(.regular)!
        func sum(_ slot: GlyphCache.Slot) -> Int {
            (0..<slot.width * slot.height).map { Int(cache.bytes(slot)[$0]) }.reduce(0, +)
        }
        let first = sum(cache.glyph(font: font, 40, size: 20 << 6, shift: 0))
        for glyph in 1..<400 { _ = cache.glyph(font: font, UInt32(glyph), size: 24 << 6, shift: 0) }
        #expect(sum(cache.glyph(font: font, 40, size: 20 << 6, shift: 0)) == first)
        #expect(first > 0)
    }
}
