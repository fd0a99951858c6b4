// SPDX-License-Identifier: Apache-2.0
import Design
import Model
import Pixels
import TestSupport
import Testing

@testable import Scenes

/// The transcript under a hand.
@Suite struct Transcripts {
    private static let count = 3000

    /// Of lengths that differ, and some longer than the area; ten seconds each.
    private static let all: [Segment] = (0..<count).map { index in
        let words = index % 97 == 0 ? 60 : 2 + index * 7 % 13
        return Segment(
            text: "\(index) " + (0..<words).map { "word\($0)" }.joined(separator: " "),
            startMilliseconds: index * 10_000, endMilliseconds: index * 10_000 + 9000)
    }

    private func state(at index: Int, neighbours: Int) -> SpeakerStatus {
        var state = SpeakerStatus()
        (state.state, state.title, state.file) = (.playing, "The Mole", "mole.mp3")
        state.positionMilliseconds = index * 10_000 + 500
        let range = max(0, index - neighbours)..<min(Transcripts.count, index + neighbours + 1)
        (state.segments, state.firstSegment) = (Array(Transcripts.all[range]), range.lowerBound)
        return state
    }

    /// As the speaker answers for a place.
    private func answer(_ flow: TranscriptFlow, at moment: Int) -> Int? {
        guard let place = flow.wantedPlace(at: moment) else { return nil }
        let around = state(at: place / 10_000, neighbours: 60)
        flow.add(SentenceWindow(around.segments, first: around.firstSegment), count: Transcripts.count)
        return place
    }

    private func flow(
        _ stage: Stage, _ state: SpeakerStatus, on surface: Surface, height: Int = 220
    ) -> TranscriptFlow {
        let flow = TranscriptFlow(stage, area: PixelRect(x: 20, y: 10, width: 280, height: height))
        flow.take(beneath: surface)
        flow.show(state, elapsed: state.positionMilliseconds, at: 0, over: nil)
        flow.draw(Picture(stage, on: surface), at: 0)
        return flow
    }

    private func numbers(_ flow: TranscriptFlow) -> [Int] {
        flow.elements.compactMap { Int($0.label.prefix { $0 != " " }) }.sorted()
    }

    /// However seldom it is drawn on its way, as by a slow board, it comes to where it rests.
    @Test(arguments: [16, 90, 170, 333]) func itComesToRest(frameMilliseconds: Int) throws {
        let stage = try Stage(width: 320, height: 240, scale: PanelScale(factor: 0.7), theme: .light)
        let surface = Surface(width: 320, height: 240)
        let flow = flow(stage, state(at: 10, neighbours: 8), on: surface)
        for index in 11...14 {
            let now = state(at: index, neighbours: 8)
            var moment = index * 10_000
            flow.show(now, elapsed: now.positionMilliseconds, at: moment, over: surface)
            var frames = 0
            while let next = flow.nextFrame(after: moment), frames < 200 {
                moment = max(next, moment + frameMilliseconds)
                flow.draw(Picture(stage, on: surface), at: moment)
                frames += 1
            }
            #expect(frames < 200)
            let rested = Surface(width: 320, height: 240)
            _ = self.flow(stage, now, on: rested)
            var differing = 0
            for y in 0..<240 { for x in 0..<320 where surface.row(y)[x] != rested.row(y)[x] { differing += 1 } }
            #expect(differing == 0, "sentence \(index), \(frames) frames")
        }
    }

    /// Every line that is drawn at rest can be read, also those at the edges: the strongest pixel of its letters has the contrast of its ink.
    @Test(arguments: [240, 251, 262, 273, 284], [false, true]) func noLineFadesAtRest(
        height: Int, moreContrast: Bool
    ) throws {
        for theme in [Theme.light, .dark] {
            let stage = try Stage(
                width: 320, height: height, scale: PanelScale(factor: 0.7),
                theme: moreContrast ? theme.withMoreContrast() : theme)
            let surface = Surface(width: 320, height: height)
            let ground = surface.row(0)[0]
            _ = flow(stage, state(at: 10, neighbours: 8), on: surface, height: height - 20)
            var lines: [Float] = []
            var isWithin = false
            for y in 0..<height {
                let best = (0..<320).filter { surface.row(y)[$0] != ground }
                    .map { Color(surface.row(y)[$0] & 0xFF_FFFF).contrast(with: Color(ground & 0xFF_FFFF)) }.max()
                if let best {
                    if isWithin { lines[lines.count - 1] = max(lines.last ?? 0, best) } else { lines.append(best) }
                }
                isWithin = best != nil
            }
            #expect(lines.count > 3)
            #expect(lines.allSatisfy { $0 >= (moreContrast ? 7 : 4.5) }, "\(lines)")
        }
    }

