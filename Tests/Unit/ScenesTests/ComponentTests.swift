// SPDX-License-Identifier: Apache-2.0
import Design
import Model
import Pixels
import Testing

@testable import Scenes

/// The components that screens are made of, and what holds for all of them.
@Suite(.serialized) struct Components {
    @Test func measuresAreColouredByWhatTheyAreWorth() {
        func worth(_ value: Int?, _ range: ClosedRange<Int>, reversed: Bool = false) -> MetricPill.Worth? {
            MetricPill(label: "a", value: value, range: range, isReversed: reversed).worth
        }
        #expect(worth(1, 1...5) == .low && worth(3, 1...5) == .medium && worth(5, 1...5) == .high)
        #expect(worth(1, 1...10, reversed: true) == .high && worth(10, 1...10, reversed: true) == .low)
        #expect(worth(nil, 1...5) == nil && worth(99, 1...5) == .high)
    }

    @Test func countersAsLines() {
        let counters = SpeakerCounters(lines: "artists: 3\nalbums: 24\nsongs: 312\nuptime: 60\nplaytime: 5\n")
        #expect(counters?.books == 24 && counters?.recordings == 312 && counters?.playedSeconds == 5)
        let hours = SpeakerCounters(lines: "songs: 1\nhours: 5 -2 x 7\nxruns:" + String(repeating: " 1", count: 30))
        #expect(hours?.hourSeconds == [5, 0, 0, 7] && hours?.hourUnderruns.count == 24)
        #expect(SpeakerCounters(lines: "") == nil && SpeakerCounters(lines: "state: play\n") == nil)
    }

    /// Each hour has its bar, the higher the more, and an hour that is not over the accent's colour.
    @Test func anHourIsABar() throws {
        let stage = try Screens.stage((240, 240))
        let picture = Picture(stage)
        picture.canvas.fill(stage.bounds, with: Color(0xFFFFFF))
        let before = Screens.pixels(picture.surface)
        let line = Sparkline(label: "a", values: [0, 1, 50, 100], words: "b")
        let frame = PixelRect(x: 10, y: 10, width: line.width(stage), height: line.height(stage))
        line.draw(picture, frame)
        let after = Screens.pixels(picture.surface)
        let step = stage.pixels(Metrics.sparkStep)
        let heights = (0..<4).map { index in
            (10..<10 + stage.pixels(Metrics.sparkHeight)).filter { row in
                let place = row * 240 + 10 + index * step
                return after[place] != before[place]
            }.count
        }
        #expect(heights[0] > 0 && heights[0] < heights[1] && heights[1] < heights[2] && heights[2] < heights[3])
        #expect(heights[3] == stage.pixels(Metrics.sparkHeight))
        #expect(after[(frame.y + 1) * 240 + 10 + 3 * step] == stage.theme.accent.pixel)
        let isWithin = after.indices.allSatisfy { place in
            after[place] == before[place] || frame.contains(x: place % 240, y: place / 240)
        }
        #expect(isWithin)
        #expect(picture.elements.first?.value == "b")
    }

    @Test(arguments: Symbol.allCases) func everySignIsDrawnWithinItsSquare(symbol: Symbol) {
        for size in [17, 24, 56] {
            let mask = symbol.mask(size: size)
            var sum = 0
            for y in 0..<size { for x in 0..<size { sum += Int(mask.row(y)[x]) } }
            let part = Double(sum) / Double(255 * size * size)
            #expect(part > 0.04 && part < 0.8)
        }
    }

    /// Of 004: another gradient with each change of screen.
    @Test func everyChangeOfScreenHasAnotherGradient() throws {
        let stage = try Screens.stage((240, 240))
        let surface = Surface(width: 240, height: 240)
        stage.comfort.reducesMotion = true
        let first = MessageScene(stage, .boot, gradient: .duskBerry)
        let director = Director(stage, first, gradients: GradientSequence(seed: 7))
        director.show(SpeakerStatus(), at: 0)
        _ = director.draw(on: surface, at: 1000)
        var before = surface.pixels[0]
        var seen: Set<UInt32> = [before]
        for turn in 1...8 {
            director.present(MessageScene(stage, .failure("a"), gradient: .duskBerry), over: surface, at: turn * 2000)
            for moment in stride(from: turn * 2000, through: turn * 2000 + 1000, by: 100) {
                _ = director.draw(on: surface, at: moment)
            }
            #expect(surface.pixels[0] != before)
            before = surface.pixels[0]
            seen.insert(before)
        }
        #expect(seen.count > 4)
    }

