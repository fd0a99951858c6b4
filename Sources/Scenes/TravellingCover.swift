// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels

/// A picture as it stands on a screen.
public struct ShownCover {
    var picture: Surface
    var frame: PixelRect
    /// The radius of its corners, in pixels.
    var radius: Int
    /// True if words and buttons stand on it.
    var hasWords = false
}

/// A cover that two screens show. During the transition it travels, above everything else, from its old place to its new one. Moments in
/// milliseconds.
struct TravellingCover {
    private let picture: Surface
    private let from: ShownCover
    private let to: ShownCover
    private let began: Int

    /// The most covers of a screen to compare.
    private static let mostCompared = 24
    /// The side of the reduced covers for the comparison, in pixels.
    private static let comparedSide = 12
    /// The greatest mean difference between two sizes of the same picture, in levels of 255.
    private static let alike: Float = 6
    /// The time in milliseconds at which the cover arrives and the next screen's own appears.
    private static var arrives: Int { Int(Motion.contentThere * 1000) }
    /// The place that stays bare until then; empty if words on the cover must be readable at once.
    var place: PixelRect { to.hasWords ? .zero : to.frame }

    /// Finds the largest picture that both screens show. Returns nil if there is none.
    init?(from: [ShownCover], to: [ShownCover], at moment: Int) {
        func largest(_ covers: [ShownCover]) -> [(cover: ShownCover, small: Surface)] {
            let sorted = covers.sorted { $0.frame.width * $0.frame.height > $1.frame.width * $1.frame.height }
            return sorted.prefix(TravellingCover.mostCompared).map { ($0, TravellingCover.small($0.picture)) }
        }
        if from.isEmpty || to.isEmpty { return nil }
        let before = largest(from)
        for (next, small) in largest(to) {
            let alike = before.filter { $0.small.meanDifference(from: small) < TravellingCover.alike }
            // A picture that both screens show at the same place stays there.
            guard let found = alike.first, !alike.contains(where: { $0.cover.frame == next.frame }) else { continue }
            (self.from, self.to, began) = (found.cover, next, moment - SceneChange.lead)
            picture = found.cover.picture.width > next.picture.width ? found.cover.picture : next.picture
            return
        }
        return nil
    }

    private static func small(_ picture: Surface) -> Surface {
        AreaReducer.reduced(picture, width: comparedSide, height: comparedSide)
    }

    /// Draws the cover over the transition. Returns false at the end.
    func draw(_ stage: Stage, on surface: Surface, at moment: Int) -> Bool {
        let passed = moment - began
        let time = Float(passed) / Float(TravellingCover.arrives)
        if time >= 1 { return false }
        let part = Motion.easeOut(time)
        func between(_ one: Int, _ other: Int) -> Int { one + Int((Float(other - one) * part).rounded()) }
        let frame = PixelRect(
            x: between(from.frame.x, to.frame.x), y: between(from.frame.y, to.frame.y),
            width: between(from.frame.width, to.frame.width), height: between(from.frame.height, to.frame.height))
        let shown = frame.intersection(stage.bounds)
        if shown.isEmpty { return true }
        let radius = between(from.radius, to.radius)
        // In the second half it fades so that the words appear.
        let before = to.hasWords && time > 0.5 ? surface.part(shown) : nil
        draw(stage, on: surface, in: frame, radius: radius)
        if let before { surface.fade(in: shown, over: before, part: 2 - 2 * time) }
        return true
    }

    /// Draws the cover at its final place on the next screen.
    func stay(_ stage: Stage, on surface: Surface) {
        if !to.hasWords { draw(stage, on: surface, in: to.frame, radius: to.radius) }
    }

    private func draw(_ stage: Stage, on surface: Surface, in frame: PixelRect, radius: Int) {
        let target = Picture(stage, on: surface)
        target.canvas.draw(picture, scaledTo: frame, radius: radius)
        target.canvas.fill(frame, radius: radius, with: stage.theme.pictureShade)
    }
}
