// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import TestSupport
import Testing

@testable import Display

/// Returns the picture of a text on an LCD with the ROM.
private func shown(_ text: String, _ rom: CharacterROM) -> String {
    var result = String.UnicodeScalarView()
    for code in LCDText.codes(text, rom: rom, iconv: Iconv()) { result.append(rom.scalar(at: code) ?? "☠") }
    return String(result)
}

@Suite struct ROMs {
    @Test(arguments: [CharacterROM.a00, .a02]) func codesAndCharactersBelongTogether(rom: CharacterROM) {
        var count = 0
        for code in UInt8(0x10)...0xFF {
            guard let scalar = rom.scalar(at: code) else { continue }
            count += 1
            #expect(rom.code(of: scalar) == code, "\(code)")
        }
        // A00: 93 of ASCII, yen, two arrows, 63 katakana and the like, 20 others. A02: 95, house, 13, 127.
        #expect(count == (rom == .a00 ? 96 + 63 + 20 : 96 + 13 + 127), "\(count)")
        for value in 0...UInt32(0x1FFFF) {
            guard let scalar = Unicode.Scalar(value), let code = rom.code(of: scalar) else { continue }
            #expect(rom.scalar(at: code) != nil, "\(value)")
        }
    }

    @Test func noCodeIsAControlByteOfTheKernelsDriver() {
        let controls: [UInt8] = [0x08, 0x09, 0x0A, 0x0C, 0x0D, 0x1B]
        for rom in [CharacterROM.a00, .a02] {
            for code in controls { #expect(rom.scalar(at: code) == nil) }
        }
        for glyph in Glyph.all { #expect(!controls.contains(glyph.code)) }
        #expect(Glyph.all.map(\.code) == Array(0...7))
    }

    /// Spot checks against the data sheet's tables.
    @Test(
        arguments: [
            (CharacterROM.a00, "¥", 0x5C), (.a00, "→", 0x7E), (.a00, "←", 0x7F), (.a00, "｡", 0xA1), (.a00, "ｱ", 0xB1),
            (.a00, "ﾝ", 0xDD), (.a00, "°", 0xDF), (.a00, "α", 0xE0), (.a00, "ä", 0xE1), (.a00, "β", 0xE2),
            (.a00, "ε", 0xE3),
            (.a00, "µ", 0xE4), (.a00, "σ", 0xE5), (.a00, "ρ", 0xE6), (.a00, "√", 0xE8), (.a00, "¢", 0xEC),
            (.a00, "£", 0xED),
            (.a00, "ñ", 0xEE), (.a00, "ö", 0xEF), (.a00, "θ", 0xF2), (.a00, "∞", 0xF3), (.a00, "Ω", 0xF4),
            (.a00, "ü", 0xF5),
            (.a00, "Σ", 0xF6), (.a00, "π", 0xF7), (.a00, "÷", 0xFD), (.a00, "█", 0xFF),
            (.a02, "\\", 0x5C), (.a02, "~", 0x7E), (.a02, "“", 0x12), (.a02, "”", 0x13), (.a02, "→", 0x1A),
            (.a02, "≤", 0x1C),
            (.a02, "Б", 0x80), (.a02, "Ж", 0x82), (.a02, "Э", 0x8F), (.a02, "α", 0x90), (.a02, "♪", 0x91),
            (.a02, "Ω", 0x9A),
            (.a02, "♥", 0x9D), (.a02, "¡", 0xA1), (.a02, "Ю", 0xAC), (.a02, "Я", 0xAD), (.a02, "°", 0xB0),
            (.a02, "ω", 0xB8),
            (.a02, "¿", 0xBF), (.a02, "À", 0xC0), (.a02, "ß", 0xDF), (.a02, "é", 0xE9), (.a02, "ø", 0xF8),
            (.a02, "ÿ", 0xFF),
        ] as [(CharacterROM, String, Int)])
    func placesOfTheDataSheet(rom: CharacterROM, text: String, code: Int) {
        #expect(LCDText.codes(text, rom: rom, iconv: Iconv()) == [UInt8(code)])
    }

    @Test func names() {
        #expect(CharacterROM(name: "A00") == .a00)
        #expect(CharacterROM(name: "a02") == .a02)
        #expect(CharacterROM(name: "A01") == nil)
        #expect(CharacterROM(name: "") == nil)
    }
}

@Suite struct Spelling {
    @Test(
        arguments: [
            ("plain ASCII, 100% (of it)!", "plain ASCII, 100% (of it)!"),
            ("café crème, déjà vu", "cafe creme, deja vu"),
            ("cafe\u{301} cre\u{300}me", "cafe creme"),
            ("Mädchen über Öfen", "Mädchen über Ofen"),
            ("Ma\u{308}dchen man\u{303}ana", "Mädchen mañana"),
            ("Straße, Œuvre, œil, Ærø, Łódź, þing, Đorđe", "Strasse, OEuvre, oeil, AEro, Lodz, thing, Dorde"),
            ("“Oh,” she said – ‘dear’…", "\"Oh,\" she said - 'dear'..."),
            ("«Non» „doch“ ‚ja‘", "\"Non\" \"doch\" 'ja'"),
            ("Ж", "Zh"), ("Щит и меч", "Shchit i mech"), ("ЩИТ И МЕЧ", "SHCHIT I MECH"),
            ("Чехов: Вишнёвый сад", "Chekhov: Vishnyovyy sad"), ("и\u{306}од", "yod"), ("ОБЪЕКТ", "OBEKT"),
            ("Їжак і Ґудзик, Є", "Yizhak i Gudzik, Ye"), ("Љубав Ђорђе", "Ljubav Djordje"),
            ("Σωκράτης και Πλάτων", "Sokratis kai Platon"), ("ΟΔΥΣΣΕΙΑ", "ODYSSEIA"), ("ουρανός", "ouranos"),
            ("Ἀχιλλεύς", "Achilleus"), ("5 Ω, π, α-β", "5 Ω, π, α-β"), ("χθων", "chthon"),
            ("Ψυχή ΨΥΧΗ", "Psychi PSYCHI"),
            ("C:\\dir~1", "C:/dir-1"), ("½ and ⅔", "1/2 and 2/3"), ("¿Qué? ¡Hola!", "?Que? !Hola!"),
            ("Việt Nam ữ", "Viet Nam u"), ("ﬁne № 5 ™ ①", "fine No 5 (TM) (1)"), ("Ｆｕｌｌ", "Full"), ("10 €", "10 EUR"),
            ("🙂 smile 👩‍👩‍👧 🇬🇧 ⭐️ done", "smile done"), ("a\u{200B}b\u{FEFF}c\u{AD}d", "abcd"),
            ("\t tab\n\nline\u{A0}nb \u{3000}", "tab line nb"), ("\u{0}\u{1B}[2J\u{9B}x\u{7F}", "[2Jx"), ("", ""),
            ("🙂", ""), ("中文字", "?"), ("中 文 字 a 中", "? a ?"), ("كتاب جميل", "?"), ("עברית!", "?!"), ("?中?", "???"),
            ("a\u{FFFD}\u{FFFD}b", "a?b"), ("サクラ", "ｻｸﾗ"), ("ガラス パン", "ｶﾞﾗｽ ﾊ°ﾝ"), ("さくら、ヴ", "ｻｸﾗ､ｳﾞ"),
            ("カ\u{3099}", "ｶﾞ"), ("20 °C", "20 °C"), ("♪ la la ♫", "la la"),
        ] as [(String, String)])
    func japaneseROM(text: String, expected: String) {
        #expect(shown(text, .a00) == expected)
    }

    @Test(
        arguments: [
            ("café crème, Ærøskøbing", "café crème, Ærøskøbing"), ("cafe\u{301}", "café"), ("Øst", "Ost"),
            ("C:\\dir~1", "C:\\dir~1"), ("“Oh” – ‘dear’", "“Oh” - 'dear'"), ("½ of 20 °C", "½ of 20 °C"),
            ("ЖЮ", "ЖЮ"), ("Я пошёл", "Я ПOШËЛ"), ("Щука", "ЩУKA"), ("Łódź", "Lódz"), ("Σωκράτης", "Sokratis"),
            ("5 Ω", "5 Ω"),
            ("♪ la la ♫", "♪ la la ♬"), ("← →", "<- →"), ("サクラ", "?"), ("Ђорђе", "DjOPdjE"),
        ] as [(String, String)])
    func europeanROM(text: String, expected: String) {
        #expect(shown(text, .a02) == expected)
    }

    /// Random scalars from everywhere, and bytes that are no UTF-8: nothing but the ROM's characters may come out, with single
    /// spaces inside, and no two question marks side by side that the text did not hold.
    @Test(arguments: 0..<300) func whateverTheTextTheGlassCanShowIt(seed: Int) {
        var dice = SeededGenerator(seed: UInt64(seed))
        var text = ""
        if seed % 3 == 0 {
            text = String(decoding: (0..<dice.roll(0...400)).map { _ in UInt8(dice.roll(0...255)) }, as: UTF8.self)
        } else {
            let ranges: [ClosedRange<UInt32>] = [
                0...0x7F, 0x80...0x24F, 0x250...0x36F, 0x370...0x52F, 0x590...0x10FF, 0x1E00...0x1FFF, 0x2000...0x2BFF,
                0x3000...0x30FF, 0x4E00...0x9FFF, 0xE000...0xFFFF, 0x1_0000...0x10_FFFF,
            ]
            for _ in 0..<dice.roll(0...400) {
                let range = dice.pick(ranges)
                if let scalar = Unicode.Scalar(UInt32(dice.roll(Int(range.lowerBound)...Int(range.upperBound)))) {
                    if scalar != "?" { text.unicodeScalars.append(scalar) }
                }
            }
        }
        for rom in [CharacterROM.a00, .a02] {
            let codes = expectCost(CostBound(bytesPerByte: 16), inputBytes: text.utf8.count) {
                LCDText.codes(text, rom: rom, iconv: Iconv())
            }
            for code in codes { #expect(code >= 0x10 && rom.scalar(at: code) != nil) }
            #expect(codes.first != 0x20 && codes.last != 0x20)
            for (a, b) in zip(codes, codes.dropFirst()) {
                #expect(!(a == 0x20 && b == 0x20))
                if seed % 3 != 0 && !text.unicodeScalars.contains("¿") && !text.unicodeScalars.contains("？") {
                    #expect(!(a == 0x3F && b == 0x3F))
                }
            }
        }
    }

    @Test func everyLetterOfLatinCyrillicAndGreekIsSpelled() {
        for value in [0xC0...0x17F, 0x400...0x45F, 0x386...0x3CE].joined() {
            guard let scalar = Unicode.Scalar(UInt32(value)) else { continue }
            if [0x387, 0x38B, 0x38D, 0x3A2].contains(value) { continue }
            for rom in [CharacterROM.a00, .a02] {
                #expect(!shown("x" + String(Character(scalar)), rom).contains("?"), "U+\(String(value, radix: 16))")
            }
        }
    }

    @Test func aVeryLongTextIsCutNotSwallowed() {
        for (word, least) in [
            ("word ", 1000), ("x", 1000), ("Щ", 1000), ("猫", 1), ("🧹", 0), ("e\u{301}", 1000), ("\u{301}", 0),
        ] {
            let text = String(repeating: word, count: 200_000)
            for rom in [CharacterROM.a00, .a02] {
                // The shown text is bounded, so memory is independent of the length.
                let codes = expectCost(
                    CostBound(nanosecondsPerByte: 2000, bytesPerByte: 0), inputBytes: text.utf8.count
                ) {
                    LCDText.codes(text, rom: rom, iconv: Iconv())
                }
                #expect(codes.count >= least && codes.count <= 8000, "\(word)")
                expectCost(inputBytes: codes.count, word) { _ = TextPages.pages(codes, columns: 16, rows: 1) }
            }
        }
    }
}

@Suite struct Pages {
    @Test(arguments: 0..<200) func pagesHoldEveryWordInOrder(seed: Int) {
        var dice = SeededGenerator(seed: UInt64(seed))
        let codes = LCDText.codes(dice.text(words: 0...40), rom: .a00, iconv: Iconv())
        let columns = dice.roll(1...40)
        let rows = dice.roll(1...3)
        let pages = TextPages.pages(codes, columns: columns, rows: rows)
        #expect(pages.isEmpty == codes.isEmpty)
        for page in pages {
            #expect((1...rows).contains(page.lines.count))
            for line in page.lines {
                #expect((1...columns).contains(line.count))
                #expect(line.first != 0x20 && line.last != 0x20)
            }
        }
        let joined = pages.flatMap { $0.lines.flatMap { $0 } }.filter { $0 != 0x20 }
        #expect(joined == codes.filter { $0 != 0x20 })
        // Words that fit are whole.
        let words = codes.split(separator: 0x20).map { Array($0) }.filter { $0.count <= columns }
        var left = pages.flatMap { $0.lines.flatMap { $0.split(separator: 0x20).map { Array($0) } } }[...]
        for word in words {
            guard let found = left.firstIndex(of: word) else {
                Issue.record("a word is torn")
                break
            }
            left = left[(found + 1)...]
        }
        // No more pages than filling each row as far as it goes would need.
        var greedyLines = 0
        var free = 0
        for word in codes.split(separator: 0x20) {
            if word.count < free {
                free -= word.count + 1
            } else {
                greedyLines += (word.count + columns - 1) / columns
                free = columns - (word.count - 1) % columns - 1
            }
        }
        #expect(pages.count <= (greedyLines + rows - 1) / rows)
    }

    @Test(arguments: 0..<200) func theirTimesShareTheSegment(seed: Int) {
        var dice = SeededGenerator(seed: UInt64(seed) + 7)
        let codes = LCDText.codes(dice.text(words: 1...40), rom: .a00, iconv: Iconv())
        let pages = TextPages.pages(codes, columns: dice.roll(8...40), rows: dice.roll(1...2))
        let start = dice.roll(0...10_000_000)
        let length = dice.roll(0...20_000)
        let line = Segment(text: "", startMilliseconds: start, endMilliseconds: start + length)
        let tick = dice.once(in: 2)
        let spoken = SpokenPages(line: line, pages: pages, secondsTick: tick)
        #expect(spoken.turnsMilliseconds.count == max(0, pages.count - 1))
        #expect(spoken.turnsMilliseconds == spoken.turnsMilliseconds.sorted())
        #expect(spoken.turnsMilliseconds.allSatisfy { $0 >= start && $0 <= start + length })
        let edges = [start] + spoken.turnsMilliseconds + [start + length]
        let total = pages.reduce(0) { $0 + $1.weight }
        for (i, page) in pages.enumerated() {
            let share = length * page.weight / max(1, total)
            // Turns may be moved onto the clock's seconds, by 0.3 s at either end.
            #expect(abs(edges[i + 1] - edges[i] - share) <= (tick ? 601 : 1))
            if edges[i] < edges[i + 1] {
                #expect(spoken.page(at: edges[i]).index == i)
                #expect(spoken.page(at: edges[i + 1] - 1).index == i)
            }
        }
        #expect(spoken.page(at: .min).index == 0)
        #expect(pages.isEmpty || spoken.page(at: .max).index == pages.count - 1)
    }

    @Test func noLonelyLastWord() {
        let pages = TextPages.pages(Array("Either the well was very deep or it".utf8), columns: 16, rows: 1)
        #expect(
            pages.map { String(decoding: $0.lines[0], as: UTF8.self) } == ["Either the", "well was very", "deep or it"])
    }

    @Test func aWordLongerThanTheGlassIsCut() {
        let pages = TextPages.pages(Array("a Donaudampfschifffahrt b".utf8), columns: 8, rows: 1)
        #expect(pages.map { String(decoding: $0.lines[0], as: UTF8.self) } == ["a", "Donaudam", "pfschiff", "fahrt b"])
    }

    @Test func progressRowsAreExactlyAsWideAsTheGlass() {
        var dice = SeededGenerator(seed: 1)
        for _ in 0..<5000 {
            let duration = dice.pick([nil, dice.roll(0...3_600_000_000), dice.roll(0...600_000)])
            let position = dice.roll(0...(duration ?? 3_600_000_000))
            let columns = dice.roll(8...40)
            let row = ProgressRow.codes(
                positionMilliseconds: position, durationMilliseconds: duration, columns: columns)
            #expect(row.count == columns)
            let elapsed = ProgressRow.clock(position / 1000)
            #expect(row.drop { $0 == 0x20 }.starts(with: elapsed.prefix(columns)))
        }
        #expect(ProgressRow.clock(0) == Array("0:00".utf8))
        #expect(ProgressRow.clock(3599) == Array("59:59".utf8))
        #expect(ProgressRow.clock(36_000) == Array("10:00:00".utf8))
    }

    /// Half an hour into an hour and more.
    @Test(arguments: [
        (20, 150, 754_000, 3_464_000, "12:34 -45:10 (30:06)"), (16, 150, 754_000, 3_464_000, "  -45:10 (30:06)"),
        (20, 200, 3_600_000, 12_000_000, "  -2:20:00 (1:10:00)"), (16, 200, 3_600_000, 12_000_000, nil),
        (20, 100, 754_000, 3_464_000, nil),
    ]) func theTimeLeftAtASpeedStandsToo(columns: Int, percent: Int, position: Int, duration: Int, text: String?) {
        func row(_ speed: Speed) -> [UInt8] {
            ProgressRow.codes(
                positionMilliseconds: position, durationMilliseconds: duration, columns: columns, speed: speed)
        }
        #expect(row(Speed(percent: percent)) == text.map { Array($0.utf8) } ?? row(.own))
        for columns in 1...60 {
            let codes = ProgressRow.codes(
                positionMilliseconds: position, durationMilliseconds: duration, columns: columns,
                speed: Speed(percent: percent))
            #expect(codes.count == columns)
        }
    }

    @Test func theBarGrowsByFifths() {
        var before = -1
        for value in 0...1000 {
            let bar = ProgressRow.bar(value, of: 1000, cells: 7)
            let steps = bar.reduce(0) { $0 + ($1 == 0x20 ? 0 : Int($1) - 2) }
            #expect(steps == value * 35 / 1000)
            #expect(steps - before <= 1 || value == 0)
            before = steps
        }
        #expect(ProgressRow.bar(5, of: 0, cells: 3) == [0x20, 0x20, 0x20])
    }
}
