import ALSA
import Syn123

/// Why a card cannot be played on.
public enum OutputError: Error {
    case device(ALSAError)
    /// No resampler can be made for its rate.
    case resampler(Syn123Error)
}
