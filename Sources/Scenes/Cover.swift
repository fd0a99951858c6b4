// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Typography

/// A picture with rounded corners, or a symbol if there is no picture.
struct Cover {
    let picture: Surface?
    let symbol: Symbol
    let radius: Float
    /// The text on a large cover without a picture; "" for the symbol.
    var title = ""
    var author = ""
    /// The width of what stands in the lower right corner, in points.
    var corner: Float = 0

    /// Returns the gradient for something without a picture, chosen by its name so that neighbors differ.
    static func gradient(of name: String) -> GradientToken {
        let kinds = GradientToken.allCases
        var sum = 0
        for byte in name.utf8 { sum = (sum * 31 + Int(byte)) & 0xFFFF }
        return kinds[sum % kinds.count]
    }

    /// The same colors, more saturated and dark enough for white letters.
    static func deep(_ token: GradientToken, _ theme: Theme) -> Gradient {
        let gradient = token.gradient(in: .light)
        let (light, dark, night) = Metrics.coverDepth
        let depth = theme.isNight ? night : theme.isDark || theme.hasMoreContrast ? dark : light
        func deep(_ color: Color) -> Color {
            let mean = (color.red + color.green + color.blue) / 3
            func channel(_ level: Int) -> UInt32 {
                let full = min(255, max(0, mean + (level - mean) * Metrics.coverChroma))
                return UInt32(Float(full) * depth)
            }
            return Color(channel(color.red) << 16 | channel(color.green) << 8 | channel(color.blue))
        }
        return Gradient(deep(gradient.start), deep(gradient.end))
    }

    func draw(_ target: Picture, _ rect: PixelRect, gradient: GradientToken = .lilacBlush) {
        let stage = target.stage
        let theme = target.theme
        let round = stage.pixels(radius)
        if let picture {
            target.canvas.draw(picture, scaledTo: rect, radius: round)
            target.add(ShownCover(picture: picture, frame: rect, radius: round))
            target.canvas.fill(rect, radius: round, with: theme.pictureShade)
        } else {
            target.canvas.fill(rect, radius: round, with: Cover.deep(gradient, theme))
            if title.isEmpty || stage.scale.points(min(rect.width, rect.height)) < Metrics.typesetCover {
                let size = stage.scale.points(min(rect.width, rect.height)) * Metrics.placeholderPart
                target.draw(symbol, in: rect, points: size, theme.placeholderSymbol)
            } else {
                typeset(target, rect)
            }
        }
        target.canvas.stroke(
            rect, radius: round, width: stage.scale.line(0.5), with: theme.text.opacity(Metrics.coverEdge))
    }

    /// Sets the title in type, as on a cover that has only words.
    private func typeset(_ target: Picture, _ rect: PixelRect) {
        let stage = target.stage
        let ink = Color(0xFFFFFF)
        let frame = rect.inset(by: stage.pixels(Spacing.related))
        target.canvas.stroke(
            frame, radius: stage.pixels(Spacing.mini), width: stage.scale.line(0.5),
            with: ink.opacity(Metrics.coverFrame))
        var room = rect.inset(by: stage.pixels(Spacing.medium + Spacing.mini))
        let small = TypeStyle.footnote
        if !author.isEmpty {
            var place = room.cutBottom(stage.lineHeight(small), gap: stage.pixels(Spacing.mini))
            _ = place.cutRight(stage.pixels(corner))
            target.write(author, small, in: place, ink)
        }
        let style: TypeStyle = stage.scale.points(rect.width) < Metrics.cardLeast ? .headline : .title2
        let (set, _) = stage.fit(
            title, [style, .headline, .subheadline, .footnote], width: room.width, height: room.height)
        target.write(set, title, in: room.top(set.height), ink)
    }
}
