// SPDX-License-Identifier: Apache-2.0
import CEbur128
import Posix

/// Measures the integrated loudness of samples (EBU R 128, ITU-R BS.1770) with libebur128. Worker thread.
public final class LoudnessMeter {
    private let functions: ns_ebur128
    private var state: UnsafeMutableRawPointer?

    /// Loads the library if needed. Returns nil if it refuses such a recording.
    /// - Parameter rate: the sample rate, in Hz.
    public static func open(rate: Int, channels: Int) throws(MissingLibrary) -> LoudnessMeter? {
        let missing = MissingLibrary(name: "libebur128", package: "libebur128-1")
        let library = try SharedLibrary.open([NS_EBUR128_LIBRARY], else: missing)
        var functions = ns_ebur128()
        guard ns_ebur128_find(library, &functions) else { throw missing }
        guard let state = functions.`init`(UInt32(channels), UInt(rate), Int32(NS_EBUR128_INTEGRATED)) else {
            return nil
        }
        if channels == 1 { _ = functions.set_channel(state, 0, Int32(NS_EBUR128_DUAL_MONO)) }
        return LoudnessMeter(functions, state)
    }

    private init(_ functions: ns_ebur128, _ state: UnsafeMutableRawPointer) {
        self.functions = functions
        self.state = state
    }

    deinit { functions.destroy(&state) }

    /// Adds interleaved samples.
    public func add(_ samples: UnsafePointer<Int16>, frames: Int) {
        _ = functions.add_frames_short(state, samples, frames)
    }

    /// The loudness in hundredths of LUFS; nil if nothing was loud enough to count.
    public var loudness: Int? {
        var value = 0.0
        guard functions.loudness_global(state, &value) == NS_EBUR128_SUCCESS, value > -70, value < 20 else {
            return nil
        }
        return Int(value * 100)
    }

    /// Returns the loudness of two parts of a recording together, each with its length in milliseconds.
    public static func ofBoth(_ one: Int, _ length: Int, _ other: Int, _ otherLength: Int) -> Int {
        if length <= 0 { return other }
        if otherLength <= 0 { return one }
        return Int(
            100 * ns_loudness_of_both(Double(one) / 100, Double(length), Double(other) / 100, Double(otherLength)))
    }
}
