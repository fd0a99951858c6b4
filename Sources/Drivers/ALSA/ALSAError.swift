// SPDX-License-Identifier: Apache-2.0
import CALSA

/// A refusal of ALSA: its negative errno, and the attempt.
public struct ALSAError: Error {
    /// The negative errno of ALSA.
    public let code: Int32
    public let operation: String

    public init(_ code: Int32, _ operation: String) {
        self.code = code
        self.operation = operation
    }

    /// The message, such as "open sound device hw:CARD=DAC: No such device".
    public var message: String { operation + ": " + String(cString: snd_strerror(code)) }
}
