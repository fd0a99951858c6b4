// SPDX-License-Identifier: Apache-2.0
import CPosix
import Realtime
import TestSupport
import Testing

@testable import Audio

/// Speech over playback, and in silence.
@Suite struct SpeakingTests {
    /// Frames that are said, and stay where they are.
    private final class Said {
        let samples: UnsafeMutablePointer<Int16>
        let frames: Int

        init(_ frames: Int, _ sample: Int16 = 300) {
            self.frames = frames
            samples = .allocate(capacity: frames)
            samples.initialize(repeating: sample, count: frames)
        }

        deinit { samples.deallocate() }

        var request: AudioRequest { request(under: Envelope.unity / 4) }
        func request(under: Int) -> AudioRequest { .speak(samples, frames: frames, under: under) }
    }

    private static func bench(
        drops: Bool = false, unpaced: Bool = false, frames: Int = 480_000,
        content: ((Int64) -> Int16)? = { _ in 16_000 }
    ) throws -> LoopBench {
        let state = FakeCardState(bufferFrames: 96_000, periodFrames: 4800)
        state.cutsByDropping = drops
        state.isUnpaced = unpaced
        let bench = try LoopBench(state)
        bench.send(.volume(level: Envelope.unity))
        bench.send(.load(try bench.deck(frames: frames, content: content), asked: 0))
        return bench
    }

    /// So many frames have another sample than before.
    private func first(_ bench: LoopBench, from start: Int, where isWanted: (Int16) -> Bool) -> Int? {
        bench.state.played[start...].firstIndex(where: isWanted).map { $0 - start }
    }

