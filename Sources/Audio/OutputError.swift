// SPDX-License-Identifier: Apache-2.0
import ALSA
import Syn123

/// The reason why a card cannot play.
public enum OutputError: Error {
    case device(ALSAError)
    /// No resampler exists for its rate.
    case resampler(Syn123Error)
}
