import Design
import Pixels

/// What plays, as a picture: as it is, blurred, and as it lies behind glass and behind everything. Each is made when it is first needed. One thread.
struct PlayerArtwork {
    /// Nil for none.
    let picture: Surface?
    /// At a quarter of their sizes.
    private var blurred: Surface?
    /// As words and glass stand on it: other than the former in the dark.
    private var toned: Surface?
    private var backdrop: Surface?
    private var backdropTint: Color?
    /// While it takes the place of another.
    var change = CoverChange()

    init(_ picture: Surface?) { self.picture = picture }

    /// Theme and comfort may be others.
    mutating func forgetTones() { (toned, backdrop, backdropTint) = (nil, nil, nil) }

    /// Fills all of the screen with it. Returns false where there is none.
    mutating func drawBackdrop(_ target: Picture) -> Bool {
        guard let picture else { return false }
        let stage = target.stage
        let small = backdrop ?? PlayerArtwork.backdrop(picture, stage)
        backdrop = small
        target.canvas.draw(small, scaledTo: stage.bounds)
        let tint = backdropTint ?? target.tint(stage.theme.backdropTint, over: stage.bounds)
        backdropTint = tint
        target.canvas.fill(stage.bounds, with: tint)
        return true
    }

    /// All of it, as large as it fills the screen, at a quarter of that: what lies beyond the screen's edges shines in.
    private static func backdrop(_ picture: Surface, _ stage: Stage) -> Surface {
        let side = max(stage.width, stage.height) / Blur.reduction
        let (width, height) = (picture.width * side / picture.height, picture.height * side / picture.width)
        let made =
            picture.width > picture.height
            ? AreaReducer.reduced(picture, width: width, height: side)
            : AreaReducer.reduced(picture, width: side, height: height)
        let sigma = Metrics.backdropBlur * stage.scale.factor / Float(Blur.reduction)
        stage.blurs += 1
        Blur.blur(made, variance: sigma * sigma)
        return stage.theme.isDark ? made.tonedForDark() : made
    }

    /// As the player shows it, blurred; nil where there is none. - Parameter frame: what it fills.
    mutating func blurred(_ stage: Stage, in frame: PixelRect) -> Surface? {
        guard let picture else { return nil }
        if let blurred { return blurred }
        let shown = Scaling(source: (picture.width, picture.height), filling: (frame.width, frame.height))
            .drawn(picture, width: frame.width, height: frame.height)
        stage.blurs += 1
        let made = Blur.quarter(shown, sigma: Float(stage.pixels(Metrics.artworkBlur)))
        blurred = made
        return made
    }

    /// What lies behind glass on it; nil where nothing is to be seen through glass. - Parameter frame: what it fills.
    mutating func glassBack(_ stage: Stage, in frame: PixelRect) -> Surface? {
        if !stage.hasBlur { return nil }
        guard stage.theme.isDark else { return blurred(stage, in: frame) }
        if toned == nil { toned = blurred(stage, in: frame)?.tonedForDark() }
        return toned
    }
}

/// One cover, and the room behind it, giving way to another. All else goes on meanwhile: the scene is drawn apart, and what is seen is on its way
/// from what was there before to that. Moments in milliseconds.
struct CoverChange {
    /// It begins with the next frame.
    private var isWanted = false
    private var from: Surface?
    private var to: Surface?
    private var changing = Reversible(Motion.content)

    static var wanted: CoverChange {
        var change = CoverChange()
        change.isWanted = true
        return change
    }

    var isGoingOn: Bool { isWanted || to != nil }

    /// What the scene draws on: the surface itself once the change is over. The first time it is to draw all.
    mutating func target(_ surface: Surface, at moment: Int) -> Surface {
        if isWanted {
            isWanted = false
            (from, to) = (surface.part(surface.bounds), Surface(unfilledWidth: surface.width, height: surface.height))
            changing.set(false)
            changing.turn(true, at: moment)
        }
        return to ?? surface
    }

    /// Shows a moment of it. Returns nil where there is no change.
    mutating func draw(on surface: Surface, at moment: Int) -> [PixelRect]? {
        guard let from, let to else { return nil }
        let part = changing.part(at: moment)
        if part >= 1 {
            surface.put(to, x: 0, y: 0)
            (self.from, self.to) = (nil, nil)
        } else {
            let step = Int((part * 256).rounded())
            for y in 0..<surface.height {
                Rows.crossFade(surface.row(y), from.row(y), to.row(y), count: surface.width, part: step)
            }
        }
        return [surface.bounds]
    }
}
