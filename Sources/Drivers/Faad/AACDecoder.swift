// SPDX-License-Identifier: Apache-2.0
import CFaad
import Posix

/// Decodes an AAC stream unit by unit to interleaved 16-bit frames, with libfaad2. Feed and worker threads, one at a time.
public final class AACDecoder {
    /// The result of decoding a unit.
    public enum Outcome {
        /// Interleaved frames, valid until the next call. A mono stream has two equal channels, since it may turn out to be parametric
        /// stereo (`isParametricStereo`).
        case frames(UnsafePointer<Int16>, count: Int, channels: Int)
        /// Nothing: the first unit only begins the overlap of the next.
        case none
        /// The unit cannot be decoded; the next may be.
        case damaged
    }

    private let functions: ns_faad
    private let handle: UnsafeMutableRawPointer
    /// The rate of the last unit in Hz: twice the core's with SBR.
    public private(set) var rate = 0
    public private(set) var isParametricStereo = false
    public private(set) var hasSBR = false

    /// Loads the library if needed. Returns nil if it cannot decode such a stream.
    /// - Parameter config: the AudioSpecificConfig.
    public static func open(config: [UInt8]) throws(MissingLibrary) -> AACDecoder? {
        let missing = MissingLibrary(name: "libfaad", package: "libfaad2")
        let library = try SharedLibrary.open([NS_FAAD_LIBRARY], else: missing)
        var functions = ns_faad()
        guard ns_faad_find(library, &functions) else { throw missing }
        guard let handle = functions.Open() else { return nil }
        let decoder = AACDecoder(functions: functions, handle: handle)
        return decoder.begin(config) ? decoder : nil
    }

    private init(functions: ns_faad, handle: UnsafeMutableRawPointer) {
        self.functions = functions
        self.handle = handle
    }

    deinit { functions.Close(handle) }

    private func begin(_ config: [UInt8]) -> Bool {
        guard let settings = functions.GetCurrentConfiguration(handle) else { return false }
        settings.pointee.output_format = UInt8(NS_FAAD_16_BIT)
        settings.pointee.mixes_down = 1
        settings.pointee.leaves_rate = 1
        guard functions.SetConfiguration(handle, settings) != 0 else { return false }
        var config = config
        var rate: UInt = 0
        var channels: UInt8 = 0
        let count = UInt(config.count)
        let code = config.withUnsafeMutableBufferPointer {
            functions.Init2(handle, $0.baseAddress, count, &rate, &channels)
        }
        return !ns_faad_did_refuse(code)
    }

    /// Announces this unit, counted from 0, as the next one.
    public func reset(toUnit unit: Int64) { functions.PostSeekReset(handle, Int(clamping: unit)) }

    public func decode(_ unit: UnsafeRawBufferPointer) -> Outcome {
        guard let bytes = unit.baseAddress, unit.count > 0 else { return .damaged }
        var frame = ns_faad_frame()
        // The library does not write to the bytes.
        let mutable = UnsafeMutableRawPointer(mutating: bytes).assumingMemoryBound(to: UInt8.self)
        let samples = functions.Decode(handle, &frame, mutable, UInt(unit.count))
        if frame.error != NS_FAAD_NO_ERROR { return .damaged }
        rate = Int(frame.sample_rate)
        isParametricStereo = frame.parametric_stereo != 0
        hasSBR = frame.sbr != 0
        guard let samples, frame.samples > 0, frame.channels > 0 else { return .none }
        return .frames(
            UnsafePointer(samples.assumingMemoryBound(to: Int16.self)), count: Int(frame.samples) / Int(frame.channels),
            channels: Int(frame.channels))
    }

    /// Copies the first of two channels.
    public static func takeFirst(_ to: UnsafeMutablePointer<Int16>, _ from: UnsafePointer<Int16>, frames: Int) {
        ns_faad_take_first(to, from, frames)
    }
}
