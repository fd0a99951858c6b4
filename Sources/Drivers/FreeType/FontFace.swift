// SPDX-License-Identifier: Apache-2.0
import CFreeType
import Posix

/// A font file that renders glyphs as pixels. The thread of its library.
public final class FontFace {
    /// The pixels of a glyph, valid until the next is drawn.
    public struct Glyph {
        /// The distance from the pen to the left edge, and from the baseline up to the top edge.
        public var left: Int
        public var top: Int
        public var width: Int
        public var height: Int
        /// The bytes from one row to the next.
        public var pitch: Int
        /// True for four bytes a pixel, premultiplied blue, green, red and opacity; false for one byte.
        public var isColored: Bool
        public var bytes: UnsafePointer<UInt8>
        /// The glyph's pixels per requested pixel: color glyphs come in fixed sizes.
        public var scale: Float
    }

    private let library: FreeTypeLibrary
    private let file: MappedFile
    private let face: UnsafeMutablePointer<ns_ft_face>
    /// The size in 64ths of a pixel, 0 for none yet.
    private var size = 0

    /// Returns nil if FreeType cannot read the file as a font.
    public init?(_ library: FreeTypeLibrary, _ file: MappedFile) {
        var face: UnsafeMutablePointer<ns_ft_face>?
        guard
            library.table.pointee.FT_New_Memory_Face(
                library.handle, file.bytes.baseAddress!, file.bytes.count, 0, &face) == 0, let face
        else { return nil }
        self.library = library
        self.file = file
        self.face = face
    }

    deinit { _ = library.table.pointee.FT_Done_Face(face) }

    /// The number of font units in the font's size.
    public var unitsPerSize: Int { max(1, Int(face.pointee.units)) }
    public var ascender: Int { Int(face.pointee.ascender) }
    public var descender: Int { Int(face.pointee.descender) }
    /// True if the glyphs are pictures with their own colors.
    public var isColored: Bool { !isScalable }
    private var isScalable: Bool { face.pointee.flags & Int(NS_FT_SCALABLE) != 0 }

    /// Returns the glyph of a character; 0 if the font has none.
    public func glyph(for character: UInt32) -> UInt32 {
        library.table.pointee.FT_Get_Char_Index(face, UInt(character))
    }

    /// Draws a glyph.
    /// - Parameters:
    ///   - size: the size in 64ths of a pixel.
    ///   - shift: the distance from the pixel's left edge, in 64ths.
    ///   - boldness: the additional thickness of strokes, in 64ths, around the same center.
    /// - Returns: nil if it cannot be drawn, or has no pixels, such as a space.
    public func draw(_ glyph: UInt32, size: Int, shift: Int, boldness: Int = 0) -> Glyph? {
        let table = library.table
        var scale: Float = 1
        if size != self.size {
            self.size = size
            if isScalable {
                _ = table.pointee.FT_Set_Char_Size(face, 0, Int(size), 72, 72)
            } else if face.pointee.strike_count > 0 {
                _ = table.pointee.FT_Select_Size(face, 0)
            }
        }
        // Bolder glyphs are rendered after the change of the outline.
        let isBolder = isScalable && boldness > 0
        var flags = isBolder ? 0 : Int32(NS_FT_RENDER)
        if isScalable {
            flags |= Int32(NS_FT_NO_HINTING)
            // Otherwise the glyph would grow upward and to the right.
            let half = isBolder ? boldness / 2 : 0
            var delta = ns_ft_vector(x: Int(shift) - half, y: -half)
            table.pointee.FT_Set_Transform(face, nil, &delta)
        } else if face.pointee.strike_count > 0 {
            flags |= Int32(NS_FT_COLOR)
            scale = Float(face.pointee.strikes[0].y_ppem) / Float(size)
        }
        guard table.pointee.FT_Load_Glyph(face, glyph, flags) == 0 else { return nil }
        if isBolder, let slot = face.pointee.slot {
            _ = table.pointee.FT_Outline_Embolden(&slot.pointee.outline, boldness)
            _ = table.pointee.FT_Render_Glyph(slot, 0)
        }
        guard let slot = face.pointee.slot?.pointee, let bytes = slot.bitmap.buffer, slot.bitmap.rows > 0,
            slot.bitmap.width > 0,
            slot.bitmap.mode == UInt8(NS_FT_GREY) || slot.bitmap.mode == UInt8(NS_FT_BGRA)
        else { return nil }
        return Glyph(
            left: Int(slot.left), top: Int(slot.top), width: Int(slot.bitmap.width), height: Int(slot.bitmap.rows),
            pitch: Int(slot.bitmap.pitch), isColored: slot.bitmap.mode == UInt8(NS_FT_BGRA), bytes: bytes,
            scale: scale)
    }
}
