// SPDX-License-Identifier: Apache-2.0
import FreeType
import HarfBuzz
import Posix

/// The fonts of the texts; a file is opened at the first character that needs it. One thread.
public final class FontBook {
    /// An open font file.
    final class Font {
        let file: MappedFile
        let drawn: FontFace
        let shaped: ShapedFont
        /// The size in units of `unitsPerSize`.
        let unitsPerSize: Int
        let ascender: Int
        let descender: Int
        let isColored: Bool
        /// The additional thickness of strokes, in `Font.boldnessParts` of the size; 0 for none.
        let boldness: Int
        /// The parts of the size. From regular to bold is a 24th of the size, as in FreeType.
        static let boldnessParts = 72

        /// Makes a bolder version of a font.
        init(_ other: Font, boldness: Int) {
            (file, drawn, shaped) = (other.file, other.drawn, other.shaped)
            (unitsPerSize, isColored) = (other.unitsPerSize, other.isColored)
            (ascender, descender) = (other.ascender, other.descender)
            self.boldness = boldness
        }

        init?(_ book: FontBook, _ path: String) {
            guard let file = MappedFile(path: path), let drawn = FontFace(book.freeType, file),
                let shaped = ShapedFont(book.harfBuzz, file)
            else { return nil }
            self.file = file
            self.drawn = drawn
            self.shaped = shaped
            unitsPerSize = shaped.unitsPerSize
            ascender = drawn.ascender
            descender = drawn.descender
            isColored = drawn.isColored
            boldness = 0
        }
    }

    /// The most fonts, limited by the glyph's key.
    private static let mostFonts = 128

    let freeType: FreeTypeLibrary
    let harfBuzz: HarfBuzzLibrary
    private let families: [FontFamily]
    private(set) var fonts: [Font] = []
    /// The index in `fonts` by family and weight, or -1 if there is none.
    private var opened: [Int: Int] = [:]
    private var isMissing: [Bool]
    /// The index in `fonts` plus one for the characters below U+0080, by weight; 0 before the first search.
    private var ordinary = [UInt8](repeating: 0, count: (FontWeight.bold.rawValue + 1) << 7)
    /// The font and glyph of a letter in another weight, by that weight, the font and the glyph.
    private var others: [UInt64: (font: Int, glyph: UInt32)] = [:]
    /// The characters with a known counterpart, by both weights.
    private var paired: Set<UInt64> = []
    private static let mostPaired = 4096
    /// The families that a text needs and the board lacks, and files that are no fonts, each once.
    public private(set) var missingFamilies: [String] = []

    /// - Throws: if a library is missing.
    public init(_ families: [FontFamily] = FontFamily.standard) throws(MissingLibrary) {
        freeType = try FreeTypeLibrary()
        harfBuzz = try HarfBuzzLibrary()
        self.families = families
        isMissing = [Bool](repeating: false, count: families.count)
    }

    /// Releases the pages of the fonts: later reads bring them back.
    public func giveBack() { for font in fonts { font.file.giveBack() } }

    /// Returns the font of a character as an index of `fonts`; nil without any font.
    /// - Parameter isPicture: true if the selector for a color picture follows the character.
    func font(for character: UInt32, _ weight: FontWeight, isPicture: Bool = false) -> Int? {
        if character >= 0x80 || isPicture { return search(character, weight, isPicture: isPicture) }
        // These most frequent characters are cached.
        let place = weight.rawValue << 7 | Int(character)
        if ordinary[place] > 0 { return Int(ordinary[place]) - 1 }
        let found = search(character, weight, isPicture: false)
        if let found { ordinary[place] = UInt8(found + 1) }
        return found
    }

    /// Returns the same letter in another weight; nil if unknown.
    func other(_ font: Int, _ glyph: UInt32, _ weight: FontWeight) -> (font: Int, glyph: UInt32)? {
        others[UInt64(weight.rawValue) << 56 | UInt64(font) << 32 | UInt64(glyph)]
    }