    /// At most six blurs on a screen, and none again while nothing beneath them changes.
    @Test(arguments: Gallery.names) func atMostSixBlurs(name: String) throws {
        for size in [(480, 320), (480, 800), (800, 480)] {
            let stage = try Screens.stage(size)
            let gallery = Screens.gallery(stage, "The River Bank")
            let scene = try #require(gallery.scene(name))
            let surface = Surface(width: size.0, height: size.1)
            scene.show(SpeakerStatus(lines: Screens.lines("The River Bank")), at: 0)
            _ = scene.draw(on: surface, at: 0)
            for moment in stride(from: 0, through: 800, by: 50) { _ = scene.draw(on: surface, at: moment) }
            // A menu's glass moves with its scrim while it comes.
            let isOverlay = ["menu", "toast", "banner"].contains(name)
            if !isOverlay { #expect(stage.blurs <= 6) }
            let before = stage.blurs
            if !isOverlay {
                for moment in stride(from: 1000, through: 4000, by: 500) { _ = scene.draw(on: surface, at: moment) }
                #expect(stage.blurs == before)
            }
        }
    }

    /// Without transparency, or with little power, nothing is blurred.
    @Test(arguments: Gallery.names) func noBlurWhereNoneIsWanted(name: String) throws {
        for saves in [false, true] {
            let stage = try Screens.stage((480, 320))
            stage.comfort.savesPower = saves
            stage.comfort.reducesTransparency = !saves
            _ = Screens.gallery(stage, "The River Bank").draw(name)
            // The artwork that plays is not glass: its blur stays, unless power is saved.
            #expect(stage.blurs <= (name == "player" || name == "toast" ? 2 : 0))
        }
    }

    /// A card that has the focus comes towards the eye in 0.2 s and stands still then.
    @Test func aCardWithTheFocusIsLarger() throws {
        let stage = try Screens.stage((800, 480))
        let scene = try #require(Screens.gallery(stage, "Up").scene("library"))
        let surface = Surface(width: 800, height: 480)
        var state = SpeakerStatus(lines: Screens.lines("Up"))
        state.state = .paused
        scene.show(state, at: 0)
        _ = scene.draw(on: surface, at: 0)
        let still = surface.part(surface.bounds)
        func isCard(_ index: Int?) -> Bool {
            guard let index, case .open = scene.elements[index].action else { return false }
            return true
        }
        for _ in 0..<20 where !isCard(scene.focus) {
            _ = scene.take(.focus(forward: true), at: 10)
            _ = scene.draw(on: surface, at: 10)
        }
        let focus = try #require(scene.focus)
        #expect(isCard(focus))
        #expect(scene.nextFrame(after: 10) == 10)
        var changed: [Int] = []
        for moment in stride(from: 20, through: 400, by: 20) {
            changed.append(scene.draw(on: surface, at: moment).reduce(0) { $0 + $1.width * $1.height })
        }
        #expect(scene.nextFrame(after: 400) == nil)
        let frame = scene.elements[focus].frame
        let outside = PixelRect(x: frame.midX, y: frame.y - Int(Float(frame.height) * 0.03), width: 1, height: 1)
        #expect(surface.pixel(x: outside.x, y: outside.y) != still.pixel(x: outside.x, y: outside.y))
        // The ring leaves room beside its letters, which begin at its edge.
        let edge = frame.x - Int(Float(frame.width) * (Metrics.focusScale - 1) / 2)
        let accent = Color(stage.theme.accent.pixel & 0xFF_FFFF)
        let ring = (edge - 20...edge + 5).last { surface.pixel(x: $0, y: frame.midY) == accent }
        #expect(try edge - #require(ring) >= stage.pixels(Spacing.mini))
        _ = scene.take(.press(x: 0, y: 0), at: 500)
        _ = scene.draw(on: surface, at: 500)
        for index in 0..<800 * 480 where surface.pixels[index] != still.pixels[index] {
            Issue.record("something is left of it at \(index)")
            break
        }
    }
}
