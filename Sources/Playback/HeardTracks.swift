// SPDX-License-Identifier: Apache-2.0
import Audio
import Posix

/// The audio thread's tracks, by the tokens of their decks, and the audible one. Control thread.
struct HeardTracks {
    private let audio: any AudioPort
    private var tracks: [Int: Track] = [:]
    private var lastToken = 0
    /// The token loaded last, and its start.
    private(set) var loadedToken = 0
    private var loadedMilliseconds = 0
    /// The last deck of the audio thread's line.
    private(set) var decodingToken = 0
    /// The token of the track that was last reported as audible.
    private var toldToken = 0
    /// True if the audio thread has no deck; `loadedToken` keeps track and position.
    private(set) var isParked = false

    init(audio: any AudioPort) { self.audio = audio }

    /// Returns a new token, which identifies a deck and its jump.
    mutating func nextToken() -> Int {
        lastToken += 1
        return lastToken
    }

    /// Returns the audible track and position.
    func heard(at now: MonotonicTime) -> (track: Track?, milliseconds: Int, token: Int) {
        let state = audio.heard.at(now)
        // The audio thread has not seen the last load yet.
        if isParked || state.token < loadedToken { return (tracks[loadedToken], loadedMilliseconds, loadedToken) }
        return (tracks[state.token], state.milliseconds, state.token)
    }

    /// The position at the loss of a card; nil if the audio thread had no deck.
    var whenLost: (track: Track, milliseconds: Int)? {
        let state = audio.heard
        if !isParked, state.token >= loadedToken, let track = tracks[state.token] {
            return (track, state.at(state.time).milliseconds)
        }
        return isParked ? nil : tracks[loadedToken].map { ($0, loadedMilliseconds) }
    }

    /// The track decoded last, after which others follow.
    var last: Track? { tracks[decodingToken] }

    func track(_ token: Int) -> Track? { tracks[token] }

    func tokens(ofTrack id: Int64?) -> [Int] { tracks.keys.filter { tracks[$0]?.id == id } }

    /// Records that the audio thread has no deck any more.
    mutating func park(_ track: Track?, at milliseconds: Int) {
        loadedToken = nextToken()
        loadedMilliseconds = milliseconds
        tracks = [:]
        tracks[loadedToken] = track
        toldToken = loadedToken
        isParked = true
    }

    /// Records a deck that control gives the audio thread to play at once.
    mutating func load(_ token: Int, _ track: Track, milliseconds: Int) {
        tracks = tracks.filter { $0.key >= decodingToken }
        tracks[token] = track
        loadedToken = token
        loadedMilliseconds = milliseconds
        decodingToken = token
        toldToken = token
        isParked = false
    }

    /// Records that the audio thread began to decode the next deck.
    mutating func follow(_ token: Int, _ track: Track) {
        tracks[token] = track
        decodingToken = token
    }

    /// Records that the listener has heard the last track to its end.
    mutating func didHearAll(_ token: Int) { toldToken = token }

    /// Returns the change of the audible track since the last call.
    mutating func passed(at now: MonotonicTime) -> (ended: Track?, begun: Track)? {
        let token = audio.heard.at(now).token
        guard token > toldToken, let begun = tracks[token] else { return nil }
        let ended = tracks[toldToken]
        toldToken = token
        tracks = tracks.filter { $0.key >= token }
        return (ended, begun)
    }

    /// Returns when to call `passed` again; nil if nothing follows yet.
    func nextLook(_ now: MonotonicTime) -> MonotonicTime? {
        guard decodingToken > toldToken else { return nil }
        let state = audio.heard
        // Not yet in the snapshot while the audio thread works: look again shortly.
        let due =
            state.nextToken > toldToken
            ? state.time.adding(milliseconds: Int(clamping: state.nanosecondsUntilNext / 1_000_000 + 1))
            : now.adding(milliseconds: 100)
        return max(due, now.adding(milliseconds: 1))
    }

    /// Updates the known facts of a track.
    mutating func update(_ change: (inout Track) -> Void) {
        for token in Array(tracks.keys) {
            guard var track = tracks[token] else { continue }
            change(&track)
            tracks[token] = track
        }
    }
}
