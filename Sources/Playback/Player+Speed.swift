// SPDX-License-Identifier: Apache-2.0
import Audio
import Posix

/// Playback that differs from the recording.
extension Player {
    /// Changes the speed of the track, in thousandths, from the audible position on. The next track has its own speed.
    public func setSpeed(_ speed: Int, asked: MonotonicTime? = nil) { change(asked) { $0.speed = speed } }

    /// Shortens the track's silences from the audible position on, or no longer.
    public func setShortensSilences(_ shortens: Bool, asked: MonotonicTime? = nil) {
        change(asked) { $0.shortensSilences = shortens }
    }

    /// Sets the gain of the track, in 1/65536; nil plays it unchanged. Changes of gain glide.
    public func setGain(_ gain: Int?, asked: MonotonicTime? = nil) {
        guard let gain, track?.gain != nil else { return change(asked) { $0.gain = gain } }
        let id = track?.id
        heard.update { if $0.id == id { $0.gain = gain } }
        if wish?.track.id == id { wish?.track.gain = gain }
        if following?.track.id == id { following?.track.gain = gain }
        for token in heard.tokens(ofTrack: id) { audio.send(.level(token: token, gain: gain)) }
    }

    private func change(_ asked: MonotonicTime?, _ change: (inout Track) -> Void) {
        guard var changed = track else { return }
        let before = changed
        change(&changed)
        if changed.isPlayed(as: before) { return followingDidChange() }
        if let jump { return setWish(changed, jump.milliseconds, asked: asked) }
        if heard.isParked { return heard.update(change) }
        setWish(changed, positionMilliseconds, asked: asked, goesOn: true)
    }

    /// The time that shortened silences have saved up to the audible position, since the start.
    public var savedMilliseconds: Int { Int(audio.heard.savedMicroseconds(at: scheduler.now) / 1000) }

    /// The time for which the position is sure to advance with the clock; nil if there is no limit.
    public var steadyMilliseconds: Int? {
        guard track?.shortensSilences == true, isAdvancing else { return nil }
        return audio.heard.steadyNanoseconds(from: scheduler.now).map { max(20, Int($0 / 1_000_000) + 1) }
    }
}
