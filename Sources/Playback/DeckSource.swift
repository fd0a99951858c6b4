import Audio
import CPosix
import MPEG
import Mpg123
import Posix
import Realtime
import Synchronization
import Workers

/// Where a deck's bytes come from, and how a deck is brought to a place in a file. Feed thread only.
final class DeckSource {
    /// What is known of a deck that is ready.
    struct Prepared {
        /// Hz.
        var rate: Int
        var channels: Int
        /// Where the stream ends, if the place asked for lies behind that.
        var endMilliseconds: Int?
    }

    /// One read of the disk at most; large enough that an SD card streams, small enough to be quick.
    private static let readBytes = 32 * 1024
    /// How far into a file the first frame may lie before it is called no audio.
    private static let searchBytes: Int64 = 1024 * 1024

    private final class OpenFile {
        let descriptor: FileDescriptor
        init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
    }

    let deck: UnsafeMutablePointer<Deck>
    /// Signalled when a deck that the audio thread found empty has bytes again.
    private let audioWake: (UnsafeMutablePointer<AudioShared>)?
    /// A thread is at it. There is one, unless a disk hangs and another took over.
    private let isClaimed = Atomic<Bool>(false)
    private var file: OpenFile?
    private var path = ""
    private var durationMilliseconds: Int?
    private var audio = AudioExtent(start: 0, end: 0)
    /// Absolute offset of the next byte for the ring.
    private var offset: Int64 = 0
    private var isFilling = false

    init(deck: UnsafeMutablePointer<Deck>, audio: UnsafeMutablePointer<AudioShared>?) {
        self.deck = deck
        audioWake = audio
    }

