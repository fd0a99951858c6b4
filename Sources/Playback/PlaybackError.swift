// SPDX-License-Identifier: Apache-2.0
import ALSA
import Audio
import Media
import Mpg123
import Posix
import Syn123

/// The reason why a recording cannot play, sorted by the remedy.
public enum PlaybackError: Error {
    /// The card: keep the place and try again later.
    case device(ALSAError)
    /// The file cannot be read at this moment: it may be back later.
    case file(PosixError)
    /// There is no audio of a known format in it: go on with the next.
    case notAudio(name: String)
    /// It says what it is, and nothing here plays that: go on with the next.
    case unsupported(name: String, what: String)
    /// The decoder's library is not installed: go on with the next.
    case noLibrary(name: String, MissingLibrary)
    /// The decoder could not go on in the midst of it: go on with the next.
    case undecodable(name: String)
    /// It has ended the speaker before: go on with the next.
    case passedOver(name: String)
    /// libmpg123 cannot work at all.
    case decoder(Mpg123Error)
    /// libsyn123 cannot bring it to the card's rate.
    case resampler(Syn123Error)
    /// The caller no longer wants it.
    case cancelled
    /// The network has yet to bring the bytes: the player tries again once more is there.
    case notThereYet

    init(_ error: OutputError) {
        switch error {
        case .device(let error): self = .device(error)
        case .resampler(let error): self = .resampler(error)
        }
    }

    init(_ error: MediaError, _ source: MediaSource) {
        switch error {
        case .source(let error): self = error.isNotThereYet ? .notThereYet : .file(error.cause)
        case .noAudio: self = .notAudio(name: source.name)
        case .unsupported(let what): self = .unsupported(name: source.name, what: what)
        case .noLibrary(let library): self = .noLibrary(name: source.name, library)
        case .damaged: self = .undecodable(name: source.name)
        }
    }

    /// Why a deck ended before its stream did; nil if it did not.
    init?(_ end: DeckEnd, of track: Track) {
        switch end {
        case .complete: return nil
        case .readFailed(let code): self = .file(PosixError(code: code, operation: "read \(track.source.name)"))
        case .decodeFailed: self = .undecodable(name: track.source.name)
        }
    }

    public var message: String {
        switch self {
        case .device(let error): error.message
        case .file(let error): error.message
        case .notAudio(let name): "\(name): no audio found in it"
        case .unsupported(let name, let what): "\(name): is \(what), which cannot be played"
        case .noLibrary(let name, let library): "\(name): cannot be played: \(library.message)"
        case .undecodable(let name): "\(name): damaged beyond what can be decoded"
        case .passedOver(let name):
            "\(name): has ended the speaker, and is passed over until it changes or somebody chooses it"
        case .decoder(let error): error.message
        case .resampler(let error): error.message
        case .cancelled: "not wanted any more"
        case .notThereYet: "not there yet"
        }
    }
}
