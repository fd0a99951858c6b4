// SPDX-License-Identifier: Apache-2.0
import Design
import Model
import Pixels
import Text

/// The buttons for back, play or pause, and forward. Each screen decides on their place and size.
struct Transport: Equatable {
    enum Button: CaseIterable { case back, play, forward }

    let isPlaying: Bool
    /// True if the speaker has not answered for a while; a ring replaces the play sign.
    let isSilent: Bool

    /// - Parameter isPlaying: the state to draw; nil for the speaker's own.
    init(_ state: SpeakerStatus, isPlaying: Bool? = nil) {
        self.isPlaying = isPlaying ?? (state.state == .playing)
        isSilent = state.isSilent
    }

    func symbol(_ button: Button) -> Symbol {
        switch button {
        case .back: .back
        case .play: isPlaying ? .pause : .play
        case .forward: .forward
        }
    }

    /// Returns a button's element.
    /// - Parameter leadsToChapter: true if a long press means the chapter.
    func element(_ button: Button, _ frame: PixelRect, leadsToChapter: Bool = true) -> Element {
        let hint = leadsToChapter ? translated("hold for the chapter") : ""
        switch button {
        case .back:
            return Element(
                frame: frame, label: translated("Back"), value: translated("10 seconds"), hint: hint, action: .back)
        case .play:
            return Element(
                frame: frame, label: isPlaying ? translated("Pause") : translated("Play"),
                value: isSilent ? translated("waits for the speaker") : "",
                hint: isPlaying ? translated("pauses") : translated("plays"), action: .togglePlayback)
        case .forward:
            return Element(
                frame: frame, label: translated("Forward"), value: translated("10 seconds"), hint: hint,
                action: .forward)
        }
    }

    /// Draws a button's sign, and adds its element.
    /// - Parameter points: the size of the sign. The signs of back and forward contain digits.
    func draw(
        _ button: Button, _ picture: Picture, in frame: PixelRect, points: Float = Metrics.skipSymbol, _ ink: Color,
        relief: Element.Relief = .flat
    ) {
        switch button {
        case .play where isSilent: Transport.drawRing(picture, in: frame, side: picture.stage.pixels(points), ink)
        case .play: picture.draw(symbol(button), in: frame, points: points, ink)
        case .back, .forward: picture.draw(skip: symbol(button), in: frame, ink)
        }
        var element = element(button, frame)
        element.relief = relief
        picture.add(element)
    }

    static func drawRing(_ picture: Picture, in frame: PixelRect, side: Int, _ ink: Color) {
        Ring(part: Metrics.loadingPart).draw(picture, in: frame.middle(width: side, height: side), width: 2, color: ink)
    }
}
