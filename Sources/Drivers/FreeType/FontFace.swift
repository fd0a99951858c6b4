// SPDX-License-Identifier: Apache-2.0
import CFreeType
import Posix

/// A font file that becomes pixels of glyphs. The thread of its library.
public final class FontFace {
    /// A glyph in pixels, good until the next is asked for.
    public struct Glyph {
        /// From the pen to the left edge, and from the baseline up to the top edge.
        public var left: Int
        public var top: Int
        public var width: Int
        public var height: Int
        /// Bytes from one row to the next.
        public var pitch: Int
        /// One byte a pixel, or four: blue, green, red and opacity, multiplied by it.
        public var isColored: Bool
        public var bytes: UnsafePointer<UInt8>
        /// Pixels of the glyph for one of the size that was asked for: pictures come in sizes of their own.
        public var scale: Float
    }

    private let library: FreeTypeLibrary
    private let file: MappedFile
    private let face: UnsafeMutablePointer<ns_ft_face>
    /// In 64ths of a pixel, 0 for none yet.
    private var size = 0

    /// Nil where the file is no font that FreeType reads.
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

    /// Of the font's own units, how many are as long as its size.
    public var unitsPerSize: Int { max(1, Int(face.pointee.units)) }
    public var ascender: Int { Int(face.pointee.ascender) }
    public var descender: Int { Int(face.pointee.descender) }
    /// Its glyphs are pictures with their own colours.
    public var isColored: Bool { !isScalable }
    private var isScalable: Bool { face.pointee.flags & Int(NS_FT_SCALABLE) != 0 }

    /// 0 where the font has none for the character.
    public func glyph(for character: UInt32) -> UInt32 {
        library.table.pointee.FT_Get_Char_Index(face, UInt(character))
    }

    /// Draws a glyph.
    /// - Parameters:
    ///   - size: in 64ths of a pixel.
    ///   - shift: by how much it stands right of the pixel's edge, in 64ths.
    ///   - boldness: so much thicker its strokes are than the font has them, in 64ths; around the same middle.
    /// - Returns: nil where it cannot be drawn, and for one without pixels, such as a space.
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
        // Bolder glyphs are rendered after the change.
        let isBolder = isScalable && boldness > 0
        var flags = isBolder ? 0 : Int32(NS_FT_RENDER)
        if isScalable {
            flags |= Int32(NS_FT_NO_HINTING)
            // It would become thicker upwards and to the right.
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
