// SPDX-License-Identifier: Apache-2.0
import Audio
import CPosix
import Media
import Mpg123
import Posix
import Realtime
import Synchronization

/// The source of a deck's bytes, which also finds positions in its stream. Feed thread only.
final class DeckSource {
    /// The size of a disk read: large enough for streaming from an SD card, small enough to be quick.
    private static let readBytes = 32 * 1024

    /// The deck; it belongs to the audio thread while that has it.
    let deck: UnsafeMutablePointer<Deck>
    /// True once the deck itself exists, not only its memory. Belongs to the thread that has claimed this source.
    var hasDeck = false
    private let shared: UnsafeMutablePointer<DeckShared>
    /// The signal for the audio thread when a deck that it found empty has bytes again.
    private let audioWake: (UnsafeMutablePointer<AudioShared>)?
    /// True while a thread uses it. There is one thread, unless a disk hangs and another took over.
    private let isClaimed = Atomic<Bool>(false)
    /// The frames of MPEG audio, which the audio thread decodes.
    private var stream: FrameStream?
    /// The stream, if the bytes come from a network.
    private var network: (any MediaStream)?
    /// The decoding of all other formats.
    private var ahead: DecodingAhead?
    /// The error that ended the reading early.
    private var failure: SourceError?
    private var isFilling = false
    /// The bytes of the ring, counted since it was emptied, at which the decoder may need new buffers, in order. The audio thread leaves
    /// such places to this thread.
    private var changes: [Int64] = []
    /// The name of the recording for crash reports.
    private var name = ""

    init(
        deck: UnsafeMutablePointer<Deck>, shared: UnsafeMutablePointer<DeckShared>,
        audio: UnsafeMutablePointer<AudioShared>?
    ) {
        self.deck = deck
        self.shared = shared
        audioWake = audio
    }

    /// Claims the source, until `release`. Waits while another thread uses it, which may hang.
    func claim() {
        while !claimAtOnce() { usleep(5000) }
    }

    private func claimAtOnce() -> Bool {
        isClaimed.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
    }

    func release() { isClaimed.store(false, ordering: .releasing) }

    // MARK: Getting ready

    /// Opens the source and positions the deck, ready to play. It reads as little as possible: with a seek table only the first frames and
    /// those around the position.
    /// - Parameter goOn: called repeatedly during a long search; false cancels.
    func prepare(_ order: DeckOrder, goOn: () -> Bool) throws(PlaybackError) -> PreparedDeck {
        close()
        do throws(Mpg123Error) { try deck.pointee.reset() } catch { throw .decoder(error) }
        failure = nil
        name = order.track.source.name
        if Fuse.refuses(name) { throw .passedOver(name: name) }
        let mark = Fuse.begin(name)
        defer { Fuse.end(mark) }
        let opened: any ByteSource
        do throws(SourceError) { opened = try order.track.source.open() } catch {
            throw error.isNotThereYet ? .notThereYet : .file(error.cause)
        }
        let decoder: (any AudioDecoding)?
        var coming: ComingSource?
        do throws(MediaError) {
            if let known = order.track.source.stream, known.mayBringMore {
                let source = ComingSource(opened, known)
                decoder = try MediaFormats.decoder(source, nil)
                if decoder != nil { coming = source }
            } else {
                decoder = try MediaFormats.decoder(opened, order.track.seekTable)
            }
            network = order.track.source.stream
            if decoder == nil { stream = try FrameStream(opened) }
        } catch { throw PlaybackError(error, order.track.source) }
        if let decoder { return try prepare(decoder, coming, order, goOn: goOn) }
        fitRing(durationMilliseconds: order.track.durationMilliseconds)

        learnPace(order.track.source)

        // The first frame determines the format.
        guard try prime(order.track.source, goOn: goOn) else {
            throw .notAudio(name: order.track.source.name)
        }
        order.track.source.stream?.didBegin(isRejoinable: true)
        deck.pointee.token = order.token
        deck.pointee.startSample = 0
        setPace(order.track)
        var prepared = PreparedDeck(rate: deck.pointee.rate, channels: deck.pointee.channels)
        if order.milliseconds > 0 && order.track.source.stream?.isLive != true {
            let sample = Int64(order.milliseconds) * Int64(prepared.rate) / 1000
            let index: FrameIndex
            if let known = order.track.seekTable?.frameIndex {
                index = known
            } else if let reckoned = try reckon(order.track.source, beyond: sample) {
                index = reckoned
            } else {
                index = try walk(order.track.source, past: sample, goOn: goOn)
            }
            try seek(toSample: sample, index: index)
            fitRing(durationMilliseconds: order.track.durationMilliseconds)
            if try !prime(order.track.source, goOn: goOn) { prepared.endMilliseconds = index.durationMilliseconds }
            deck.pointee.startSample = sample
        }
        return prepared
    }

