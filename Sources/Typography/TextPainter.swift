// SPDX-License-Identifier: Apache-2.0
import Pixels

/// Draws texts that are set. One thread.
public final class TextPainter {
    private let cache: GlyphCache
    /// The size, in 64ths of a pixel, below which letters are drawn at two positions within a pixel, so that they keep their even spacing.
    private static let largeSize = 36 << 6
    private static let cacheBytes = 512 * 1024

    public init(_ fonts: FontBook) { cache = GlyphCache(fonts, capacity: TextPainter.cacheBytes) }

    /// Draws lines of the text; its first line has its top at `y`.
    /// - Parameter lines: the lines to draw; nil for all.
    public func draw(
        _ text: TextLayout, lines: Range<Int>? = nil, on canvas: Canvas, x: Int, y: Int, width: Int, _ color: Color,
        align alignment: TextAlignment = .leading
    ) {
        for index in lines?.clamped(to: text.lines.indices) ?? text.lines.indices {
            let line = text.lines[index]
            let top = y + index * text.style.lineHeight
            if top >= canvas.clip.maxY || top + text.style.lineHeight <= canvas.clip.y { continue }
            draw(line, of: text, on: canvas, x: x << 6, top: top, room: width << 6, alignment, color)
        }
    }

    /// Draws some of the characters alone, over an earlier drawing, in another color.
    public func draw(
        _ text: TextLayout, only characters: [Range<Int>], on canvas: Canvas, x: Int, y: Int, width: Int, _ color: Color
    ) {
        for (index, line) in text.lines.enumerated() {
            for glyph in line.glyphs {
                let character = text.glyphs[glyph].character
                if !characters.contains(where: { $0.contains(character) }) { continue }
                var one = line
                one.glyphs = glyph..<glyph + 1
                draw(
                    one, of: text, on: canvas, x: x << 6, top: y + index * text.style.lineHeight, room: width << 6,
                    .leading, color)
            }
        }
    }

    /// Draws the text with each glyph some pixels below its final place and partly transparent.
    public func drawCascade(
        _ text: TextLayout, on canvas: Canvas, x: Int, y: Int, width: Int, _ color: Color,
        align alignment: TextAlignment, _ place: (Int) -> (down: Int, part: Float)
    ) {
        for (index, line) in text.lines.enumerated() {
            for glyph in line.glyphs {
                let (down, part) = place(glyph)
                if part <= 0 { continue }
                var one = line
                one.glyphs = glyph..<glyph + 1
                draw(
                    one, of: text, on: canvas, x: x << 6, top: y + index * text.style.lineHeight + down,
                    room: width << 6, alignment, color.opacity(part))
            }
        }
    }

    /// Returns the text's coverage, for repeated drawing while it moves up and down; nil where some of it has colors of its own.
    /// - Parameters:
    ///   - inset: the distance of the text from the left edge of the surface.
    ///   - width: the width of the whole surface, a multiple of four pixels.
    ///   - room: the width of the lines.
    public func ink(_ text: TextLayout, inset: Int, width: Int, room: Int) -> Ink? {
        let mask = Mask(width: width, height: text.height)
        for (index, line) in text.lines.enumerated() {
            var isPlain = true
            eachGlyph(line, of: text, x: inset << 6, top: index * text.style.lineHeight, room: room << 6, .leading) {
                slot, x, y in
                isPlain = isPlain && !slot.isColored
                if isPlain {
                    mask.add(
                        cache.bytes(slot), pitch: slot.pitch, width: slot.width, height: slot.height, x: x, y: y)
                }
            }
            if !isPlain { return nil }
        }
        return Ink(mask)
    }

    private func draw(
        _ line: TextLayout.Line, of text: TextLayout, on canvas: Canvas, x: Int, top: Int, room: Int,
        _ alignment: TextAlignment, _ color: Color
    ) {
        let seen = canvas.clip.x..<max(canvas.clip.x, canvas.clip.maxX)
        eachGlyph(line, of: text, x: x, top: top, room: room, alignment, within: seen) { slot, left, upper in
            if slot.isColored {
                canvas.draw(
                    premultiplied: cache.pixels(slot), width: slot.width, height: slot.height, x: left, y: upper,
                    alpha: color.alpha)
            } else {
                canvas.draw(
                    mask: cache.bytes(slot), pitch: slot.pitch, width: slot.width, height: slot.height, x: left,
                    y: upper,
                    with: color)
            }
        }
    }

    /// Calls back with every glyph that has pixels, and its top left corner.
    /// - Parameter seen: the visible columns of the surface; glyphs further away than the letters' size are skipped.
    private func eachGlyph(
        _ line: TextLayout.Line, of text: TextLayout, x: Int, top: Int, room: Int, _ alignment: TextAlignment,
        within seen: Range<Int>? = nil, _ draw: (GlyphCache.Slot, Int, Int) -> Void
    ) {
        let spare = room - line.width
        let start: Int
        switch alignment {
        case .center: start = x + spare / 2
        case .leading: start = text.isRightToLeft ? x + spare : x
        case .trailing: start = text.isRightToLeft ? x : x + spare
        }
        let isLarge = text.style.size >= TextPainter.largeSize
        let first = seen.map { ($0.lowerBound << 6) - text.style.size - start } ?? .min
        let last = seen.map { ($0.upperBound << 6) + text.style.size - start } ?? .max
        for index in line.glyphs {
            let glyph = text.glyphs[index]
            if glyph.x > last { continue }
            if glyph.x < first && (index + 1 < line.glyphs.upperBound ? text.glyphs[index + 1].x : line.width) < first {
                continue
            }
            // Round to half a pixel, or to a whole one.
            let at = start + glyph.x + (isLarge ? 32 : 16)
            let shift = isLarge ? 0 : at & 32
            let slot = cache.glyph(font: glyph.font, glyph.index, size: text.style.size, shift: shift)
            if slot.offset < 0 { continue }
            draw(slot, at >> 6 + slot.left, top + text.baseline - (glyph.y + 32) >> 6 - slot.top)
        }
    }
}
