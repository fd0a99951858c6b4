// SPDX-License-Identifier: Apache-2.0
import ALSA
import CPosix
import Posix
import Testing

@testable import Audio

/// The audio loop with a card and decks of the test's own, and time that passes when the test says so.
final class LoopBench {
    let state: FakeCardState
    private let shared = UnsafeMutablePointer<AudioShared>.allocate(capacity: 1)
    private let wake = UnsafeMutablePointer<WakeSignal>.allocate(capacity: 1)
    private let loop = UnsafeMutablePointer<AudioLoop<FakeCard>>.allocate(capacity: 1)
    private var decks: [UnsafeMutablePointer<Deck>] = []
    private(set) var events: [AudioEvent] = []
    private(set) var rounds = 0
    private var lastToken = 0

    init(_ state: FakeCardState = FakeCardState(), streamRate: Int = 48000) throws {
        self.state = state
        wake.initialize(to: try WakeSignal())
        shared.initialize(to: try AudioShared(controlWake: wake))
        loop.initialize(to: AudioLoop<FakeCard>(shared: shared))
        attach(streamRate: streamRate)
    }

    deinit {
        send(.quit)
        loop.deinitialize(count: 1)
        loop.deallocate()
        for deck in decks {
            deck.deinitialize(count: 1)
            deck.deallocate()
        }
        shared.deinitialize(count: 1)
        shared.deallocate()
        wake.deinitialize(count: 1)
        wake.deallocate()
    }

    func attach(streamRate: Int = 48000) {
        let device = UnsafeMutablePointer<FakeCard>.allocate(capacity: 1)
        device.initialize(to: FakeCard(state: state))
        let polled = UnsafeMutableBufferPointer<pollfd>.allocate(capacity: 1)
        polled.initialize(repeating: pollfd(fd: shared.pointee.wake.number, events: Int16(POLLIN), revents: 0))
        let output = UnsafeMutablePointer<Output>.allocate(capacity: 1)
        guard
            let made = try? Output(device: device, streamRate: streamRate, streamChannels: 1, polled: polled)
        else {
            Issue.record("no output")
            return
        }
        output.initialize(to: made)
        send(.attach(output))
    }

    // MARK: Decks

    /// Any sample of any item is unlike its neighbours.
    static func sample(_ token: Int, _ place: Int64) -> Int16 {
        var mixed = UInt64(truncatingIfNeeded: place &* 0x9E37_79B9 &+ Int64(token) &* 0x85EB_CA6B)
        mixed = (mixed ^ (mixed >> 13)) &* 0xC2B2_AE35
        return Int16(2000 + (mixed >> 16) % 28000)
    }

    /// An item of so many frames, got ready at one of them. Without an end more of it is to come, which never does.
    func deck(
        frames: Int, from start: Int64 = 0, rate: Int = 48000, speed: Int = 1000, end: DeckEnd? = .complete,
        content: ((Int64) -> Int16)? = nil
    ) throws -> UnsafeMutablePointer<Deck> {
        lastToken += 1
        let ring = UnsafeMutablePointer<DeckShared>.allocate(capacity: 1)
        ring.initialize(to: DeckShared(feedWake: wake))
        let deck = UnsafeMutablePointer<Deck>.allocate(capacity: 1)
        deck.initialize(to: try Deck(shared: ring))
        decks.append(deck)
        let frameRing = deck.pointee.begin(framesOf: rate, channels: 1)
        deck.pointee.token = lastToken
        deck.pointee.startSample = start
        deck.pointee.speed = speed
        var place = start
        while place < Int64(frames) {
            let room = frameRing.reserve()
            if room.isEmpty { break }
            let count = min(room.count, frames - Int(place))
            for i in 0..<count {
                room[i] = content?(place + Int64(i)) ?? LoopBench.sample(lastToken, place + Int64(i))
            }
            frameRing.commit(count)
            place += Int64(count)
        }
        if let end { ring.pointee.endInput(end) }
        return deck
    }

    /// More of a deck comes that had run dry.
    func add(_ frames: Int, to deck: UnsafeMutablePointer<Deck>, content: (Int64) -> Int16) {
        let ring = FrameRing(deck.pointee.shared, channels: 1)
        var left = frames
        while left > 0 {
            let room = ring.reserve()
            if room.isEmpty { break }
            let count = min(room.count, left)
            for i in 0..<count { room[i] = content(Int64(i)) }
            ring.commit(count)
            left -= count
        }
        _ = deck.pointee.shared.pointee.didFeed()
        shared.pointee.wake.signal()
        round(isCalled: false)
    }

    // MARK: Time

    func send(_ request: AudioRequest) {
        _ = shared.pointee.requests.send(request)
        round(isCalled: false)
    }

    private func round(isCalled: Bool) {
        rounds += 1
        loop.pointee.round(isCalled: isCalled)
        while let event = shared.pointee.events.receive() { events.append(event) }
    }

    /// Wakes the waiting loop. The card may be among the causes.
    /// - Returns: true if the loop takes it for the card's call.
    func wakeUp(cardCalls: Bool) -> Bool {
        state.calls = cardCalls
        shared.pointee.wake.signal()
        let isCalled = loop.pointee.wait()
        round(isCalled: isCalled)
        return isCalled
    }

    /// Lets time pass as the loop would wait for it.
    func run(milliseconds: Int64) {
        var left = milliseconds
        while left > 0 {
            let waiting = loop.pointee.waiting()
            var step = waiting.milliseconds < 0 ? left : max(1, Int64(waiting.milliseconds))
            // The card calls when a good part of it is free.
            if waiting.includesCard { step = min(step, 100) }
            step = min(step, left)
            state.advance(milliseconds: step)
            left -= step
            round(isCalled: true)
        }
    }

    /// The timeout with which the loop would wait now; -1 waits forever.
    var waitingMilliseconds: Int32 { loop.pointee.waiting().milliseconds }
    var heard: HeardState { shared.pointee.heard.read() }
    var readAheadCount: Int64 { shared.pointee.readAhead.counts().count }
    var underruns: Int { shared.pointee.underruns.load(ordering: .relaxed) }

    func countOfEvents(_ isWanted: (AudioEvent) -> Bool) -> Int { events.filter(isWanted).count }

    func takeEvents() -> [AudioEvent] {
        defer { events = [] }
        return events
    }
}

extension AudioEvent {
    var endedHow: DeckEnd? { if case .ended(_, let end) = self { end } else { nil } }
    var lostCode: Int32? { if case .outputLost(_, let code) = self { code } else { nil } }
    var isPaused: Bool { if case .paused = self { true } else { false } }
    var isBegun: Bool { if case .nextBegun = self { true } else { false } }
    var isDetached: Bool { if case .detached = self { true } else { false } }
    var isReleased: Bool { if case .released = self { true } else { false } }
}
