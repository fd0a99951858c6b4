// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Typography

/// The ground of a transcript, its readable colors, and the fading of sentences toward its edges. One thread.
struct TranscriptGround {
    private let area: PixelRect
    private var beneath: Surface?
    private var inks: Inks?
    /// The opacity of each row of the area, of 256. Towards the edges the background shows.
    private let shares: [Int]
    /// The rows drawn so far without a fade.
    private var whole: [Range<Int>] = []

    /// The colors of letters: for other sentences, and for the spoken and the coming part of the current one.
    struct Inks {
        var plain: Color
        var spoken: Color
        var ahead: Color
    }

    /// - Parameter fade: the height of the fade at either edge, in pixels.
    init(area: PixelRect, fade: Int) {
        self.area = area
        var shares = [Int](repeating: 256, count: area.height)
        for line in 0..<fade {
            let share = min(256, max(0, (line * 2 + 1) * 128 / max(1, fade)))
            for y in [line, area.height - 1 - line] where y >= 0 && y < area.height { shares[y] = share }
        }
        self.shares = shares
    }

    /// Adopts a surface that was drawn anew without the transcript.
    mutating func take(_ surface: Surface) {
        beneath = area.isEmpty ? nil : surface.part(area)
        inks = nil
    }

    var isKnown: Bool { beneath != nil }

    /// Begins a new picture.
    mutating func begin() { whole.removeAll(keepingCapacity: true) }

    /// Restores the background within a place.
    func clear(_ surface: Surface, within place: PixelRect) {
        if let beneath { surface.put(beneath, x: area.x, y: area.y, within: place) }
    }

    /// Returns colors that are readable on the whole background, so that they stay the same during motion.
    mutating func colors(_ picture: Picture) -> Inks {
        if let inks { return inks }
        let theme = picture.theme
        let spot = theme.currentSentence
        var plain = theme.secondaryText
        if let beneath {
            let (darkest, lightest) = picture.worst(of: beneath, in: beneath.bounds, plain)
            plain = picture.readable(plain, on: darkest, lightest)
        }
        let found = Inks(
            plain: plain, spoken: picture.readable(theme.currentSentenceText, on: spot, spot),
            ahead: picture.readable(theme.secondaryText, on: spot, spot))
        inks = found
        return found
    }

    /// Returns the least contrast of a color within a place.
    func contrast(of color: Color, in place: PixelRect) -> Float {
        guard let beneath else { return 21 }
        var own = place
        (own.x, own.y) = (place.x - area.x, place.y - area.y)
        let (darkest, lightest) = beneath.extremes(in: own)
        return Picture.contrast(color, on: darkest, lightest)
    }

    /// Returns the opacity of a row of the surface, of 256.
    func share(_ row: Int) -> Int { shares[row - area.y] }

    /// Marks rows to be faded after all drawing.
    mutating func fadesLater(_ rows: Range<Int>) { whole.append(rows) }

    func fadeOut(_ surface: Surface) {
        guard let beneath else { return }
        for rows in whole {
            for y in rows where share(y) < 256 {
                let row = surface.row(y) + area.x
                Rows.crossFade(row, row, beneath.row(y - area.y), count: area.width, part: 256 - share(y))
            }
        }
    }
}

/// The marked sentence, and the one that hands the mark over. Moments in milliseconds.
struct SpokenMark {
    private(set) var current: Int?
    private var previous: Int?
    private var turning = Reversible(Motion.sentence, isOn: true)

    mutating func forget() { (current, previous) = (nil, nil) }

    /// Marks a sentence at once.
    /// - Parameter index: the sentence; nil for none.
    mutating func set(_ index: Int?) { current = index }

    /// Moves the mark from the current sentence to another.
    mutating func pass(to index: Int, at moment: Int) {
        (previous, current) = (current, index)
        turning.set(false)
        turning.turn(true, at: moment)
    }

    /// Ends the motion. Its last picture is still to be drawn.
    mutating func end() { turning.set(true) }

    /// Ends the motion after its last picture was drawn.
    mutating func settle() {
        end()
        previous = nil
    }

    func isMoving(at moment: Int) -> Bool { turning.isMoving(at: moment) }
    /// True if the last picture of the motion is still to be drawn.
    var isOnItsWay: Bool { previous != nil }

    /// Returns the current sentence's share of the mark, 0…1. Called for each picture.
    mutating func part(at moment: Int) -> Float {
        let part = turning.part(at: moment)
        if part >= 1 { previous = nil }
        return part
    }

    func hasSome(_ index: Int) -> Bool { index == current || index == previous }
    /// Returns a sentence's share of the mark, 0…1.
    func share(_ index: Int, _ part: Float) -> Float { index == current ? part : index == previous ? 1 - part : 0 }
}

/// A hand on the transcript, which then stays in place for a while. Moments in milliseconds.
struct HandHold {
    private(set) var isHeld = false
    private var until = Int.min

    mutating func hold() { isHeld = true }

    mutating func drop(at moment: Int) {
        isHeld = false
        until = moment + Int(Motion.scrollPause * 1000)
    }

    func isPaused(at moment: Int) -> Bool { isHeld || moment < until }
    /// Returns true if its time is over and the end is not handled yet.
    func hasEnded(at moment: Int) -> Bool { until != Int.min && !isPaused(at: moment) }
    /// Returns when the hold ends; nil if it does not end by itself.
    func ends(after moment: Int) -> Int? { until == Int.min ? nil : max(moment, until) }
}

/// A jump in the transcript: the old pixels fade while the new place appears. Moments in milliseconds.
struct TranscriptJump {
    /// True if the jump happens with the next frame.
    var isWanted = false
    private var before: Surface?
    private var coming = Reversible(Motion.sentence * 2, isOn: true)

    mutating func begin(_ before: Surface, at moment: Int) {
        self.before = before
        coming.set(false)
        coming.turn(true, at: moment)
    }

    mutating func settle() { (isWanted, before) = (false, nil) }
    func isMoving(at moment: Int) -> Bool { coming.isMoving(at: moment) }
    /// True if the last picture of the jump is still to be drawn.
    var isOnItsWay: Bool { before != nil }

    /// Draws the fading old pixels on top. Returns false at the end.
    mutating func draw(_ surface: Surface, _ area: PixelRect, at moment: Int) -> Bool {
        guard let before else { return false }
        let come = coming.part(at: moment)
        if come >= 1 {
            self.before = nil
            return false
        }
        for y in 0..<area.height {
            let row = surface.row(area.y + y) + area.x
            Rows.crossFade(row, before.row(y), row, count: area.width, part: Int(come * 256))
        }
        return true
    }
}
