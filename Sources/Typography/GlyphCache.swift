// SPDX-License-Identifier: Apache-2.0
import FreeType
import Pixels

/// The pixels of glyphs, in a memory area that never grows. When it is full, all are dropped, and visible ones are drawn again. One thread.
final class GlyphCache {
    struct Slot {
        var left: Int
        var top: Int
        var width: Int
        var height: Int
        /// The distance of rows, in pixels.
        var pitch: Int
        /// The offset in the memory; -1 for a glyph without pixels.
        var offset: Int
        var isColored: Bool
    }

    private let fonts: FontBook
    private let memory: UnsafeMutableRawPointer
    private let capacity: Int
    private var used = 0
    private var slots = GlyphTable()

    /// - Parameter capacity: the size in bytes. Unused memory is never touched.
    init(_ fonts: FontBook, capacity: Int) {
        self.fonts = fonts
        self.capacity = capacity
        memory = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit { memory.deallocate() }

    func bytes(_ slot: Slot) -> UnsafePointer<UInt8> {
        UnsafePointer((memory + slot.offset).assumingMemoryBound(to: UInt8.self))
    }

    func pixels(_ slot: Slot) -> UnsafePointer<UInt32> {
        UnsafePointer((memory + slot.offset).assumingMemoryBound(to: UInt32.self))
    }

    /// Returns a glyph's slot, valid until the next call.
    /// - Parameter shift: the position within a pixel, 0…63 in 64ths.
    func glyph(font: Int, _ index: UInt32, size: Int, shift: Int) -> Slot {
        let key = UInt64(font) << 56 | UInt64(index) << 24 | UInt64(size & 0x3FFFF) << 6 | UInt64(shift)
        if let known = slots.find(key) { return known }
        let slot = draw(font, index, size, shift)
        slots.insert(slot, key)
        return slot
    }

    private func draw(_ font: Int, _ index: UInt32, _ size: Int, _ shift: Int) -> Slot {
        let none = Slot(left: 0, top: 0, width: 0, height: 0, pitch: 0, offset: -1, isColored: false)
        let face = fonts.fonts[font]
        let boldness = face.boldness * size / FontBook.Font.boldnessParts
        guard let glyph = face.drawn.draw(index, size: size, shift: shift, boldness: boldness) else { return none }
        if glyph.isColored { return reduce(glyph, size) ?? none }
        // Rows are drawn four pixels at a time.
        let pitch = (glyph.width + 3) & ~3
        guard let offset = reserve(pitch * glyph.height) else { return none }
        for row in 0..<glyph.height {
            let line = memory + (offset + row * pitch)
            line.copyMemory(from: glyph.bytes + row * glyph.pitch, byteCount: glyph.width)
            for rest in glyph.width..<pitch { line.storeBytes(of: 0, toByteOffset: rest, as: UInt8.self) }
        }
        return Slot(
            left: glyph.left, top: glyph.top, width: glyph.width, height: glyph.height, pitch: pitch, offset: offset,
            isColored: false)
    }

    /// Scales a color picture, which the font has in one size only.
    private func reduce(_ glyph: FontFace.Glyph, _ size: Int) -> Slot? {
        // The number of its pixels per pixel of ours.
        let scale = glyph.scale
        let width = max(1, Int((Float(glyph.width) / scale).rounded()))
        let height = max(1, Int((Float(glyph.height) / scale).rounded()))
        let reducer = AreaReducer(sourceWidth: glyph.width, sourceHeight: glyph.height, width: width, height: height)
        guard let offset = reserve(reducer.width * reducer.height * 4) else { return nil }
        let pixels = (memory + offset).assumingMemoryBound(to: UInt32.self)
        for row in 0..<glyph.height {
            let line = UnsafeRawPointer(glyph.bytes + row * glyph.pitch).assumingMemoryBound(to: UInt32.self)
            reducer.take(line) { y in pixels + min(y, reducer.height - 1) * reducer.width }
        }
        return Slot(
            left: Int((Float(glyph.left) / scale).rounded()), top: Int((Float(glyph.top) / scale).rounded()),
            width: reducer.width, height: reducer.height, pitch: reducer.width, offset: offset, isColored: true)
    }

    private func reserve(_ bytes: Int) -> Int? {
        let room = (bytes + 15) & ~15
        if room > capacity { return nil }
        if used + room > capacity {
            slots.removeAll()
            used = 0
        }
        defer { used += room }
        return used
    }
}
