// SPDX-License-Identifier: Apache-2.0
import ALSA
import Audio
import Media
import Mpg123
import Posix
import Syn123

/// The reason why a recording cannot play, by the remedy.
public enum PlaybackError: Error {
    /// The card failed: keep the position and try again later.
    case device(ALSAError)
    /// The file is unreadable now: it may be back later.
    case file(PosixError)
    /// It has no audio of a known format: continue with the next.
    case notAudio(name: String)
    /// It is of an unplayable format: continue with the next.
    case unsupported(name: String, what: String)
    /// The decoder's library is not installed: continue with the next.
    case noLibrary(name: String, MissingLibrary)
    /// The decoder failed within it: continue with the next.
    case undecodable(name: String)
    /// It has ended the speaker before: continue with the next.
    case passedOver(name: String)
    /// libmpg123 does not work at all.
    case decoder(Mpg123Error)
    /// libsyn123 cannot convert it to the card's rate.
    case resampler(Syn123Error)
    /// The caller no longer wants it.
    case cancelled
    /// The bytes have not arrived from the network yet: the player tries again when more are there.
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

    /// The reason why a deck ended before its stream; nil if it did not.
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
