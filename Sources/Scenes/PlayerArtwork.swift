// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels

/// The playing item's picture: as it is, blurred, and as it lies behind everything. Each is made when it is first needed. One thread.
struct PlayerArtwork {
    /// Nil for none.
    let picture: Surface?
    /// At a quarter of its size.
    private var blurred: Surface?
    /// As words and glass stand on it: other than the former in the dark.
    private var toned: Surface?
    /// The picture that fills the screen, at a quarter of its size, with its veil: while it plays, and paused.
    private var rooms: (paused: Room?, playing: Room?)
    private struct Room {
        let surface: Surface
        var tint: Color?
    }

    /// White letters stand on it better than black ones.
    private let isDark: Bool
    /// While it takes the place of another.
    var change = CoverChange()

    init(_ picture: Surface?) {
        self.picture = picture
        isDark = picture.map { $0.meanLuminance < Metrics.darkPicture } ?? false
    }

    /// Theme and comfort may be others.
    mutating func forgetTones() { (toned, rooms) = (nil, (nil, nil)) }

    /// Text on it follows the picture and not the theme, but in the dark nothing becomes light.
    func ink(_ theme: Theme) -> Theme {
        isDark && !theme.isDark ? Theme(isDark: true, hasMoreContrast: theme.hasMoreContrast) : theme
    }

    /// Fills all of the screen with it. Returns false where there is none.
    mutating func drawRoom(_ target: Picture, isPlaying: Bool) -> Bool {
        guard let picture else { return false }
        let stage = target.stage
        let known = isPlaying ? rooms.playing : rooms.paused
        var room = known ?? Room(surface: PlayerArtwork.room(picture, stage, isPlaying: isPlaying))
        target.canvas.draw(room.surface, scaledTo: stage.bounds)
        let dim = isPlaying ? Metrics.roomDim.playing : Metrics.roomDim.paused
        let tint = room.tint ?? target.tint(stage.theme.background.opacity(dim), over: stage.bounds)
        target.canvas.fill(stage.bounds, with: tint)
        if stage.theme.isNight {
            target.canvas.fill(stage.bounds, with: stage.theme.background.opacity(Metrics.nightRoomDim))
        }
        room.tint = tint
        if isPlaying { rooms.playing = room } else { rooms.paused = room }
        return true
    }

    /// All of it, as large as it fills the screen, at a quarter of that: the parts beyond the screen's edges shine in.
    private static func room(_ picture: Surface, _ stage: Stage, isPlaying: Bool) -> Surface {
        let side = max(stage.width, stage.height) / Blur.reduction
        let (width, height) = (picture.width * side / picture.height, picture.height * side / picture.width)
        let made =
            picture.width > picture.height
            ? AreaReducer.reduced(picture, width: width, height: side)
            : AreaReducer.reduced(picture, width: side, height: height)
        let blur = isPlaying ? Metrics.roomBlur.playing : Metrics.roomBlur.paused
        let sigma = blur * stage.scale.factor / Float(Blur.reduction)
        stage.blurs += 1
        Blur.blur(made, variance: sigma * sigma)
        return stage.theme.isDark ? made.tonedForDark() : made
    }

    /// As tall players show it, blurred; nil where there is none. - Parameter frame: what it fills.
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

    /// Returns the ground behind glass on it; nil where nothing is to be seen through glass. - Parameter frame: what it fills.
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
    /// Nil until it is known how far the two differ.
    private var changing: Reversible?

    static var wanted: CoverChange {
        var change = CoverChange()
        change.isWanted = true
        return change
    }

    var isGoingOn: Bool { isWanted || to != nil }

    /// Returns the surface for the scene's drawing: the surface itself once the change is over. The first time it is to draw all.
    mutating func target(_ surface: Surface, at moment: Int) -> Surface {
        if isWanted {
            isWanted = false
            (from, to) = (surface.part(surface.bounds), Surface(unfilledWidth: surface.width, height: surface.height))
            changing = nil
        }
        return to ?? surface
    }

    /// Shows a moment of it. Returns nil where there is no change.
    mutating func draw(on surface: Surface, at moment: Int) -> [PixelRect]? {
        guard let from, let to else { return nil }
        if changing == nil {
            // From white to black takes longer: no frame is brighter or darker by more than a few parts of 255 than the one before.
            let more = from.meanDifference(from: to) / Metrics.calmDifference
            changing = Reversible(Motion.content * max(1, more))
            changing?.turn(true, at: moment)
        }
        let part = changing?.part(at: moment) ?? 1
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
