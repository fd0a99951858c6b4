// SPDX-License-Identifier: Apache-2.0
import Model
import Scenes

/// The requests that the speaker has not answered yet. They are shown as done, so that no hand waits.
struct ScreenWishes {
    private var playback: SpeakerStatus.State?
    private var favourite: (file: String, isOn: Bool)?
    private var unanswered = (playback: 0, favourite: 0)

    mutating func wish(_ playback: SpeakerStatus.State) {
        self.playback = playback
        unanswered.playback += 1
    }

    mutating func wish(_ file: String, isFavourite: Bool) {
        favourite = (file, isFavourite)
        unanswered.favourite += 1
    }

    /// Handles the speaker's answer. From then on its own state counts.
    mutating func playbackWasAnswered() {
        unanswered.playback -= 1
        if unanswered.playback == 0 { playback = nil }
    }

    mutating func favouriteWasAnswered() {
        unanswered.favourite -= 1
        if unanswered.favourite == 0 { favourite = nil }
    }

    /// Applies the requests to a state that the speaker reported before it received them.
    func fulfil(_ state: inout SpeakerStatus) {
        if let playback { state.state = playback }
        if let favourite, favourite.file == state.file { state.isFavourite = favourite.isOn }
    }
}

extension ScreenSpeaker {
    func togglePlayback() {
        let before = state.state
        // Without a current item the speaker decides what to play.
        if before == .stopped { return tell("play") }
        wishes.wish(before == .playing ? .paused : .playing)
        tell(before == .playing ? "pause 1" : "pause 0") { [self] isDone in
            wishes.playbackWasAnswered()
            if !isDone { askState() }
        }
        pretend()
    }

    /// - Parameter then: called after the speaker has done it.
    func toggleFavourite(then: @escaping () -> Void = {}) {
        let isOn = !state.isFavourite
        wishes.wish(state.file, isFavourite: isOn)
        tell(isOn ? "favourite add" : "favourite remove") { [self] isDone in
            wishes.favouriteWasAnswered()
            if isDone { then() } else { askState() }
        }
        pretend()
    }
}