    /// Prepares a recording that is decoded ahead.
    private func prepare(
        _ decoder: any AudioDecoding, _ coming: ComingSource?, _ order: DeckOrder, goOn: () -> Bool
    ) throws(PlaybackError) -> PreparedDeck {
        let ring = deck.pointee.begin(
            framesOf: decoder.rate, channels: decoder.channels, milliseconds: DecodingAhead.ringMilliseconds)
        var prepared = PreparedDeck(rate: decoder.rate, channels: decoder.channels)
        let isLive = order.track.source.stream?.isLive == true
        let sample = isLive ? 0 : Int64(order.milliseconds) * Int64(decoder.rate) / 1000
        deck.pointee.token = order.token
        deck.pointee.startSample = sample
        setPace(order.track)
        let ahead = DecodingAhead(decoder, ring, coming)
        if let known = order.track.source.stream, let bytes = known.lengthBytes, let frames = decoder.frameCount {
            let seconds = frames / Int64(max(1, decoder.rate))
            if seconds > 0 { known.learn(secondBytes: Int(clamping: bytes / seconds)) }
        }
        self.ahead = ahead
        if sample > 0 {
            var isWanted = true
            do throws(MediaError) {
                try decoder.seek(toFrame: sample) {
                    isWanted = goOn()
                    return isWanted
                }
            } catch { throw isWanted ? PlaybackError(error, order.track.source) : .cancelled }
        }
        prepared.foundTable = decoder.foundTable
        let isRejoinable = decoder.isRejoinable
        if try !prime(order.track.source, goOn: goOn) {
            if sample == 0 { throw .notAudio(name: order.track.source.name) }
            prepared.endMilliseconds =
                decoder.frameCount.flatMap { MediaProbe.milliseconds(frames: $0, rate: decoder.rate) }
                ?? order.track.durationMilliseconds ?? order.milliseconds
        }
        order.track.source.stream?.didBegin(isRejoinable: isRejoinable)
        return prepared
    }

    /// A live stream arrives at its own pace: faster playback, or shorter silences, would only cause underruns.
    private func setPace(_ track: Track) {
        let isLive = track.source.stream?.isLive == true
        deck.pointee.speed = isLive ? 1000 : track.speed
        deck.pointee.change(shortensSilences: track.shortensSilences && !isLive, gain: track.gain)
    }

    /// Reads and decodes until the first frames are ready. Returns false if the stream ends before.
    private func prime(_ source: MediaSource, goOn: () -> Bool) throws(PlaybackError) -> Bool {
        while true {
            switch deck.pointee.prime() {
            case .frames:
                tellNextChange()
                return true
            case .searching, .leapt: continue
            case .starved:
                if !goOn() { throw .cancelled }
                // Throw, and try again when more has arrived, so that other work continues meanwhile.
                if !shared.pointee.isAtChange, let stream, !stream.isReady { throw .notThereYet }
                if let ahead, !ahead.isReady { throw .notThereYet }
                if shared.pointee.isAtChange {
                    // On this thread the decoder may make new buffers.
                    shared.pointee.changeByte.store(.max, ordering: .relaxed)
                } else {
                    read()
                }
            case .ended(.complete): return false
            case .ended(.readFailed(let code)):
                throw .file(failure?.cause ?? PosixError(code: code, operation: "read \(source.name)"))
            case .ended(.decodeFailed): throw .undecodable(name: source.name)
            }
        }
    }

