// SPDX-License-Identifier: Apache-2.0
import Design
import Fuzzing
import Model
import Pixels
import Testing

@testable import Scenes

/// Headings that come letter by letter with their screens.
@Suite(.serialized) struct Cascades {
    private static let pages = ["settings", "library", "favourites"]

    private func scene(_ name: String, _ stage: Stage) throws -> any Scene {
        let scene = try #require(Screens.gallery(stage, "Up").scene(name))
        scene.show(SpeakerStatus(lines: Screens.lines("Up")), at: 0)
        return scene
    }

    /// While it comes nothing but the heading's own rectangle is other than it will be, and in the end nothing is.
    @Test(arguments: pages) func onlyTheHeadingMoves(name: String) throws {
        for (size, theme) in [((240, 240), Theme.light), ((480, 320), .dark), ((800, 480), .light)] {
            let stage = try Screens.stage(size, theme)
            // The smallest library has no heading.
            if name == "library" && stage.isTiny { continue }
            let (plain, coming) = (Surface(width: size.0, height: size.1), Surface(width: size.0, height: size.1))
            _ = try scene(name, stage).draw(on: plain, at: 0)
            let scene = try scene(name, stage)
            scene.willCome()
            _ = scene.draw(on: coming, at: 0)
            let wanted = Screens.pixels(plain)
            let isDrawnWhole = Screens.pixels(coming) == wanted
            #expect(isDrawnWhole)
            let heading = try #require(scene.elements.last { $0.role == .heading })
            var last = 0
            for milliseconds in stride(from: 0, through: 550, by: 50) {
                scene.come(on: coming, seconds: Float(milliseconds) / 1000)
                let pixels = Screens.pixels(coming)
                let other = pixels.indices.filter { pixels[$0] != wanted[$0] }
                let isWithin = other.allSatisfy { heading.frame.contains(x: $0 % size.0, y: $0 / size.0) }
                #expect(isWithin, "\(name) \(size) \(milliseconds)")
                if milliseconds == 0 { #expect(other.count > 20) }
                last = other.count
            }
            #expect(last < heading.frame.width * heading.frame.height / 10)
            scene.come(on: coming, seconds: nil)
            let isEqual = Screens.pixels(coming) == wanted
            #expect(isEqual)
        }
    }

    /// A whole change of screens ends with the same picture as where nothing moves, and then nothing more is drawn.
    @Test(arguments: pages) func aChangeEndsPlain(name: String) throws {
        var ends: [[UInt32]] = []
        for isStill in [false, true] {
            let stage = try Screens.stage((480, 320), .dark)
            stage.comfort.reducesMotion = isStill
            let surface = Surface(width: 480, height: 320)
            let director = Director(stage, try scene("player", stage))
            director.show(SpeakerStatus(lines: Screens.lines("Up")), at: 0)
            _ = director.draw(on: surface, at: 0)
            director.present(try scene(name, stage), over: surface, at: 1000)
            for moment in stride(from: 1000, through: 1700, by: 33) { _ = director.draw(on: surface, at: moment) }
            ends.append(Screens.pixels(surface))
        }
        let isEqual = ends[0] == ends[1]
        #expect(isEqual)
    }

    /// Content without a heading, and content that redraws while it appears, is as before.
    @Test func otherwiseNothingMoves() throws {
        let stage = try Screens.stage((480, 320))
        for name in ["player", "simple-books", "standby"] {
            let surface = Surface(width: 480, height: 320)
            let scene = try scene(name, stage)
            scene.willCome()
            _ = scene.draw(on: surface, at: 0)
            let before = Screens.pixels(surface)
            scene.come(on: surface, seconds: 0.1)
            let isEqual = Screens.pixels(surface) == before
            #expect(isEqual, "\(name)")
        }
        let surface = Surface(width: 480, height: 320)
        let settings = try scene("settings", stage)
        settings.willCome()
        _ = settings.draw(on: surface, at: 0)
        settings.drawAnew()
        _ = settings.draw(on: surface, at: 100)
        let before = Screens.pixels(surface)
        settings.come(on: surface, seconds: 0.1)
        let isEqual = Screens.pixels(surface) == before
        #expect(isEqual)
    }
}

/// A title that comes letter by letter on the player.
@Suite(.serialized) struct ComingTitles {
    private static func player(_ stage: Stage, _ surface: Surface, _ title: String, isPlaying: Bool) -> PlayerScene {
        let player = PlayerScene(stage, artwork: Photograph.picture(side: 300), gradient: .duskBerry)
        player.show(status(title, isPlaying: isPlaying), at: 0)
        _ = player.draw(on: surface, at: 0)
        return player
    }

