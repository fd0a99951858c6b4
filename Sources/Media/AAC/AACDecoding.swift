// SPDX-License-Identifier: Apache-2.0
import CPosix
import Faad
import Posix

/// An AAC stream from any container, decoded by libfaad2. Feed and worker threads; one at a time.
final class AACDecoding: AudioDecoding {
    /// The number of units to try for the first decodable one.
    private static let mostFirstUnits: Int64 = 64
    /// The number of units to decode before the target of a jump, without output. The overlap needs one unit, SBR's smoothing and memory
    /// need more.
    private static let unitsBefore: Int64 = 2
    private static let unitsBeforeSBR: Int64 = 20
    /// The most undecodable units in a row; beyond that the stream counts as damaged.
    private static let mostDamaged = 500

    let rate: Int
    let channels: Int
    let frameCount: Int64?
    private let units: Units
    private let hadIndex: Bool
    private let decoder: AACDecoder
    /// The decoded length of a unit, in frames.
    private let unitFrames: Int
    /// The number of decoded frames at the start that are not heard.
    private let skipped: Int64
    /// The next audible frame.
    private var position: Int64 = 0
    /// The next unit.
    private var unit: Int64 = 0
    private var damagedUnits = 0

    /// Decoded frames to return next, in the decoder's memory or of silence.
    private struct Pending {
        var samples: UnsafePointer<Int16>
        var frames: Int
        let channels: Int

        mutating func drop(_ count: Int) {
            samples += count * channels
            frames -= count
        }
    }
    private var pending: Pending?
    /// The number of decoded frames to drop next.
    private var framesToDrop: Int64 = 0
    /// The silence that replaces undecodable units.
    private let silence: UnsafeMutablePointer<Int16>

    init(_ units: Units) throws(MediaError) {
        self.units = units
        hadIndex = units.index != nil
        let opened: AACDecoder?
        do throws(MissingLibrary) { opened = try AACDecoder.open(config: units.config.bytes) } catch {
            throw .noLibrary(error)
        }
        guard let opened else { throw .unsupported("AAC that libfaad does not decode") }
        decoder = opened
        // The samples and rate of a unit are known after the first decoded one.
        var first: (samples: UnsafePointer<Int16>, frames: Int, channels: Int)?
        do throws(SourceError) {
            while first == nil, unit < AACDecoding.mostFirstUnits, let bytes = try units.next() {
                if case .frames(let samples, let count, let channels) = opened.decode(bytes) {
                    first = (samples, count, channels)
                }
                unit += 1
            }
        } catch { throw .source(error) }
        guard let first, opened.rate >= 7350, opened.rate <= 96_000, first.channels <= 2 else {
            throw .noAudio
        }
        rate = opened.rate
        channels = units.config.channels == 1 && !opened.isParametricStereo ? 1 : first.channels
        unitFrames = first.frames
        silence = .allocate(capacity: first.frames * 2)
        silence.initialize(repeating: 0, count: first.frames * 2)
        let heard = units.span.samples(
            unitCount: units.unitCount ?? 1 << 40, unitSamples: Int64(unitFrames), rate: Int64(rate))
        skipped = heard.skipped
        frameCount = units.unitCount == nil ? nil : heard.heard
        if unit == 2 {
            pending = Pending(samples: first.samples, frames: first.frames, channels: first.channels)
            framesToDrop = skipped
        } else {
            try seek(toFrame: 0) { true }
        }
    }

    deinit { silence.deallocate() }

    var isRejoinable: Bool { true }
    var foundTable: SeekTable? {
        hadIndex ? nil : units.index.flatMap { SeekTable($0, units.span, units.config) }
    }

    func seek(toFrame frame: Int64, goOn: () -> Bool) throws(MediaError) {
        position = max(0, frame)
        let decoded = skipped + min(position, 1 << 48)
        // The first unit decodes to nothing.
        let wanted = decoded / Int64(unitFrames) + 1
        let before = decoder.hasSBR ? AACDecoding.unitsBeforeSBR : AACDecoding.unitsBefore
        unit = max(0, wanted - before)
        pending = nil
        framesToDrop = decoded % Int64(unitFrames)
        damagedUnits = 0
        do throws(SourceError) {
            try units.jump(to: unit, goOn: goOn)
            decoder.reset(toUnit: unit)
            while unit < wanted, let bytes = try units.next() {
                _ = decoder.decode(bytes)
                unit += 1
            }
        } catch { throw .source(error) }
    }

    func decode(into samples: UnsafeMutablePointer<Int16>, frames: Int) throws(MediaError) -> Int {
        let most = Int(clamping: min(Int64(frames), max(0, (frameCount ?? .max) - position)))
        var done = 0
        while done < most {
            guard let next = pending, next.frames > 0 else {
                do throws(MediaError) { if try !decodeUnit() { break } } catch {
                    // Return the decoded frames; the missing unit is requested again.
                    if done > 0 && error.isNotThereYet { break }
                    throw error
                }
                continue
            }
            if framesToDrop > 0 {
                let dropped = min(Int(clamping: framesToDrop), next.frames)
                framesToDrop -= Int64(dropped)
                pending?.drop(dropped)
                continue
            }
            let some = min(most - done, next.frames)
            let to = samples + done * channels
            if next.channels == channels {
                ns_copy(to, next.samples, some * channels * 2)
            } else {
                AACDecoder.takeFirst(to, next.samples, frames: some)
            }
            pending?.drop(some)
            done += some
        }
        position += Int64(done)
        return done
    }

    /// Decodes the next unit. Returns false at the end. An undecodable unit becomes silence, so that the rest keeps its position.
    private func decodeUnit() throws(MediaError) -> Bool {
        let next: UnsafeRawBufferPointer?
        do throws(SourceError) { next = try units.next() } catch { throw .source(error) }
        guard let next else { return false }
        unit += 1
        if case .frames(let samples, let count, let given) = decoder.decode(next), given == channels || given == 2 {
            // SBR that begins later would change the rate.
            if count > unitFrames { throw .damaged }
            if count == unitFrames {
                pending = Pending(samples: samples, frames: count, channels: given)
                damagedUnits = 0
                return true
            }
        }
        if unit == 1 { return true }
        damagedUnits += 1
        if damagedUnits > AACDecoding.mostDamaged { throw .damaged }
        pending = Pending(samples: UnsafePointer(silence), frames: unitFrames, channels: channels)
        return true
    }
}
