// SPDX-License-Identifier: Apache-2.0
import Design
import Model
import Pixels
import TestSupport
import Testing

@testable import Scenes

/// A page that is scrolled looks as if nothing of it had been drawn before.
@Suite struct Scrolling {
    private static func scene(_ stage: Stage) throws -> PageScene {
        let scene = try #require(Screens.gallery(stage, "The River Bank", artwork: 4).scene("library") as? PageScene)
        scene.show(SpeakerStatus(lines: Screens.lines("The River Bank")), at: 0)
        return scene
    }

    /// Scrolling back and forth sets each title once, also long ones and those in foreign letters.
    @Test func longTitlesAreSetOnce() throws {
        let stage = try Screens.stage((800, 480))
        let title = String(repeating: "Ветер в ивах и тихая река ", count: 8)
        let scene = try #require(Screens.gallery(stage, title).scene("library") as? PageScene)
        scene.show(SpeakerStatus(lines: Screens.lines(title)), at: 0)
        let surface = Surface(width: 800, height: 480)
        _ = scene.draw(on: surface, at: 0)
        var shaped = 0
        for step in 1...40 {
            _ = scene.take(.drag(x: 400, y: 240, byX: 0, byY: step % 20 < 10 ? -4 : 4), at: step * 16)
            _ = scene.draw(on: surface, at: step * 16)
            if step == 20 { shaped = stage.textsShaped }
        }
        #expect(stage.textsShaped == shaped)
    }

    @Test(arguments: [(800, 480), (480, 800), (320, 240)], [Theme.light, .night])
    func looksAsIfDrawnAnew(size: (Int, Int), theme: Theme) throws {
        let stage = try Screens.stage(size, theme)
        var random = SeededGenerator(seed: UInt64(size.0))
        let running = try Scrolling.scene(stage)
        let surface = Surface(width: size.0, height: size.1)
        _ = running.draw(on: surface, at: 0)
        let first = surface.part(surface.bounds)
        var gestures: [(Gesture, Int)] = []
        var moment = 0
        var moved = 0
        for turn in 0..<24 {
            moment += Int.random(in: 5...120, using: &random)
            let far = Int.random(in: -60...20, using: &random)
            let drag = Gesture.drag(x: size.0 / 2, y: size.1 / 2, byX: 0, byY: far)
            let gesture = turn % 5 == 4 ? Gesture.drop(speedX: 0, speedY: far * 20) : drag
            gestures.append((gesture, moment))
            _ = running.take(gesture, at: moment)
            _ = running.draw(on: surface, at: moment)
            if !surface.isAlike(first) { moved += 1 }
            if turn % 3 != 0 { continue }
            let fresh = try Scrolling.scene(stage)
            let whole = Surface(width: size.0, height: size.1)
            for (gesture, moment) in gestures { _ = fresh.take(gesture, at: moment) }
            _ = fresh.draw(on: whole, at: moment)
            #expect(surface.isAlike(whole), "turn \(turn)")
            #expect(running.elements == fresh.elements)
        }
        #expect(moved > 15)
    }
}
