// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels

/// The playing item's picture: as it is, blurred, and as the background. Each is made at its first use. One thread.
struct PlayerArtwork {
    /// The picture; nil for none.
    let picture: Surface?
    /// The blurred picture, at a quarter of its size.
    private var blurred: Surface?
    /// The picture under words and glass. In dark themes it differs from `blurred`.
    private var toned: Surface?
    /// The background pictures, at a quarter of the screen's size, with their veil: for pause and for playback.
    private var rooms: (paused: Room?, playing: Room?)
    private struct Room {
        let surface: Surface
        var tint: Color?
    }

    /// True if white letters stand out more on the picture than black ones.
    private let isDark: Bool
    /// The change from the previous picture.
    var change = CoverChange()

    init(_ picture: Surface?) {
        self.picture = picture
        isDark = picture.map { $0.meanLuminance < Metrics.darkPicture } ?? false
    }

    /// Forgets what depends on theme and comfort settings.
    mutating func forgetTones() { (toned, rooms) = (nil, (nil, nil)) }

    /// Returns the theme for text on the picture. It follows the picture, but a dark theme never becomes light.
    func ink(_ theme: Theme) -> Theme {
        isDark && !theme.isDark ? Theme(isDark: true, hasMoreContrast: theme.hasMoreContrast) : theme
    }

    /// Fills the screen with the picture. Returns false if there is none.
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

    /// Returns the screen-filling picture at a quarter of the size. The blur includes the parts beyond the screen's edges.
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

    /// Returns the blurred picture of tall players; nil if there is none.
    /// - Parameter frame: the place that it fills.
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

    /// Returns the background of glass; nil if glass is solid.
    /// - Parameter frame: the place that it fills.
    mutating func glassBack(_ stage: Stage, in frame: PixelRect) -> Surface? {
        if !stage.hasBlur { return nil }
        guard stage.theme.isDark else { return blurred(stage, in: frame) }
        if toned == nil { toned = blurred(stage, in: frame)?.tonedForDark() }
        return toned
    }
}

/// The cross-fade from one cover and background to the next. Everything else goes on: the scene draws on a separate surface, and the screen
/// shows a blend of the old pixels and that surface. Moments in milliseconds.
struct CoverChange {
    /// True if the change begins with the next frame.
    private var isWanted = false
    private var from: Surface?
    private var to: Surface?
    /// The progress; nil until the difference between both is measured.
    private var changing: Reversible?

    static var wanted: CoverChange {
        var change = CoverChange()
        change.isWanted = true
        return change
    }

    var isGoingOn: Bool { isWanted || to != nil }

    /// Returns the surface for the scene's drawing: a separate one until the change is over. The first drawing must be complete.
    mutating func target(_ surface: Surface, at moment: Int) -> Surface {
        if isWanted {
            isWanted = false
            (from, to) = (surface.part(surface.bounds), Surface(unfilledWidth: surface.width, height: surface.height))
            changing = nil
        }
        return to ?? surface
    }

    /// Shows the current frame. Returns nil if there is no change.
    mutating func draw(on surface: Surface, at moment: Int) -> [PixelRect]? {
        guard let from, let to else { return nil }
        if changing == nil {
            // A large change of brightness takes longer: each frame differs from the last by only a few levels of 255.
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
