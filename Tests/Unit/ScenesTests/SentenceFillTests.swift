// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Model
import Pixels
import Testing

@testable import Scenes

/// The spoken part of the current sentence, which grows with time.
@Suite struct SentenceFills {
    private static let texts = [
        "The Mole had been working very hard all the morning, spring-cleaning his little home and all that lay around it.",
        "كان الأمير الصغير يعمل بجد طوال الصباح، ينظف بيته الصغير وكل ما كان حوله في ذلك الكوكب البعيد جدا.",
        "हिन्दी की एक बहुत लंबी कहानी जो कई पंक्तियों में फैली हुई है और धीरे धीरे पढ़ी जाती है।",
        "Up.",
    ]

    private static func state(_ text: String, percent: Int = 100) -> SpeakerStatus {
        var state = SpeakerStatus()
        (state.state, state.title, state.file) = (.playing, "The Mole", "mole.mp3")
        (state.positionMilliseconds, state.durationMilliseconds) = (10_000, 600_000)
        state.speed = Speed(percent: percent)
        state.segments = (0..<5).map {
            Segment(text: text, startMilliseconds: $0 * 6000 + 10_000, endMilliseconds: $0 * 6000 + 15_500)
        }
        return state
    }

    /// Drawn in pieces as it grows, it looks as if it had been drawn at once, in small places and few pictures; both inks are seen on the way.
    @Test(arguments: texts, [false, true]) func piecesMakeTheWhole(text: String, isDark: Bool) throws {
        let stage = try Stage(width: 480, height: 320, theme: isDark ? .dark : .light)
        let state = SentenceFills.state(text)
        let area = PixelRect(x: 21, y: 10, width: 301, height: 300)
        func flow(_ elapsed: Int) -> (TranscriptFlow, Surface) {
            let surface = Surface(width: 480, height: 320)
            let flow = TranscriptFlow(stage, area: area)
            flow.take(beneath: surface)
            flow.show(state, elapsed: elapsed, at: 0, over: nil)
            flow.draw(Picture(stage, on: surface), at: 0)
            return (flow, surface)
        }
        let (grown, surface) = flow(10_000)
        var frames = 0
        var pixels = 0
        while let next = grown.nextFill, frames < 1000 {
            grown.show(state, elapsed: next, at: next, over: surface)
            let before = surface.part(surface.bounds)
            let damage = grown.draw(Picture(stage, on: surface), at: next)
            frames += 1
            pixels += damage.reduce(0) { $0 + $1.width * $1.height }
            let (_, whole) = flow(next)
            #expect(difference(surface, whole) == 0, "at \(next) ms")
            // Nothing is other than it was but there.
            for place in damage { before.put(surface.part(place), x: place.x, y: place.y) }
            #expect(difference(surface, before) == 0, "at \(next) ms")
        }
        let (_, start) = flow(10_000)
        #expect(difference(start, surface) > 40)
        #expect(frames >= (text == "Up." ? 2 : 20) && frames <= 27, "\(frames)")
        // Each pixel of the sentence a few times at most, as letters reach into the lines beside theirs.
        #expect(pixels <= area.width * area.height)
    }

    /// A whole player is drawn at most five times a second for it, at any speed; while it is paused it waits for nothing, and without motion it is drawn
    /// once a second as ever.
    @Test(arguments: [50, 100, 130, 300]) func framesAreFew(percent: Int) throws {
        for (reducesMotion, savesPower) in [(false, false), (true, false), (false, true)] {
            let stage = try Stage(width: 800, height: 480, theme: .dark)
            (stage.comfort.reducesMotion, stage.comfort.savesPower) = (reducesMotion, savesPower)
            let scene = PlayerScene(stage, artwork: nil, gradient: .mintAqua)
            let surface = Surface(width: 800, height: 480)
            var state = SentenceFills.state(SentenceFills.texts[0], percent: percent)
            scene.show(state, at: 0)
            var moment = Screens.settle(scene, surface, from: 0)
            var (frames, wakes) = (0, 0)
            // Within one sentence.
            let end = 5000 * 100 / percent
            while let next = scene.nextFrame(after: moment), next < end {
                moment = max(moment + 1, next)
                wakes += 1
                if !scene.draw(on: surface, at: moment).isEmpty { frames += 1 }
            }
            let seconds = Double(end) / 1000
            let isFilled = !reducesMotion && !savesPower
            let most = isFilled ? seconds * (5 + Double(percent) / 100) + 2 : seconds * Double(percent) / 100 + 1
            #expect(Double(frames) <= most && frames >= (isFilled ? 10 : 3), "\(frames) in \(seconds) s")
            // One may come a millisecond early, where two are due together.
            #expect(wakes <= frames + 1)
            // Its place stays as it was.
            state.state = .paused
            state.positionMilliseconds = scene.elapsed(at: moment)
            scene.show(state, at: moment)
            moment = Screens.settle(scene, surface, from: moment)
            #expect(scene.nextFrame(after: moment) == nil)
            let paused = Surface(width: 800, height: 480)
            let fresh = PlayerScene(stage, artwork: nil, gradient: .mintAqua)
            fresh.show(state, at: 0)
            _ = fresh.draw(on: paused, at: 0)
            #expect(difference(surface, paused) == 0)
        }
    }

    /// A step back within the sentence empties it again.
    @Test func aStepBackIsSeen() throws {
        let stage = try Stage(width: 480, height: 320, theme: .light)
        let state = SentenceFills.state(SentenceFills.texts[0])
        let (there, back) = (Surface(width: 480, height: 320), Surface(width: 480, height: 320))
        for (surface, places) in [(there, [10_200]), (back, [14_000, 10_200])] {
            let flow = TranscriptFlow(stage, area: PixelRect(x: 21, y: 10, width: 301, height: 300))
            flow.take(beneath: surface)
            for place in places {
                flow.show(state, elapsed: place, at: place, over: surface)
                flow.draw(Picture(stage, on: surface), at: place)
            }
        }
        #expect(difference(there, back) == 0)
    }

    /// Times that no recording has harm nothing.
    @Test(arguments: [(0, 0), (5, 4), (0, Int.max), (Int.max - 5, Int.max), (0, 1)]) func oddTimes(start: Int, end: Int)
        throws
    {
        let stage = try Stage(width: 480, height: 320, theme: .light)
        let text = stage.set(SentenceFills.texts[0], .sentence, width: 300, lines: 9)
        for elapsed in [0, 3, 100_000, Int.max] {
            for percent in [0, 1, 50, 300] {
                let fill = SentenceFill(
                    text, of: Segment(text: "", startMilliseconds: start, endMilliseconds: end), elapsed: elapsed,
                    percent: percent, leastStep: 0)
                #expect(fill.reached >= 0)
            }
        }
    }
}