    /// Sizes the empty ring for the average bit rate of this stream, or to the maximum if that is unknown. A ring with bytes keeps its
    /// size.
    private func fitRing(durationMilliseconds: Int?) {
        guard shared.pointee.ring.filledBytes() == 0, let stream else { return }
        let bytes = durationMilliseconds.map {
            // An endless stream has no length to divide by.
            min(stream.audioBytes, 1 << 40) * Int64(DeckShared.milliseconds) / Int64(max(1, $0))
        }
        emptyRing(
            capacityBytes: bytes.map { min(DeckShared.bytes, max(DeckShared.leastBytes, Int(clamping: $0))) }
                ?? DeckShared.bytes)
    }

    private func emptyRing(capacityBytes: Int) {
        shared.pointee.ring.reset(capacityBytes: capacityBytes)
        shared.pointee.expectInput()
        changes = []
    }

    /// Walks over headers up to the wanted sample and slightly beyond.
    private func walk(
        _ source: MediaSource, past sample: Int64, goOn: () -> Bool
    ) throws(PlaybackError) -> FrameIndex {
        let walk: FrameStream
        do throws(MediaError) { walk = try FrameStream(walking: source) } catch {
            throw PlaybackError(error, source)
        }
        var isOver = false
        while !isOver && walk.samplesSoFar <= sample + Int64(walk.sampleRate) {
            if !goOn() { throw .cancelled }
            do throws(MediaError) { isOver = try walk.step() } catch { throw PlaybackError(error, source) }
        }
        guard let index = walk.index() else { throw .notAudio(name: source.name) }
        return index
    }

    /// The size of the beginning that predicts the rest of a stream.
    private static let beginningBytes: Int64 = 64 * 1024

    /// Walks over the beginning of a stream that is still arriving; nil without such a stream, or without a beginning.
    private func beginning(_ source: MediaSource) throws(PlaybackError) -> FrameStream? {
        guard let coming = source.stream, coming.mayBringMore, !coming.isLive else { return nil }
        do throws(MediaError) {
            let walk = try FrameStream(walking: source)
            while walk.seenBytes < DeckSource.beginningBytes {
                do throws(MediaError) { if try walk.step() { break } } catch {
                    // Use the bytes so far.
                    if case .source(let cause) = error, cause.isNotThereYet { break }
                    throw error
                }
            }
            return walk
        } catch { throw PlaybackError(error, source) }
    }

    /// Reports the byte rate, since buffers count their fill in seconds.
    private func learnPace(_ source: MediaSource) {
        guard let coming = source.stream, let walk = try? beginning(source), let pace = walk.secondBytes else { return }
        coming.learn(secondBytes: pace)
    }

    /// Returns an index of estimated places if the server supports ranges and the stream allows an estimate. Nil also if the bytes so far
    /// reach that far, so that a search finds it.
    private func reckon(_ source: MediaSource, beyond sample: Int64) throws(PlaybackError) -> FrameIndex? {
        guard let coming = source.stream, coming.takesJumps, let bytes = coming.lengthBytes,
            let walk = try beginning(source), let index = walk.reckonedIndex(audioBytes: bytes)
        else { return nil }
        let frame = Int(clamping: sample / Int64(index.samplesPerFrame))
        let place = index.offsets[min(index.offsets.count - 1, frame / index.step)]
        return coming.hasAll(upTo: place + DeckSource.beginningBytes) ? nil : index
    }

    /// Positions the decoder at the sample, and the stream at the bytes it needs for that.
    private func seek(toSample sample: Int64, index: FrameIndex) throws(PlaybackError) {
        guard let stream else { return }
        // The decoder never got the bytes before the first frame.
        let start = stream.firstFrameOffset ?? 0
        let wanted: Int64
        do throws(Mpg123Error) {
            try deck.pointee.decoder.setIndex(offsets: index.offsets.map { $0 - start }, step: index.step)
            wanted = try deck.pointee.decoder.seek(toSample: sample)
        } catch { throw .decoder(error) }
        deck.pointee.forgetPending()
        deck.pointee.leaveOut(frames: index.samplesLeftToSkip(to: sample))
        // If the decoder continues with the bytes it has, so does the stream.
        if wanted == stream.givenBytes - Int64(shared.pointee.ring.filledBytes()) { return }
        stream.jump(to: start + wanted)
        emptyRing(capacityBytes: shared.pointee.ring.capacityBytes)
    }

