import Design
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
            let (plain, coming) = (Surface(width: size.0, height: size.1), Surface(width: size.0, height: size.1))
            _ = try scene(name, stage).draw(on: plain, at: 0)
            let scene = try scene(name, stage)
            scene.willCome()
            _ = scene.draw(on: coming, at: 0)
            let wanted = Screens.pixels(plain)
            let isDrawnWhole = Screens.pixels(coming) == wanted
            #expect(isDrawnWhole)
            let heading = try #require(scene.elements.first { $0.role == .heading })
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

    /// What has no heading, and what draws anew while it comes, is as it ever was.
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
