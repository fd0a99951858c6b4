import ALSA
import Audio
import Mpg123
import Posix

/// Why something could not be played, sorted by what can be done about it.
public enum PlaybackError: Error {
    /// The card: keep the place and try again later.
    case device(ALSAError)
    /// The file cannot be read now: it may be back later.
    case file(PosixError)
    /// The file is not MPEG audio: go on with the next.
    case notAudio(path: String)
    /// The decoder could not go on in the midst of it: go on with the next.
    case undecodable(path: String)
    /// libmpg123 or libsyn123 cannot work at all.
    case decoder(Mpg123Error)

    init(_ error: OutputError) {
        switch error {
        case .device(let error): self = .device(error)
        case .resampler(let error): self = .decoder(error)
        }
    }

    public var message: String {
        switch self {
        case .device(let error): error.message
        case .file(let error): error.message
        case .notAudio(let path): "\(path): no MPEG audio found in it"
        case .undecodable(let path): "\(path): damaged beyond what can be decoded"
        case .decoder(let error): error.message
        }
    }
}