    @Test(arguments: [false, true]) func atOnceOverWhatPlaysWhichIsLowerMeanwhile(drops: Bool) throws {
        let bench = try Self.bench(drops: drops)
        bench.send(.play(asked: 0))
        bench.run(milliseconds: 700)
        #expect(bench.state.count > 48_000)
        let before = bench.state.played.count
        let said = Said(24_000)
        bench.send(said.request)
        bench.run(milliseconds: 300)
        // It begins within the margin that the card may be fetching.
        let begun = first(bench, from: before) { $0 != 16_000 }
        #expect((begun ?? .max) <= 600)
        #expect(bench.state.played[before + 8000] == 4300)
        #expect(bench.countOfEvents(\.isSpoken) == 0)
        bench.run(milliseconds: 700)
        #expect(bench.events.compactMap(\.spokenWhole) == [true])
        #expect(bench.state.played[before + 40_000] == 16_000 && bench.underruns == 0)
        let said4300 = bench.state.played[before...].filter { $0 == 4300 }.count
        #expect(said4300 >= 24_000 - 48 * 40 && said4300 <= 24_000)
        // Nothing of what plays was lost or heard twice.
        let told = bench.heard
        let elapsed = (bench.state.now - told.time.nanoseconds) * 48_000 / 1_000_000_000
        if !drops { #expect(told.heard.sample + elapsed == Int64(bench.state.played.count)) }
    }

    /// A listener with bad hearing needs the voice alone.
    @Test(arguments: [(0, 300), (3, 2300), (4, 1300)]) func whatPlaysIsAsLowAsTheListenerHasIt(
        shift: Int, sample: Int16
    ) throws {
        let bench = try Self.bench()
        bench.send(.play(asked: 0))
        bench.run(milliseconds: 700)
        let before = bench.state.played.count
        let said = Said(24_000)
        bench.send(said.request(under: shift == 0 ? 0 : Envelope.unity >> shift))
        bench.run(milliseconds: 1000)
        #expect(bench.state.played[before + 8000] == sample)
        #expect(bench.state.played[before + 40_000] == 16_000 && bench.underruns == 0)
    }

    @Test(arguments: [false, true], [false, true]) func inSilenceThePlaceStands(drops: Bool, isFresh: Bool) throws {
        let bench = try Self.bench(drops: drops, content: nil)
        if !isFresh {
            bench.send(.play(asked: 0))
            bench.run(milliseconds: 500)
            bench.send(.pause(asked: 0))
            // While it falls, and once all is silent.
            bench.run(milliseconds: drops ? 1 : 400)
        }
        let place = bench.heard.heard.sample
        let before = bench.state.played.count
        let said = Said(150_000)
        bench.send(said.request)
        bench.run(milliseconds: 1000)
        #expect(bench.countOfEvents(\.isSpoken) == 0)
        #expect(bench.state.played.last == 300 && abs(bench.heard.heard.sample - place) <= 720)
        bench.run(milliseconds: 3000)
        #expect(bench.events.compactMap(\.spokenWhole) == [true] && bench.underruns == 0)
        let heard = bench.state.played[before...].filter { $0 == 300 }.count
        // Over the end of the fall it is not alone.
        #expect(heard <= 150_000 && heard >= 150_000 - 240)
        #expect(bench.waitingMilliseconds == -1 && bench.state.count == 0)
        // It goes on where it was, in its full loudness.
        let paused = bench.heard.heard.sample
        let silent = bench.state.played.count
        bench.send(.play(asked: 0))
        bench.run(milliseconds: 700)
        var wrong = 0
        for frame in 240 + 14_400..<30_000
        where bench.state.played[silent + frame] != LoopBench.sample(1, paused + Int64(frame)) { wrong += 1 }
        #expect(wrong == 0)
    }

    @Test func theSecondCutsTheFirstOff() throws {
        for plays in [false, true] {
            let bench = try Self.bench(content: { _ in 0 })
            if plays { bench.send(.play(asked: 0)) }
            bench.run(milliseconds: 500)
            let (one, two) = (Said(96_000, 700), Said(4800, 200))
            bench.send(one.request)
            bench.run(milliseconds: 200)
            let before = bench.state.played.count
            bench.send(two.request)
            #expect(bench.events.compactMap(\.spokenWhole) == [false])
            bench.run(milliseconds: 500)
            #expect(bench.events.compactMap(\.spokenWhole) == [false, true])
            let after = bench.state.played[before...]
            let (old, new) = (after.filter { $0 == 700 }.count, after.filter { $0 == 200 }.count)
            #expect(old <= 482 && new >= 4800 - 600)
            // Nothing at all.
            bench.send(Said(0).request)
            bench.run(milliseconds: 300)
            #expect(bench.events.compactMap(\.spokenWhole) == [false, true, true])
            // It is told to be silent.
            let three = Said(96_000, 500)
            bench.send(three.request)
            bench.run(milliseconds: 100)
            bench.send(.speak(nil, frames: 0, under: 0))
            let cut = bench.state.played.count
            bench.run(milliseconds: 300)
            #expect(bench.state.played[cut...].filter { $0 == 500 }.count <= 482)
            #expect(bench.events.compactMap(\.spokenWhole) == [false, true, true, false])
            if !plays { #expect(bench.waitingMilliseconds == -1) }
        }
    }

    @Test func pausesAndPlayingGoOnUnderIt() throws {
        let bench = try Self.bench()
        bench.send(.play(asked: 0))
        bench.run(milliseconds: 500)
        let said = Said(96_000)
        let before = bench.state.played.count
        bench.send(said.request)
        bench.run(milliseconds: 300)
        bench.send(.pause(asked: 0))
        bench.run(milliseconds: 300)
        #expect(bench.state.played.last == 300)
        let place = bench.heard.heard.sample
        bench.run(milliseconds: 200)
        #expect(bench.heard.heard.sample == place)
        bench.send(.volume(level: Envelope.unity / 3))
        bench.run(milliseconds: 100)
        #expect(bench.state.played.last == 100)
        bench.send(.volume(level: Envelope.unity))
        bench.send(.play(asked: 0))
        bench.run(milliseconds: 200)
        #expect(bench.state.played.last == 4300)
        bench.run(milliseconds: 1500)
        #expect(bench.state.played.last == 16_000 && bench.events.compactMap(\.spokenWhole) == [true])
        let voiced = bench.state.played[before...].firstIndex(of: 16_000)
        #expect(voiced != nil && bench.underruns == 0)
    }

    /// The end of the playing item is reported when it is heard, under any speech.
    @Test func whatPlaysEndsUnderIt() throws {
        let bench = try Self.bench(frames: 48_000)
        bench.send(.play(asked: 0))
        bench.run(milliseconds: 800)
        let said = Said(96_000)
        bench.send(said.request)
        bench.run(milliseconds: 400)
        #expect(bench.events.compactMap(\.endedHow) == [.complete] && bench.state.played.last == 300)
        // A deck loaded now is heard at once.
        bench.send(.load(try bench.deck(frames: 200_000) { _ in 8000 }, asked: 0))
        bench.send(.play(asked: 0))
        bench.run(milliseconds: 100)
        #expect(bench.state.played.last == 2300)
        bench.run(milliseconds: 3000)
        #expect(bench.events.compactMap(\.spokenWhole) == [true] && bench.state.played.last == 8000)
        #expect(bench.underruns == 0)
    }

    /// The first speech of all, before anything can play. A disk hangs, and the listener asks for the reason: the answer comes at once, and
    /// the recording continues under it at its place.
    @Test(arguments: [false, true], [false, true]) func saidWhileTheRecordingIsStarved(drops: Bool, comes: Bool) throws
    {
        let state = FakeCardState(bufferFrames: 96_000, periodFrames: 4800)
        state.cutsByDropping = drops
        let bench = try LoopBench(state)
        bench.send(.volume(level: Envelope.unity))
        let deck = try bench.deck(frames: 24_000, end: nil, content: { _ in 16_000 })
        bench.send(.load(deck, asked: 0))
        bench.send(.play(asked: 0))
        bench.run(milliseconds: 2000)
        let place = bench.heard.heard.sample
        let before = state.played.count
        let said = Said(144_000)
        bench.send(said.request)
        let rounds = bench.rounds
        bench.run(milliseconds: 1000)
        // At once, and without asking for it all the time.
        #expect(state.played[before...].filter { $0 == 300 }.count >= 43_000)
        #expect(bench.rounds - rounds < 40 && bench.heard.heard.sample == place)
        if comes {
            bench.add(48_000, to: deck, content: { _ in 16_000 })
            bench.run(milliseconds: 500)
            // Both, the recording lower.
            #expect(state.played.suffix(4800).contains { $0 > 2000 && $0 < 16_000 })
        }
        bench.run(milliseconds: 3000)
        #expect(bench.events.compactMap(\.spokenWhole) == [true])
        #expect(abs(state.played[before...].filter { $0 == 300 || $0 == 4300 }.count - 144_000) < 14_400)
    }

    @Test func somethingIsLoadedUnderIt() throws {
        let bench = try LoopBench()
        bench.send(.volume(level: Envelope.unity))
        bench.send(.play(asked: 0))
        let said = Said(96_000)
        bench.send(said.request)
        bench.run(milliseconds: 300)
        #expect(bench.state.played.last == 300)
        bench.send(.load(try bench.deck(frames: 200_000) { _ in 8000 }, asked: 0))
        bench.run(milliseconds: 100)
        #expect(bench.state.played.last == 2300)
        bench.run(milliseconds: 2500)
        #expect(bench.state.played.last == 8000 && bench.underruns == 0)
    }

    @Test func aCardThatGoesTakesItAlong() throws {
        for plays in [false, true] {
            let bench = try Self.bench()
            if plays { bench.send(.play(asked: 0)) }
            bench.run(milliseconds: 300)
            let (one, two) = (Said(96_000), Said(4800))
            bench.send(one.request)
            bench.run(milliseconds: 100)
            if plays {
                bench.send(.detach)
                bench.run(milliseconds: 100)
                #expect(bench.countOfEvents(\.isDetached) == 1)
            } else {
                bench.state.isGone = true
                bench.run(milliseconds: 500)
                #expect(bench.events.compactMap(\.lostCode) == [-ENODEV])
            }
            bench.send(two.request)
            #expect(bench.events.compactMap(\.spokenWhole) == [false, false])
        }
    }

    /// Presses in any order: each sentence comes back once, no frame of the recording is lost, and no card runs dry.
    @Test(arguments: 0..<32) func whateverIsPressed(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let bench = try Self.bench(drops: seed % 4 == 3, unpaced: seed % 8 == 5, frames: 4_000_000, content: nil)
        var all: [Said] = []
        for _ in 0..<80 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: bench.send(.pause(asked: 0))
            case 1, 2: bench.send(.play(asked: 0))
            case 3: bench.send(.volume(level: Envelope.unity / Int.random(in: 1...4, using: &random)))
            case 4: bench.send(.speak(nil, frames: 0, under: 0))
            default:
                all.append(Said(Int.random(in: 0...30_000, using: &random)))
                bench.send(all.last!.request)
            }
            bench.run(milliseconds: Int64.random(in: 0...120, using: &random))
        }
        bench.send(.volume(level: Envelope.unity))
        bench.send(.play(asked: 0))
        bench.run(milliseconds: 1500)
        #expect(bench.countOfEvents(\.isSpoken) == all.count, "seed \(seed)")
        #expect(bench.underruns == 0, "seed \(seed)")
        if seed % 8 == 5 { return }
        let told = bench.heard
        let elapsed = (bench.state.now - told.time.nanoseconds) * 48_000 / 1_000_000_000
        let heard = told.heard.sample + elapsed
        var wrong = 0
        for back in 1...5000
        where bench.state.played[bench.state.played.count - back] != LoopBench.sample(1, heard - Int64(back)) {
            wrong += 1
        }
        #expect(wrong == 0, "seed \(seed)")
    }
}

extension AudioEvent {
    var isSpoken: Bool { if case .spoken = self { true } else { false } }
    var spokenWhole: Bool? { if case .spoken(_, let isWhole) = self { isWhole } else { nil } }
}
