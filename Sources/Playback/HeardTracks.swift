// SPDX-License-Identifier: Apache-2.0
import Audio
import Posix

/// The tracks that the audio thread has, by the tokens of their decks, and the audible one. Control thread.
struct HeardTracks {
    private let audio: any AudioPort
    private var tracks: [Int: Track] = [:]
    private var lastToken = 0
    /// The token most recently loaded, and the place where it begins.
    private(set) var loadedToken = 0
    private var loadedMilliseconds = 0
    /// The last deck in the audio thread's line.
    private(set) var decodingToken = 0
    /// The token of the track that others believe to be audible.
    private var toldToken = 0
    /// The audio thread has nothing; `loadedToken` keeps track and place.
    private(set) var isParked = false

    init(audio: any AudioPort) { self.audio = audio }

    /// Names a deck and the jump that it is got ready for; never the same twice.
    mutating func nextToken() -> Int {
        lastToken += 1
        return lastToken
    }

    /// Returns the audible track and place.
    func heard(at now: MonotonicTime) -> (track: Track?, milliseconds: Int, token: Int) {
        let state = audio.heard.at(now)
        // The audio thread has not seen the last load yet.
        if isParked || state.token < loadedToken { return (tracks[loadedToken], loadedMilliseconds, loadedToken) }
        return (tracks[state.token], state.milliseconds, state.token)
    }

    /// The place of the ear when a card went away; nil where the audio thread had nothing.
    var whenLost: (track: Track, milliseconds: Int)? {
        let state = audio.heard
        if !isParked, state.token >= loadedToken, let track = tracks[state.token] {
            return (track, state.at(state.time).milliseconds)
        }
        return isParked ? nil : tracks[loadedToken].map { ($0, loadedMilliseconds) }
    }

    /// The track decoded last, which others follow.
    var last: Track? { tracks[decodingToken] }

    func track(_ token: Int) -> Track? { tracks[token] }

    func tokens(ofTrack id: Int64?) -> [Int] { tracks.keys.filter { tracks[$0]?.id == id } }

    /// The audio thread has nothing any more.
    mutating func park(_ track: Track?, at milliseconds: Int) {
        loadedToken = nextToken()
        loadedMilliseconds = milliseconds
        tracks = [:]
        tracks[loadedToken] = track
        toldToken = loadedToken
        isParked = true
    }

    /// Control is about to give the audio thread a deck to play at once.
    mutating func load(_ token: Int, _ track: Track, milliseconds: Int) {
        tracks = tracks.filter { $0.key >= decodingToken }
        tracks[token] = track
        loadedToken = token
        loadedMilliseconds = milliseconds
        decodingToken = token
        toldToken = token
        isParked = false
    }

    /// The audio thread began to decode the next deck.
    mutating func follow(_ token: Int, _ track: Track) {
        tracks[token] = track
        decodingToken = token
    }

    /// The listener has heard the last track to its end.
    mutating func didHearAll(_ token: Int) { toldToken = token }

    /// Returns a change of the audible track since the last call.
    mutating func passed(at now: MonotonicTime) -> (ended: Track?, begun: Track)? {
        let token = audio.heard.at(now).token
        guard token > toldToken, let begun = tracks[token] else { return nil }
        let ended = tracks[toldToken]
        toldToken = token
        tracks = tracks.filter { $0.key >= token }
        return (ended, begun)
    }

    /// When to ask `passed` again; nil where nothing follows yet.
    func nextLook(_ now: MonotonicTime) -> MonotonicTime? {
        guard decodingToken > toldToken else { return nil }
        let state = audio.heard
        // Not yet in the snapshot where the audio thread is still at work: looked at again shortly.
        let due =
            state.nextToken > toldToken
            ? state.time.adding(milliseconds: Int(clamping: state.nanosecondsUntilNext / 1_000_000 + 1))
            : now.adding(milliseconds: 100)
        return max(due, now.adding(milliseconds: 1))
    }

    /// Changes the known facts of a track.
    mutating func update(_ change: (inout Track) -> Void) {
        for token in Array(tracks.keys) {
            guard var track = tracks[token] else { continue }
            change(&track)
            tracks[token] = track
        }
    }
}
