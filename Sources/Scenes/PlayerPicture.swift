import Model
import Pixels

/// The player as one picture, without what moves.
extension PlayerScene {
    /// How long the shorter side of a picture should be.
    public static func artworkSide(_ stage: Stage) -> Int {
        let frame = PlayerLayout(stage).artwork
        return max(frame.width, frame.height)
    }

    /// What is on the screen, without what moves.
    public struct Composed {
        public let surface: Surface
        public let elements: [Element]
        /// Where it was asked for.
        public let texts: [DrawnText]
    }

    /// A moment of play or pause. - Parameter part: 0 for paused, 1 for playing.
    public func frame(_ state: SpeakerStatus, part: Float) -> Surface {
        if part <= 0 { return compose(state, isPlaying: false).surface }
        if part >= 1 { return compose(state, isPlaying: true).surface }
        let paused = compose(state, isPlaying: false).surface
        let playing = compose(state, isPlaying: true).surface
        let step = Int((part * 256).rounded())
        for y in 0..<paused.height {
            Rows.crossFade(paused.row(y), paused.row(y), playing.row(y), count: paused.width, part: step)
        }
        return paused
    }

    public func compose(_ state: SpeakerStatus, isPlaying: Bool, auditsTexts: Bool = false) -> Composed {
        self.state = state
        let surface = Surface(width: stage.width, height: stage.height)
        stage.drawnTexts = auditsTexts ? [] : nil
        playback.set(isPlaying)
        compose(surface, state, isPlaying: isPlaying, at: 0)
        return Composed(surface: surface, elements: elements, texts: stage.drawnTexts ?? [])
    }
}
