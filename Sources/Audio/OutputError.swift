// SPDX-License-Identifier: Apache-2.0
import ALSA
import Syn123

/// The reason why a card cannot play.
public enum OutputError: Error {
    case device(ALSAError)
    /// There is no resampler for its rate.
    case resampler(Syn123Error)
}