    /// Has `body` done if no other thread is at this source; returns whether it was.
    func claimed(_ body: () -> Void) -> Bool {
        let found = isClaimed.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing)
        if !found.exchanged { return false }
        body()
        isClaimed.store(false, ordering: .releasing)
        return true
    }

    /// Has `body` done, once no other thread is at this source: a step of a job.
    func claimedStep(_ body: () -> Void) -> Job.Step {
        if claimed(body) { return .done }
        // The other hangs: now and then is enough.
        usleep(5000)
        return .again
    }

    // MARK: Getting ready

    /// Opens the file and brings the deck to `milliseconds` of it, ready to be played. Reads as little as that takes: with an
    /// index, the first frames and those around the place.
    /// `between` is called now and then where the way is long.
    func prepare(
        path: String, milliseconds: Int, index: FrameIndex?, durationMilliseconds: Int?, token: Int,
        between: () -> Void
    ) throws(PlaybackError) -> Prepared {
        close()
        self.durationMilliseconds = durationMilliseconds
        do throws(Mpg123Error) { try deck.pointee.reset() } catch { throw .decoder(error) }
        do throws(PosixError) {
            let opened = OpenFile(try FileDescriptor.openRegularFile(path))
            let status = try opened.descriptor.status()
            file = opened
            audio = AudioExtent(fileBytes: status.bytes) { offset, buffer in
                (try? opened.descriptor.read(into: buffer, at: offset)) ?? 0
            }
        } catch { throw .file(error) }
        self.path = path
        offset = audio.start

        // The format comes with the first frame.
        var outcome = deck.pointee.prime()
        while outcome == .starved && offset - audio.start < DeckSource.searchBytes {
            if deck.pointee.inputState.load(ordering: .relaxed) > 0 { break }
            read()
            outcome = deck.pointee.prime()
        }
        let state = deck.pointee.inputState.load(ordering: .relaxed)
        if state > 0 { throw .file(PosixError(code: Int32(state), operation: "read \(path)")) }
        guard outcome == .frames, let format = deck.pointee.decoder.fixedFormat() else { throw .notAudio(path: path) }
        deck.pointee.token = token
        deck.pointee.rate = format.rate
        deck.pointee.channels = format.channels
        deck.pointee.startSample = 0
        // What is in the ring is read again.
        offset -= Int64(deck.pointee.ring.filledBytes())
        fitRing()
        var prepared = Prepared(rate: format.rate, channels: format.channels)
        if milliseconds > 0 {
            let sample = Int64(milliseconds) * Int64(format.rate) / 1000
            let known: FrameIndex
            if let index { known = index } else { known = try walk(past: sample, between: between) }
            if try !seek(toSample: sample, index: known) { prepared.endMilliseconds = known.durationMilliseconds }
        }
        return prepared
    }

    /// Empties the ring and makes it as large as this stream needs on average; the largest where that is not known.
    private func fitRing() {
        let bytes = durationMilliseconds.map {
            (audio.end - audio.start) * Int64(Deck.ringMilliseconds) / Int64(max(1, $0))
        }
        deck.pointee.ring.reset(capacityBytes: bytes.map { max(Deck.ringLeastBytes, Int(clamping: $0)) })
        deck.pointee.inputState.store(Deck.reading, ordering: .relaxed)
    }

    /// Walks headers as far as the wanted sample and a little on.
    private func walk(past sample: Int64, between: () -> Void) throws(PlaybackError) -> FrameIndex {
        var walker = FrameWalker()
        var at = audio.start
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
        defer { memory.deallocate() }
        while at < audio.end {
            let part = UnsafeMutableRawBufferPointer(rebasing: memory[..<Int(min(audio.end - at, 64 * 1024))])
            let count: Int
            do throws(PosixError) { count = try file?.descriptor.read(into: part, at: at) ?? 0 } catch {
                throw .file(error)
            }
            if count == 0 { break }
            walker.consume(UnsafeRawBufferPointer(rebasing: part[..<count]))
            at += Int64(count)
            between()
            if walker.samplesSoFar > sample + Int64(walker.sampleRate) { break }
        }
        guard let index = walker.finish() else { throw .notAudio(path: path) }
        return index
    }

    /// Brings the decoder to the sample and primes it with what stands there; false where that is past the end.
    private func seek(toSample sample: Int64, index: FrameIndex) throws(PlaybackError) -> Bool {
        let relative: Int64
        do throws(Mpg123Error) {
            try deck.pointee.decoder.setIndex(offsets: index.offsets, step: index.step)
            relative = try deck.pointee.decoder.seek(toSample: sample)
        } catch { throw .decoder(error) }
        deck.pointee.forgetPending()
        offset = min(audio.end, audio.start + relative)
        fitRing()
        deck.pointee.inputState.store(Deck.reading, ordering: .relaxed)
        var outcome = deck.pointee.prime()
        while outcome == .starved {
            read()
            outcome = deck.pointee.prime()
        }
        deck.pointee.startSample = sample
        return outcome == .frames
    }

    /// Lets go of the file. The deck must be nobody's.
    func close() {
        file = nil
        isFilling = false
    }

    // MARK: Keeping full

    /// One read, if there is room and cause; whether there was.
    func refill() -> Bool {
        var hasRead = false
        _ = claimed {
            hasRead = wantsBytes()
            if hasRead { read() }
        }
        return hasRead
    }

    /// There is room and cause to read.
    private func wantsBytes() -> Bool {
        guard file != nil, deck.pointee.inputState.load(ordering: .relaxed) == Deck.reading else { return false }
        let filled = deck.pointee.ring.filledBytes()
        if deck.pointee.isPlaying.load(ordering: .acquiring) {
            if filled < deck.pointee.lowWaterBytes { isFilling = true }
            if deck.pointee.ring.capacityBytes - filled < DeckSource.readBytes / 4 { isFilling = false }
            return isFilling
        }
        return filled < Deck.waitingBytes
    }

    /// One read into the ring.
    func read() {
        guard let file else { return }
        let room = deck.pointee.ring.reserve()
        let wanted = Int(min(Int64(min(room.count, DeckSource.readBytes)), audio.end - offset))
        if wanted > 0 {
            do throws(PosixError) {
                let part = UnsafeMutableRawBufferPointer(rebasing: room[..<wanted])
                let count = try file.descriptor.read(into: part, at: offset)
                if count == 0 {
                    // Shorter than it was: what is there is played.
                    deck.pointee.inputState.store(Deck.complete, ordering: .releasing)
                } else {
                    deck.pointee.ring.commit(count)
                    offset += Int64(count)
                }
            } catch {
                deck.pointee.inputState.store(Int(error.code), ordering: .releasing)
            }
        }
        if offset >= audio.end && deck.pointee.inputState.load(ordering: .relaxed) == Deck.reading {
            deck.pointee.inputState.store(Deck.complete, ordering: .releasing)
        }
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        if deck.pointee.isStarved.load(ordering: .relaxed) {
            deck.pointee.isStarved.store(false, ordering: .relaxed)
            audioWake?.pointee.wake.signal()
        }
    }
}
