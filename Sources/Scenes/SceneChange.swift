// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels

/// The transition between two screens. The old content disappears first, then the new one comes from slightly below, so no two texts
/// overlap. The background fades more slowly, and bars that both screens have stay in place. Moments in milliseconds.
///
/// Each step is a cross-fade of two pictures. The first leads from the old screen to bare ground, the second to the new content on that
/// moment's ground, and the third to the final screen.
struct SceneChange {
    /// The final pixels of the next screen.
    let to: Surface
    /// The surfaces at the step's start and end.
    private var from: Surface
    private var into: Surface
    private var step = Step.goes
    private let began: Int
    private let isShifted: Bool
    /// The bars that both screens have, as the old screen showed them.
    private let bars: [(place: PixelRect, before: Surface)]

    private enum Step: Int {
        case goes, comes, settles
    }

    /// The end of each step, and the progress of the ground by then.
    private static let ends: [(milliseconds: Int, ground: Float)] = [
        (Int(Motion.contentGone * 1000), 0.1), (Int(Motion.contentThere * 1000), 0.5), (Int(Motion.content * 1000), 1),
    ]
    /// The head start in milliseconds, so that the first frame already differs.
    static let lead = 16
    /// The place that a traveling cover heads for; it stays bare until the new content is there.
    var bare = PixelRect.zero

    /// - Parameters:
    ///   - from: the screen before, with its content.
    ///   - ground: the ground of the screen before. The transition draws on it.
    ///   - to: the next screen, drawn apart.
    ///   - toGround: the ground of the next screen.
    ///   - bars: the parts that both screens share.
    init(
        from: Surface, ground: Surface, to: Surface, toGround: Surface, bars: [PixelRect], isShifted: Bool,
        at moment: Int
    ) {
        (self.from, self.to, self.isShifted, began) = (from, to, isShifted, moment - SceneChange.lead)
        self.bars = bars.map { ($0, from.part($0)) }
        into = ground
        let part = Int(SceneChange.ends[0].ground * 256)
        for y in 0..<to.height {
            Rows.crossFade(into.row(y), into.row(y), toGround.row(y), count: to.width, part: part)
        }
    }

    /// Returns the seconds since the beginning; nil at the end.
    func seconds(at moment: Int) -> Float? {
        let passed = moment - began
        return passed >= SceneChange.ends[2].milliseconds ? nil : Float(passed) / 1000
    }

    /// Updates a place of the second step with the next screen's pixels, on the ground of that moment.
    /// - Parameter ground: the next screen's ground, at that place.
    mutating func renew(_ place: PixelRect, ground: Surface) {
        guard step == .comes else { return }
        let part = (1 - SceneChange.ends[1].ground) / (1 - SceneChange.ends[0].ground)
        for y in place.y..<place.maxY {
            Rows.copy(into.row(y) + place.x, to.row(y) + place.x, count: place.width)
            Rows.rebase(
                into.row(y) + place.x, from: ground.row(y) + place.x, to: self.from.row(y) + place.x,
                part: Int(part * 128), count: place.width)
        }
        let bare = bare.intersection(place)
        for y in bare.y..<bare.maxY {
            Rows.crossFade(
                into.row(y) + bare.x, from.row(y) + bare.x, ground.row(y) + bare.x, count: bare.width,
                part: Int((1 - part) * 256))
        }
    }

    /// Advances to the step of a moment. Returns true if `renew` must be called for the whole screen.
    /// - Parameter arrive: draws a cover that has reached its place.
    mutating func goOn(at moment: Int, arrive: (Surface) -> Void) -> Bool {
        let passed = moment - began
        if step == .goes && passed >= SceneChange.ends[0].milliseconds {
            step = .comes
            swap(&from, &into)
            if passed < SceneChange.ends[1].milliseconds { return true }
            // A slow board has skipped this step.
            into = from
        }
        if step == .comes && passed >= SceneChange.ends[1].milliseconds {
            step = .settles
            (from, into) = (into, to)
            arrive(from)
        }
        return false
    }

    /// Draws the transition. Returns false when the next screen is complete.
    func draw(_ stage: Stage, on surface: Surface, at moment: Int) -> Bool {
        let passed = moment - began
        let (end, reached) = SceneChange.ends[step.rawValue]
        let (start, before) = step == .goes ? (0, 0) : SceneChange.ends[step.rawValue - 1]
        if step == .settles && passed >= end {
            surface.put(to, x: 0, y: 0)
            return false
        }
        let part = Motion.easeOut(Float(passed - start) / Float(end - start))
        let shift =
            isShifted && step == .comes ? Int(Float(stage.pixels(Motion.screenOffset)) * (1 - part)) : 0
        for y in 0..<surface.height {
            Rows.crossFade(
                surface.row(y), from.row(y), into.row(max(0, y - shift)), count: surface.width, part: Int(part * 256))
        }
        let ground = Int((before + (reached - before) * part) * 256)
        for (place, before) in bars {
            for y in 0..<place.height {
                Rows.crossFade(
                    surface.row(place.y + y) + place.x, before.row(y), to.row(place.y + y) + place.x,
                    count: place.width, part: ground)
            }
        }
        return true
    }
}