    /// Finds the letters of these characters in both weights, unless they are known.
    func pair(_ characters: [UInt32], _ weight: FontWeight, with wanted: FontWeight) {
        if paired.count > FontBook.mostPaired {
            paired.removeAll()
            others.removeAll()
        }
        for character in characters {
            let key = UInt64(weight.rawValue << 8 | wanted.rawValue) << 32 | UInt64(character)
            guard paired.insert(key).inserted else { continue }
            guard let font = font(for: character, weight), let other = self.font(for: character, wanted) else {
                continue
            }
            let (glyph, otherGlyph) = (
                fonts[font].drawn.glyph(for: character), fonts[other].drawn.glyph(for: character)
            )
            if glyph == 0 || otherGlyph == 0 { continue }
            others[UInt64(wanted.rawValue) << 56 | UInt64(font) << 32 | UInt64(glyph)] = (other, otherGlyph)
        }
    }

    private func search(_ character: UInt32, _ weight: FontWeight, isPicture: Bool) -> Int? {
        var fallback: Int?
        // Characters of special families, and pictures, are not searched in the first family.
        let isSpecial = isPicture || character >= 0x1F000
        for (index, family) in families.enumerated() where family.has(character) {
            if isSpecial && family.ranges.isEmpty { continue }
            guard let font = open(index, weight) else { continue }
            if fonts[font].drawn.glyph(for: character) != 0 { return font }
            if fallback == nil { fallback = font }
        }
        return isSpecial ? self.font(inAny: character, weight) : fallback ?? first(weight)
    }

    private func font(inAny character: UInt32, _ weight: FontWeight) -> Int? {
        for (index, family) in families.enumerated() where family.ranges.isEmpty {
            guard let font = open(index, weight) else { continue }
            if fonts[font].drawn.glyph(for: character) != 0 { return font }
        }
        return first(weight)
    }

    /// Returns the font of ordinary text.
    func first(_ weight: FontWeight) -> Int? {
        for (index, family) in families.enumerated() where family.ranges.isEmpty {
            if let font = open(index, weight) { return font }
        }
        return nil
    }

    private func open(_ index: Int, _ weight: FontWeight) -> Int? {
        if isMissing[index] { return nil }
        let key = index << 8 | weight.rawValue
        if let known = opened[key] { return known < 0 ? nil : known }
        let family = families[index]
        // Prefer the weight itself, then lighter ones from the heaviest on, then heavier ones.
        var best: (rank: Int, file: Int)?
        for (place, file) in family.files.enumerated() {
            let away = weight.rawValue - file.weight.rawValue
            let rank = away >= 0 ? away : 10 - away
            if rank < best?.rank ?? .max, Files.exists(file.path) { best = (rank, place) }
        }
        guard let best else {
            isMissing[index] = true
            missingFamilies.append(
                family.package.isEmpty
                    ? family.files.first?.path ?? family.name : family.name + " (package " + family.package + ")")
            return nil
        }
        // Two weights may use the same file.
        let fileKey = index << 8 | 0x80 | best.file
        var font = opened[fileKey] ?? -1
        if font < 0 && opened[fileKey] == nil {
            if fonts.count < FontBook.mostFonts, let made = Font(self, family.files[best.file].path) {
                fonts.append(made)
                font = fonts.count - 1
            } else {
                missingFamilies.append(family.files[best.file].path + ", which is no font that can be read")
            }
            opened[fileKey] = font
        }
        // Without a file of about that weight, make the letters bolder: Chinese has one weight.
        let lacking = weight.rawValue - family.files[best.file].weight.rawValue
        if font >= 0, weight >= .semibold, lacking > 1, !fonts[font].isColored, fonts.count < FontBook.mostFonts {
            fonts.append(Font(fonts[font], boldness: lacking))
            font = fonts.count - 1
        }
        opened[key] = font
        return font < 0 ? nil : font
    }
}
