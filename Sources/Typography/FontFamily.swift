// SPDX-License-Identifier: Apache-2.0
/// The weight of letters.
public enum FontWeight: Int, Comparable, Sendable {
    case light, regular, medium, semibold, bold

    public static func < (a: FontWeight, b: FontWeight) -> Bool { a.rawValue < b.rawValue }
}

/// Related font files, and the characters for which they are used.
public struct FontFamily: Sendable {
    /// A font file. If a family lacks a weight, the next lighter one replaces it, made bolder if it is far off.
    public struct File: Sendable {
        public var weight: FontWeight
        public var path: String

        public init(_ weight: FontWeight, _ path: String) {
            self.weight = weight
            self.path = path
        }
    }

    public var name: String
    /// The character ranges; empty for all, in the family of ordinary text.
    public var ranges: [ClosedRange<UInt32>]
    /// The files from light to bold; of equal weights the first existing one counts.
    public var files: [File]
    /// The Debian package that contains them.
    public var package: String

    public init(_ name: String, package: String, ranges: [ClosedRange<UInt32>], files: [File]) {
        self.name = name
        self.package = package
        self.ranges = ranges
        self.files = files
    }

    func has(_ character: UInt32) -> Bool {
        if ranges.isEmpty { return true }
        for range in ranges where range.contains(character) { return true }
        return false
    }

    // MARK: Defaults

    private static func noto(_ script: String, _ ranges: [ClosedRange<UInt32>]) -> FontFamily {
        let stem = "/usr/share/fonts/truetype/noto/Noto" + script
        return FontFamily(
            "Noto " + script, package: "fonts-noto-core", ranges: ranges,
            files: [File(.regular, stem + "-Regular.ttf"), File(.bold, stem + "-Bold.ttf")])
    }

    /// Inter, and for other characters the fonts of Debian.
    public static var standard: [FontFamily] {
        [
            FontFamily(
                "Inter", package: "fonts-inter", ranges: [],
                files: [
                    File(.light, "/usr/share/fonts/opentype/inter/Inter-Light.otf"),
                    File(.regular, "/usr/share/fonts/opentype/inter/Inter-Regular.otf"),
                    File(.medium, "/usr/share/fonts/opentype/inter/Inter-Medium.otf"),
                    File(.semibold, "/usr/share/fonts/opentype/inter/Inter-SemiBold.otf"),
                    File(.bold, "/usr/share/fonts/opentype/inter/Inter-Bold.otf"),
                ]),
            noto(
                "SansArabic",
                [0x0600...0x06FF, 0x0750...0x077F, 0x0870...0x08FF, 0xFB50...0xFDFF, 0xFE70...0xFEFF]),
            noto("SansHebrew", [0x0590...0x05FF, 0xFB1D...0xFB4F]),
            noto("SansDevanagari", [0x0900...0x097F, 0xA8E0...0xA8FF]),
            noto("SansBengali", [0x0980...0x09FF]),
            noto("SansTamil", [0x0B80...0x0BFF]),
            noto("SansThai", [0x0E00...0x0E7F]),
            noto("SansArmenian", [0x0530...0x058F]),
            noto("SansGeorgian", [0x10A0...0x10FF, 0x1C90...0x1CBF]),
            FontFamily(
                "Noto Color Emoji", package: "fonts-noto-color-emoji",
                ranges: [
                    0x200D...0x200D, 0x20E3...0x20E3, 0x2190...0x21FF, 0x2300...0x27BF, 0x2B00...0x2BFF,
                    0x1F000...0x1FAFF,
                ],
                files: [File(.regular, "/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf")]),
            FontFamily(
                "Droid Sans Fallback", package: "fonts-droid-fallback",
                ranges: [
                    0x1100...0x11FF, 0x2E80...0xA4CF, 0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFE30...0xFE4F,
                    0xFF00...0xFFEF,
                ],
                files: [
                    File(.regular, "/usr/share/fonts-droid-fallback/truetype/DroidSansFallback.ttf"),
                    File(.regular, "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf"),
                ]),
            noto("Sans", []),
            FontFamily(
                "DejaVu Sans", package: "fonts-dejavu-core", ranges: [],
                files: [
                    File(.regular, "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"),
                    File(.bold, "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"),
                ]),
        ]
    }
}