    /// Closes the stream. No thread may use the deck.
    func close() {
        stream = nil
        network = nil
        isFilling = false
        if ahead == nil { return }
        ahead = nil
        shared.pointee.giveBackFrames()
    }

    // MARK: Keeping full

    /// Does one read if it is possible and useful. Returns true if it did.
    func refill() -> Bool {
        guard claimAtOnce() else { return false }
        defer { release() }
        let mark = Fuse.begin(name)
        defer { Fuse.end(mark) }
        guard takeOverChange() || wantsBytes() else { return false }
        read()
        return true
    }

    /// Takes the deck past a place where the decoder may make new buffers, if the audio thread left it there. Returns true if that needs
    /// more bytes.
    private func takeOverChange() -> Bool {
        guard stream != nil, shared.pointee.isLeftToFeed.load(ordering: .acquiring) else { return false }
        if !deck.pointee.primeChange() && shared.pointee.isReading { return true }
        tellNextChange()
        shared.pointee.giveBackToAudio()
        audioWake?.pointee.wake.signal()
        return false
    }

    private func tellNextChange() {
        let consumed = shared.pointee.ring.consumedBytes()
        changes.removeAll { $0 < consumed }
        if let next = changes.first, shared.pointee.changeByte.load(ordering: .relaxed) == .max {
            shared.pointee.changeByte.store(next, ordering: .releasing)
        }
    }

    /// Returns true if a read is possible and useful.
    private func wantsBytes() -> Bool {
        guard stream != nil || ahead != nil, shared.pointee.isReading else { return false }
        let filled = shared.pointee.ring.filledBytes()
        if shared.pointee.isPlaying.load(ordering: .acquiring) {
            // Decoding ahead starts slowly, so that the first sound does not wait for frames of seconds later.
            if ahead != nil, filled > 0, Int64(filled) >= 2 * shared.pointee.ring.consumedBytes() { return false }
            if filled < shared.pointee.lowWaterBytes { isFilling = true }
            if shared.pointee.ring.capacityBytes - filled < DeckSource.readBytes / 4 { isFilling = false }
            if !isFilling || isReady { return isFilling }
            if shared.pointee.isStarved.load(ordering: .relaxed) { network?.starves() }
            return false
        }
        return filled < ahead?.waitingBytes ?? DeckShared.waitingBytes && isReady
    }

    /// Serves a starving deck of this thread: one read, or one step over a place left to this thread.
    func serveStarved() {
        if takeOverChange() || !shared.pointee.isLeftToFeed.load(ordering: .acquiring) { read() }
    }

    /// True if there is something to read or decode.
    private var isReady: Bool { stream?.isReady ?? ahead?.isReady ?? true }

    /// Reads once, or decodes one piece, into the ring.
    func read() {
        if let ahead {
            decode(ahead)
        } else if let stream {
            read(stream)
            network?.holds(bytes: shared.pointee.ring.filledBytes())
        }
        if shared.pointee.didFeed() { audioWake?.pointee.wake.signal() }
    }

    private func decode(_ ahead: DecodingAhead) {
        do throws(MediaError) {
            if try !ahead.fill() { shared.pointee.endInput(.complete) }
        } catch {
            if case .source(let error) = error {
                // Try again once it has arrived.
                if error.isNotThereYet { return }
                failure = error
                shared.pointee.endInput(.readFailed(errno: error.cause.code))
            } else {
                shared.pointee.endInput(.decodeFailed)
            }
        }
    }

    private func read(_ stream: FrameStream) {
        let room = shared.pointee.ring.reserve()
        if room.count > 0 {
            let part = UnsafeMutableRawBufferPointer(rebasing: room[..<min(room.count, DeckSource.readBytes)])
            do throws(SourceError) {
                let from = shared.pointee.ring.committedBytes()
                let count = try stream.next(into: part)
                // Record the changes before the audio thread can reach them.
                for place in stream.givenChanges { changes.append(from + Int64(place)) }
                tellNextChange()
                shared.pointee.ring.commit(count)
                if stream.isAtEnd { shared.pointee.endInput(.complete) }
            } catch {
                if error.isNotThereYet { return }
                failure = error
                shared.pointee.endInput(.readFailed(errno: error.cause.code))
            }
        }
    }
}