    private static func status(_ title: String, isPlaying: Bool, favourite: Bool = false) -> SpeakerStatus {
        var status = SpeakerStatus(lines: Screens.lines("Up"))
        (status.title, status.file, status.state) = (title, title, isPlaying ? .playing : .paused)
        status.isFavourite = favourite
        // Sentences without an end have one ink, with motion and without.
        status.segments = status.segments.map {
            Segment(text: $0.text, startMilliseconds: $0.startMilliseconds, endMilliseconds: 0)
        }
        return status
    }

    /// Nothing but the title is other than it will be, and in the end nothing is.
    @Test(arguments: [(240, 240), (240, 400), (480, 320)], [false, true])
    func onlyTheTitleMoves(size: (Int, Int), isPlaying: Bool) throws {
        for title in [
            "The River Bank", "The Adventures of a Very Long Title, Told in More Than One Line", "كتاب الليل",
        ] {
            let stage = try Screens.stage(size, .dark)
            let surface = Surface(width: size.0, height: size.1)
            let player = Self.player(stage, surface, "Before", isPlaying: isPlaying)
            let next = Self.status(title, isPlaying: isPlaying)
            player.show(next, at: 1000)
            var frames: [[UInt32]] = []
            for moment in stride(from: 1000, through: 1700, by: 100) {
                _ = player.draw(on: surface, at: moment)
                if moment == 1000 || player.looks.title.isComing { frames.append(Screens.pixels(surface)) }
            }
            #expect(frames.count > 2 && !player.looks.title.isComing)
            let wanted = Screens.pixels(surface)
            let frame = try #require(player.elements.first { $0.label == "Title" }).frame
            for (index, pixels) in frames.enumerated() {
                let other = pixels.indices.filter { pixels[$0] != wanted[$0] }
                // Seconds count meanwhile, and sentences go on.
                let isWithin = isPlaying || other.allSatisfy { frame.contains(x: $0 % size.0, y: $0 / size.0) }
                #expect(isWithin, "\(size) \(title) \(index)")
                if index == 0 { #expect(other.count > 20, "\(size) \(title)") }
            }
            stage.comfort.reducesMotion = true
            let plain = Surface(width: size.0, height: size.1)
            let still = Self.player(stage, plain, "Before", isPlaying: isPlaying)
            still.show(next, at: 1000)
            for moment in stride(from: 1000, through: 1700, by: 100) { _ = still.draw(on: plain, at: moment) }
            let isEqual = Screens.pixels(plain) == wanted
            #expect(isEqual, "\(size) \(title)")
        }
    }

    /// For any events during the appearance, the final picture is that of a viewer without them.
    @Test(arguments: 0..<24) func whateverHappensMeanwhile(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let size = [(240, 400), (480, 320), (800, 480)].randomElement(using: &random)!
        let stage = try Screens.stage(size, .light)
        let surface = Surface(width: size.0, height: size.1)
        let player = Self.player(stage, surface, "Before", isPlaying: false)
        var last = Self.status("Before", isPlaying: false)
        var moment = 1000
        for _ in 0..<8 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                last = Self.status("Now \(Int.random(in: 0..<9, using: &random))", isPlaying: last.state == .playing)
            case 1: last = Self.status(last.title, isPlaying: last.state != .playing)
            case 2: last = Self.status(last.title, isPlaying: last.state == .playing, favourite: !last.isFavourite)
            default: player.prepare(on: surface, at: moment)
            }
            player.show(last, at: moment)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                _ = player.draw(on: surface, at: moment)
                moment += Int.random(in: 10...120, using: &random)
            }
        }
        last = Self.status(last.title, isPlaying: false, favourite: last.isFavourite)
        player.show(last, at: moment)
        for _ in 0..<60 {
            _ = player.draw(on: surface, at: moment)
            moment += 50
        }
        let plain = Surface(width: size.0, height: size.1)
        let still = PlayerScene(stage, artwork: Photograph.picture(side: 300), gradient: .duskBerry)
        still.show(last, at: moment)
        _ = still.draw(on: plain, at: moment)
        let difference = difference(surface, plain)
        // A fade rounds by one.
        #expect(difference <= 1, "seed \(seed)")
        #expect(player.nextFrame(after: moment) != moment)
    }
}
