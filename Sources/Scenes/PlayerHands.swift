import Design
import Model
import Pixels

/// What hands do on the player.
extension PlayerScene {
    public func take(_ gesture: Gesture, at moment: Int) -> Element.Action {
        if let action = drag(gesture, at: moment) { return action }
        switch gesture {
        case .doubleTap(let x, let y) where layout.artwork.contains(x: x, y: y):
            burst.begin(at: moment, isSmall: false)
            return state.isFavourite ? .none : .toggleFavourite
        case .drag(let x, let y, _, let by) where hasTranscript(isPlaying: playback.target):
            guard let flow, flow.area.contains(x: x, y: y) else { return .none }
            flow.drag(by: by, at: moment)
            return .none
        case .drop(_, let speed):
            if flow?.nextFrame(after: moment) == nil, let flow, flow.isPaused(at: moment) {
                flow.drop(speed: speed, at: moment)
            }
            return .none
        case .move(let side) where side == .left || side == .right:
            // On the progress a remote's arrows go along it.
            if let focus, elements.indices.contains(focus), elements[focus].action == .seek {
                return side == .left ? .back : .forward
            }
        default: break
        }
        let action = touch.take(gesture, elements)
        if action == .dismiss {
            flow?.follow(at: moment)
            return .none
        }
        return action
    }

    /// Along the progress. Nil for what is something else.
    private func drag(_ gesture: Gesture, at moment: Int) -> Element.Action? {
        switch gesture {
        case .drag(let x, let y, let byX, _):
            if scrub == nil {
                guard let duration = state.durationMilliseconds, duration > 0,
                    let bar = elements.last(where: { $0.action == .seek }), bar.frame.contains(x: x, y: y)
                else { return nil }
                scrub = Scrub(bar: bar.frame, x: x, duration: duration)
                _ = touch.take(.release, elements)
            }
            scrub?.move(byX)
            return scrub.map { .look($0.place) }
        case .drop, .press:
            guard let done = scrub else { return nil }
            scrub = nil
            isBarStale = true
            guard case .drop = gesture else { return nil }
            // Until the speaker says so itself.
            state.positionMilliseconds = done.place
            told = moment
            return .seekTo(done.place)
        default: return nil
        }
    }

    /// Around which place of the recording a hand on the transcript wants more sentences, in milliseconds; nil for none. Each place once.
    public func wantedPlace(at moment: Int) -> Int? { flow?.wantedPlace(at: moment) }

    /// Those sentences, as the speaker told them.
    public func addSentences(_ told: SpeakerStatus) {
        flow?.add(SentenceWindow(told), count: told.segmentCount)
    }

    /// What is spoken where a finger is on the progress; "" for nothing.
    public func showSentence(_ text: String) { scrub?.show(text) }
}
