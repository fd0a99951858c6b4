// SPDX-License-Identifier: Apache-2.0
import ALSA
import Audio
import CPosix
import Mpg123
import Posix
import Realtime
import Synchronization
import Workers

/// The player's threads, with their decks, sources and cards.
final class Engine: AudioPort, OutputOpener, DeckPreparer, @unchecked Sendable {
    let feed: Feed
    let decks: UnsafeMutablePointer<Deck>
    private let rings: UnsafeMutablePointer<DeckShared>
    private let loop: EventLoop
    private let priority: Int
    private let audio: AudioThread
    private let controlWake: UnsafeMutablePointer<WakeSignal>
    private var sources: [DeckSource] = []
    /// Called with the audio thread's events. Control thread.
    var handle: (AudioEvent) -> Void = { _ in }

    init(loop: EventLoop, priority: Int) throws(PlaybackError) {
        self.loop = loop
        self.priority = priority
        do throws(PosixError) {
            let signal = try WakeSignal()
            controlWake = .allocate(capacity: 1)
            controlWake.initialize(to: signal)
            feed = try Feed()
            audio = try AudioThread(controlWake: controlWake)
        } catch { throw .file(error) }
        decks = .allocate(capacity: DeckPool.deckCount)
        rings = .allocate(capacity: DeckPool.deckCount)
        for i in 0..<DeckPool.deckCount {
            (rings + i).initialize(to: DeckShared(feedWake: feed.wake))
            sources.append(DeckSource(deck: decks + i, shared: rings + i, audio: audio.shared))
        }
        // Make one now, so that a missing library is an error at the start.
        try make(0)
    }

    /// Makes a deck at its first use. Feed thread, by the thread that has claimed the source.
    private func make(_ deck: Int) throws(PlaybackError) {
        if sources[deck].hasDeck { return }
        do throws(Mpg123Error) {
            (decks + deck).initialize(to: try Deck(shared: rings + deck))
        } catch { throw .decoder(error) }
        sources[deck].hasDeck = true
    }

    /// Starts the feed and audio threads. `warn` gets what the system refused.
    func start(warn: (String) -> Void) throws(PlaybackError) {
        do throws(PosixError) {
            try feed.start(sources: sources, loop: loop)
            if let warning = try audio.start(priority: priority) { warn(warning) }
            try loop.add(controlWake.pointee.number, .readable) { [self] _ in
                controlWake.pointee.clear()
                while let event = audio.shared.pointee.events.receive() { handle(event) }
                audio.sendRest()
            }
        } catch { throw .file(error) }
    }

    func stop() {
        audio.stop()
        feed.stop()
        loop.remove(controlWake.pointee.number)
    }

    // MARK: Control thread

    func send(_ request: AudioRequest) { audio.send(request) }

    var heard: HeardState { audio.shared.pointee.heard.read() }

    var shared: UnsafeMutablePointer<AudioShared> { audio.shared }

    /// The bytes, or frames, that are read ahead: now, the lowest so far, and the capacity.
    var ringFillBytes: (now: Int, least: Int, capacity: Int) {
        var now = 0
        var least = Int.max
        var capacity = DeckShared.bytes
        for i in 0..<DeckPool.deckCount where rings[i].isPlaying.load(ordering: .relaxed) {
            now = max(now, rings[i].ring.filledBytes())
            capacity = rings[i].ring.capacityBytes
            least = min(least, rings[i].leastFilledBytes.load(ordering: .relaxed))
        }
        return (now, min(now, least), capacity)
    }

    // MARK: Feed thread

    func prepare(_ deck: Int, _ order: DeckOrder, goOn: () -> Bool) throws(PlaybackError) -> PreparedDeck {
        let (feed, source) = (feed, sources[deck])
        source.claim()
        defer { source.release() }
        try make(deck)
        return try source.prepare(order) {
            feed.serveDecks()
            return goOn()
        }
    }

    func close(_ deck: Int) {
        let source = sources[deck]
        source.claim()
        source.close()
        source.release()
    }

    func open(_ request: PlaybackDevice.Request) throws(PlaybackError) -> OpenOutput {
        let output: UnsafeMutablePointer<Output>
        do throws(OutputError) {
            output = try Output.open(request, wake: audio.shared.pointee.wake.number)
        } catch { throw PlaybackError(error) }
        let format = output.pointee.format
        return OpenOutput(
            output: output, periodMicroseconds: Int(Int64(format.periodFrames) * 1_000_000 / Int64(format.rate)),
            card: OutputKeeper.Format(rate: format.rate, channels: format.channels))
    }

    func close(_ output: UnsafeMutablePointer<Output>) {
        output.deinitialize(count: 1)
        output.deallocate()
    }

    func holder(of device: String) -> String? { CardHolder.name(of: device) }
}

// MARK: The program's questions to the threads; only a test's player has none

extension Player {
    /// Starts the feed and audio threads. `warn` gets what the system refused.
    public func start(warn: (String) -> Void) throws(PlaybackError) { try engine?.start(warn: warn) }

    /// Silences the card and ends the threads; the position stays readable.
    public func stop() { engine?.stop() }

    /// The bytes, or frames, that are read ahead: now, the lowest so far, and the capacity.
    public var ringFillBytes: (now: Int, least: Int, capacity: Int) { engine?.ringFillBytes ?? (0, 0, 0) }

    /// The audio thread's counters since the start.
    public var counters: Counters { Counters(engine!.shared) }

    public var underruns: Int { engine?.shared.pointee.underruns.load(ordering: .relaxed) ?? 0 }

    /// The number of the audio thread's wake-ups, without the histograms that `counters` copies.
    public var audioWakeUps: Int { engine?.shared.pointee.wakeUps.load(ordering: .relaxed) ?? 0 }

    /// An eventfd that makes the feed thread look for new bytes from a network; -1 without a feed thread.
    public var feedWake: Int32 { engine?.feed.wake.pointee.number ?? -1 }

    /// Makes the audio thread go round once. A live thread answers with one more wake-up in its count.
    public func callAudioThread() { engine?.shared.pointee.wake.signal() }
}
