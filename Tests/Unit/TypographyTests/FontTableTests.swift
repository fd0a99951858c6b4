// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Typography

@Suite struct FontTables {
    private func families(_ text: String) throws(FontTable.Mistake) -> [FontFamily] {
        try FontTable.families(Array(text.utf8))
    }

    @Test func aTable() throws {
        let families = try families(
            """
            # Arabic in Naskh
            U+0600-06FF, U+FB50-U+FDFF  /fonts/Naskh Regular.ttf
            * bold /fonts/Own-Bold.otf
            * /fonts/Own.otf\r
            U+1F600 /fonts/Smile.ttf

            """)
        let own = families.dropLast(FontFamily.standard.count)
        #expect(own.map(\.name) == ["Naskh Regular.ttf", "Own-Bold.otf", "Smile.ttf"])
        #expect(families.suffix(FontFamily.standard.count).map(\.name) == FontFamily.standard.map(\.name))
        #expect(families[0].ranges == [0x600...0x6FF, 0xFB50...0xFDFF])
        #expect(families[0].files[0].path == "/fonts/Naskh Regular.ttf")
        #expect(families[1].ranges.isEmpty)
        #expect(families[1].files.map(\.path) == ["/fonts/Own.otf", "/fonts/Own-Bold.otf"])
        #expect(families[2].has(0x1F600) && !families[2].has(0x1F601))
        #expect(try self.families("").count == FontFamily.standard.count)
    }

    @Test func mistakesNameTheirLine() {
        for (text, line) in [
            ("* /a.ttf\nU+0600-06FF\n", 2), ("U+06FF-0600 /a.ttf", 1), ("U+110000 /a.ttf", 1),
            ("\n\nheavy * /a.ttf", 3),
            ("/a.ttf", 1), ("* U+0600 /a.ttf", 1), ("0600-06FF /a.ttf", 1), ("U+ /a.ttf", 1),
            (String(repeating: "* /a.ttf\n", count: 101), 101),
        ] {
            let mistake = #expect(throws: FontTable.Mistake.self) { try families(text) }
            #expect(mistake?.line == line, "\(text.prefix(30))")
        }
    }

    /// Bytes at random are a table or a mistake.
    @Test func rubbish() {
        var state: UInt64 = 7
        for _ in 0..<2000 {
            let bytes = (0..<40).map { _ -> UInt8 in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Array("U+06-/* ,\nboldF\u{FF}".utf8)[Int(state >> 40) % 17]
            }
            _ = try? FontTable.families(bytes)
        }
    }

    /// A table's font comes before Debian's, for its characters only; one that is away or no font is told once, and the next stands in.
    @Test func whatIsUsed() throws {
        let dejavu = "/usr/share/fonts/opentype/inter/Inter-Bold.otf"
        guard FileManager.default.fileExists(atPath: dejavu) else { return }
        let book = try FontBook(
            try families(
                "U+0041-0042 \(dejavu)\nU+0043 /nowhere/at all.ttf\nU+0044 /etc/hostname\n"))
        let (a, c, d, e) = (
            book.font(for: 0x41, .regular), book.font(for: 0x43, .regular), book.font(for: 0x44, .regular),
            book.font(for: 0x45, .regular)
        )
        #expect(a != nil && a != e && c == e && d == e)
        for _ in 0..<3 {
            _ = book.font(for: 0x43, .regular)
            _ = book.font(for: 0x44, .bold)
        }
        #expect(
            book.missingFamilies == ["/nowhere/at all.ttf", "/etc/hostname, which is no font that can be read"])
    }
}
