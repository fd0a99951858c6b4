// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Typography

/// A button as large as a hand: a symbol, a word, or both.
struct SimpleButton {
    let symbol: Symbol
    var word = ""
    /// True for the most important button.
    var isPrimary = false
    /// True shows a ring in place of the symbol.
    var isBusy = false

    private func ink(_ theme: Theme) -> Color { isPrimary && !theme.isNight ? theme.onAccent : theme.text }

    func draw(_ picture: Picture, _ frame: PixelRect, _ measures: SimpleMeasures, _ element: Element) {
        let theme = picture.theme
        let radius = picture.stage.pixels(Radius.card)
        // At night surfaces do not glow, so an edge marks the button.
        let fill = isPrimary && !theme.isNight ? theme.accent : theme.secondaryFill
        picture.canvas.fill(frame, radius: radius, with: fill)
        if theme.isNight || theme.hasMoreContrast {
            let edge = theme.hasMoreContrast ? theme.text : theme.text.opacity(SimpleMetrics.nightEdge)
            let width = picture.stage.scale.line(SimpleMetrics.edge)
            picture.canvas.stroke(frame, radius: radius, width: width, with: edge)
        }
        if word.isEmpty {
            drawSign(picture, frame, measures)
        } else {
            drawWord(picture, frame, measures)
        }
        var element = element
        element.frame = frame
        picture.add(element)
    }

    private func drawSign(_ picture: Picture, _ frame: PixelRect, _ measures: SimpleMeasures) {
        let stage = picture.stage
        let ink = ink(picture.theme)
        let side = Int(Float(min(frame.width, frame.height)) * SimpleMetrics.signPart)
        let points = stage.scale.points(side)
        if isBusy { return Transport.drawRing(picture, in: frame, side: side, ink) }
        if symbol != .back && symbol != .forward { return picture.draw(symbol, in: frame, points: points, ink) }
        let most = Float(side) * SimpleMetrics.mostDigitsPart
        let line = Int(min(most, max(Float(measures.leastLine), Float(side) * SimpleMetrics.digitsPart)))
        let digits = stage.set("10", SimpleMeasures.style(line, .bold, stage), width: side)
        // The circle's center lies a little below the icon's.
        let y = frame.middle(height: digits.height).y + Int(Float(side) * Metrics.skipMiddle)
        // Written before the circle, which is not the digits' background.
        picture.write(digits, "10", x: frame.x, y: y, width: frame.width, ink, align: .center)
        picture.draw(symbol, in: frame, points: points, ink)
    }

    /// Draws the symbol above the word or before it. With room for only one, draws the word.
    private func drawWord(_ picture: Picture, _ frame: PixelRect, _ measures: SimpleMeasures) {
        let stage = picture.stage
        let ink = ink(picture.theme)
        let gap = measures.gap / 2
        let room = frame.inset(x: gap, y: 0)
        let set = stage.set(word, measures.words, width: room.width)
        let sign = Int(Float(set.height) * SimpleMetrics.wordSignPart)
        if frame.height >= set.height + sign + 3 * gap {
            let large = min(2 * sign, frame.height - set.height - 3 * gap, room.width)
            var place = frame.middle(height: large + gap + set.height)
            picture.draw(symbol, in: place.cutTop(large, gap: gap), points: stage.scale.points(large), ink)
            picture.write(set, word, in: place.inset(x: gap, y: 0), ink, align: .center)
        } else if room.width >= set.width + sign + gap {
            var place = room.middle(width: sign + gap + set.width)
            picture.draw(symbol, in: place.cutLeft(sign, gap: gap), points: stage.scale.points(sign), ink)
            picture.write(set, word, in: place, ink)
        } else {
            picture.write(set, word, in: room, ink, align: .center)
        }
    }
}