    /// A minute of one sentence, which is higher than what is seen of it: at every moment the line that is spoken is seen, and whole.
    @Test(arguments: [false, true]) func aLongSentenceIsSeenToItsEnd(reducesMotion: Bool) throws {
        let stage = try Stage(width: 320, height: 240, scale: PanelScale(factor: 0.7), theme: .light)
        // Saving power, too, so that all of it has one ink.
        (stage.comfort.reducesMotion, stage.comfort.savesPower) = (reducesMotion, true)
        var state = SpeakerStatus()
        (state.state, state.title, state.file) = (.playing, "The Mole", "mole.mp3")
        let words = (0..<90).map { "word\($0)" }.joined(separator: " ")
        state.segments = [Segment(text: words, startMilliseconds: 0, endMilliseconds: 60_000)]
        // All of it, to look it up in.
        let whole = Surface(width: 320, height: 1400)
        let tall = try Stage(width: 320, height: 1400, scale: stage.scale, theme: .light)
        tall.comfort = stage.comfort
        let all = TranscriptFlow(tall, area: PixelRect(x: 20, y: 0, width: 280, height: 1400))
        all.take(beneath: whole)
        all.show(state, elapsed: 0, at: 0, over: nil)
        all.draw(Picture(tall, on: whole), at: 0)
        let frame = try #require(all.elements.first?.frame)

        let surface = Surface(width: 320, height: 240)
        let flow = flow(stage, state, on: surface)
        var shifts: [Int] = []
        for second in 0...60 {
            let moment = second * 1000
            flow.show(state, elapsed: moment, at: moment, over: surface)
            for step in stride(from: 0, through: 500, by: 20)
            where flow.nextFrame(after: moment + step) == moment + step {
                flow.draw(Picture(stage, on: surface), at: moment + step)
            }
            // A stretch in the middle of what is seen, where nothing fades.
            let shift = (0..<frame.height).first { shift in
                (80..<170).allSatisfy { y in
                    (30..<290).allSatisfy { surface.row(y)[$0] == whole.row(min(1399, y + shift))[$0] }
                }
            }
            shifts.append(try #require(shift, "at \(second) s"))
        }
        #expect(shifts == shifts.sorted())
        #expect(Set(shifts).count >= 8)
        for (second, shift) in shifts.enumerated() {
            // The place of the spoken line, if all lines take equally long.
            let line = frame.y + frame.height * min(59, second) / 60 - shift
            #expect(line >= 0 && line < 230, "at \(second) s")
        }
        // The last of it is seen.
        #expect(frame.maxY - shifts[60] <= 232)
    }

    /// As far as there are sentences, in both directions, while only some of them were ever told. It looks as if all had been.
    @Test(arguments: [1, -1]) func aHandGoesThroughAllOfIt(direction: Int) throws {
        let stage = try Stage(width: 320, height: 240, theme: .light)
        let start = direction > 0 ? 200 : Transcripts.count - 200
        let (some, all) = (Surface(width: 320, height: 240), Surface(width: 320, height: 240))
        let partly = flow(stage, state(at: start, neighbours: 30), on: some)
        let wholly = flow(stage, state(at: start, neighbours: Transcripts.count), on: all)
        var moment = 0
        var seen: Set<Int> = []
        var places: [Int] = []
        for step in 0..<180 {
            moment += 20
            // A strong stroke now and then, that runs on.
            let distance = direction * (step % 3 == 0 ? 400 : 90)
            for flow in [partly, wholly] {
                flow.drag(by: distance, at: moment)
                flow.drop(speed: step % 5 == 0 ? direction * 500 : 0, at: moment)
            }
            for _ in 0..<2 {
                moment += 150
                partly.draw(Picture(stage, on: some), at: moment)
                wholly.draw(Picture(stage, on: all), at: moment)
                while let place = answer(partly, at: moment) { places.append(place) }
            }
            try #require(numbers(partly) == numbers(wholly), "step \(step)")
            #expect(difference(some, all) <= 2, "step \(step)")
            seen.formUnion(numbers(partly))
        }
        #expect(seen.contains(direction > 0 ? 0 : Transcripts.count - 1) && seen.count > 100)
        #expect(Set(places).count == places.count)
    }

    /// When the hand has gone, it goes back to what is spoken by then, however far that is.
    @Test(arguments: [false, true]) func itGoesBack(reducesMotion: Bool) throws {
        let stage = try Stage(width: 320, height: 240, theme: .light)
        stage.comfort.reducesMotion = reducesMotion
        let surface = Surface(width: 320, height: 240)
        let flow = flow(stage, state(at: 1000, neighbours: 30), on: surface)
        func draw(_ moment: Int) { flow.draw(Picture(stage, on: surface), at: moment) }
        var moment = 0
        for _ in 0..<60 {
            flow.drag(by: 300, at: moment)
            moment += 10
            draw(moment)
            while answer(flow, at: moment) != nil {}
        }
        flow.drop(speed: 0, at: moment)
        #expect(numbers(flow).max()! < 900)
        let stood = numbers(flow)
        // Speech has continued meanwhile: the lines under the hand stay.
        let later = state(at: 1003, neighbours: 30)
        flow.show(later, elapsed: later.positionMilliseconds, at: moment + 3000, over: surface)
        draw(moment + 3000)
        #expect(numbers(flow) == stood && flow.isPaused(at: moment + 4990))
        draw(moment + 5000)
        #expect(flow.nextFrame(after: moment + 5001) != nil)
        draw(moment + 5200)
        draw(moment + 6500)
        #expect(numbers(flow).contains(1003) && flow.nextFrame(after: moment + 6500) == nil)
        // And looks untouched.
        let fresh = Surface(width: 320, height: 240)
        _ = self.flow(stage, later, on: fresh)
        #expect(difference(surface, fresh) <= 1)
        #expect(flow.wantedPlace(at: moment + 6500) == nil)
    }

    /// A line that a hand chose far away is spoken in place, and then moves to its usual place.
    @Test func whatIsChosenStaysUnderTheFinger() throws {
        let stage = try Stage(width: 320, height: 240, theme: .light)
        let surface = Surface(width: 320, height: 240)
        let flow = flow(stage, state(at: 1000, neighbours: 30), on: surface)
        func draw(_ moment: Int) { flow.draw(Picture(stage, on: surface), at: moment) }
        for step in 0..<60 {
            flow.drag(by: -200, at: step * 10)
            draw(step * 10)
            while answer(flow, at: step * 10) != nil {}
        }
        flow.drop(speed: 0, at: 600)
        draw(700)
        let chosen = try #require(flow.elements.last { $0.frame.height > 10 })
        let index = try #require(Int(chosen.label.prefix { $0 != " " }))
        #expect(index > 1060)
        let then = state(at: index, neighbours: 30)
        flow.show(then, elapsed: then.positionMilliseconds, at: 800, over: surface)
        draw(800)
        draw(1100)
        let marked = try #require(flow.elements.first { $0.isSelected })
        #expect(marked.label == chosen.label && marked.frame.y == chosen.frame.y)
        draw(5600)
        draw(5650)
        #expect(flow.elements.contains { $0.isSelected })
        draw(7000)
        let fresh = Surface(width: 320, height: 240)
        _ = self.flow(stage, then, on: fresh)
        #expect(difference(surface, fresh) <= 1)
    }

    /// Another item begins in its middle while a finger lies on the words of the one before.
    @Test func anotherItemUnderAFinger() throws {
        let stage = try Stage(width: 320, height: 240, theme: .light)
        let surface = Surface(width: 320, height: 240)
        let flow = flow(stage, state(at: 40, neighbours: 30), on: surface)
        flow.drag(by: -60, at: 10)
        flow.draw(Picture(stage, on: surface), at: 20)
        var other = state(at: 2000, neighbours: 30)
        other.file = "rat.mp3"
        flow.show(other, elapsed: other.positionMilliseconds, at: 30, over: surface)
        flow.draw(Picture(stage, on: surface), at: 30)
        #expect(numbers(flow).contains(2000) && !flow.isPaused(at: 30))
        flow.drag(by: -60, at: 40)
        flow.draw(Picture(stage, on: surface), at: 50)
        #expect(numbers(flow).contains(2001) && flow.isPaused(at: 50))
    }

    /// Compares with the plain way, for any windows in any order.
    @Test func windowsGrow() {
        var random = SeededGenerator(seed: 23)
        for _ in 0..<200 {
            var window = SentenceWindow()
            var known = 0..<0
            for step in 0..<50 {
                let first = Int.random(in: 0..<2900, using: &random)
                let near =
                    step == 0
                    ? first : min(2990, max(0, known.lowerBound - 100 + Int.random(in: 0..<600, using: &random)))
                let other = near..<min(Transcripts.count, near + Int.random(in: 0..<130, using: &random))
                let place = known.isEmpty ? near : Int.random(in: known, using: &random)
                let told = SentenceWindow(Array(Transcripts.all[other]), first: other.lowerBound)
                if window.range.isEmpty {
                    window = told
                } else {
                    let touches = other.lowerBound <= known.upperBound && other.upperBound >= known.lowerBound
                    let isNew = !other.isEmpty && touches && Set(other).union(known).count > known.count
                    #expect(window.add(told, near: place) == isNew)
                }
                #expect(window.range.count <= SentenceWindow.most)
                #expect(window.sentences == Array(Transcripts.all[window.range]))
                if !known.isEmpty { #expect(window.range.contains(place)) }
                known = window.range
            }
        }
    }
}
