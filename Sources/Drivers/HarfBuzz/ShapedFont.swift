// SPDX-License-Identifier: Apache-2.0
import CHarfBuzz
import Posix

/// A font file that turns characters into positioned glyphs, in the font's units. The thread of its library.
public final class ShapedFont {
    public struct Glyph {
        public var index: UInt32
        /// The index of the first character that it represents.
        public var cluster: Int
        public var advance: Int
        public var right: Int
        public var up: Int
    }

    private let library: HarfBuzzLibrary
    private let file: MappedFile
    private let font: UnsafeMutableRawPointer
    public let unitsPerSize: Int

    /// Returns nil if there is no memory; a file that is no font has no glyphs.
    public init?(_ library: HarfBuzzLibrary, _ file: MappedFile) {
        let table = library.table
        // The font keeps the face, and that the blob.
        guard
            let blob = table.pointee.hb_blob_create(
                file.bytes.baseAddress!, UInt32(clamping: file.bytes.count), Int32(NS_HB_READ_ONLY), nil, nil)
        else { return nil }
        defer { table.pointee.hb_blob_destroy(blob) }
        guard let face = table.pointee.hb_face_create(blob, 0) else { return nil }
        defer { table.pointee.hb_face_destroy(face) }
        guard let font = table.pointee.hb_font_create(face) else { return nil }
        self.library = library
        self.file = file
        self.font = font
        unitsPerSize = max(1, Int(table.pointee.hb_face_get_upem(face)))
    }

    deinit { library.table.pointee.hb_font_destroy(font) }

    /// Shapes a part of a text with one script and direction, considering its neighbors.
    /// - Parameter digitsAlike: true gives all digits the same width, for counters.
    /// - Returns: the glyphs from left to right.
    public func shape(
        _ text: [UInt32], _ range: Range<Int>, script: UInt32, isRightToLeft: Bool, digitsAlike: Bool
    ) -> [Glyph] {
        let table = library.table.pointee
        let buffer = library.buffer
        table.hb_buffer_reset(buffer)
        text.withUnsafeBufferPointer { characters in
            table.hb_buffer_add_utf32(
                buffer, characters.baseAddress, Int32(characters.count), UInt32(range.lowerBound), Int32(range.count))
        }
        table.hb_buffer_set_direction(
            buffer, Int32(isRightToLeft ? NS_HB_RIGHT_TO_LEFT : NS_HB_LEFT_TO_RIGHT))
        if script != 0 { table.hb_buffer_set_script(buffer, script) }
        table.hb_buffer_guess_segment_properties(buffer)
        var features: [ns_hb_feature] = []
        if ShapedFont.isUncomposed(text, range) {
            features.append(ns_hb_feature(tag: ns_hb_composition, value: 0, start: 0, end: .max))
        }
        if digitsAlike { features.append(ns_hb_feature(tag: ns_hb_tabular_digits, value: 1, start: 0, end: .max)) }
        features.withUnsafeMutableBufferPointer { table.hb_shape(font, buffer, $0.baseAddress, UInt32($0.count)) }
        var count: UInt32 = 0
        guard let infos = table.hb_buffer_get_glyph_infos(buffer, &count),
            let positions = table.hb_buffer_get_glyph_positions(buffer, &count)
        else { return [] }
        var glyphs: [Glyph] = []
        glyphs.reserveCapacity(Int(count))
        for index in 0..<Int(count) {
            glyphs.append(
                Glyph(
                    index: infos[index].glyph, cluster: Int(infos[index].cluster),
                    advance: Int(positions[index].x_advance), right: Int(positions[index].x_offset),
                    up: Int(positions[index].y_offset)))
        }
        return glyphs
    }

    /// Returns true for Latin letters without marks, and punctuation. Only marks and other scripts need composed glyphs, and the search for
    /// them takes more than half the time of shaping a sentence.
    private static func isUncomposed(_ text: [UInt32], _ range: Range<Int>) -> Bool {
        for character in text[range] where character >= 0x180 && !(0x2010...0x2026).contains(character) { return false }
        return true
    }
}
