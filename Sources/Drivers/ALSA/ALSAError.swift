// SPDX-License-Identifier: Apache-2.0
import CALSA

/// What ALSA refused: its negative errno, and the attempt.
public struct ALSAError: Error {
    /// Negative errno, as ALSA returns it.
    public let code: Int32
    public let operation: String

    public init(_ code: Int32, _ operation: String) {
        self.code = code
        self.operation = operation
    }

    /// "open sound device hw:CARD=DAC: No such device".
    public var message: String { operation + ": " + String(cString: snd_strerror(code)) }
}
