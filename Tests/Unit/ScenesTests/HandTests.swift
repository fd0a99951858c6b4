// SPDX-License-Identifier: Apache-2.0
import Design
import Model
import Pixels
import TestSupport
import Testing

@testable import Scenes

/// The effects of hands, keys and a remote's focus on screens.
@Suite(.serialized) struct Hands {
    private func shown(_ scene: any Scene, _ size: (Int, Int)) -> Surface {
        let surface = Surface(width: size.0, height: size.1)
        scene.show(SpeakerStatus(), at: 0)
        _ = scene.draw(on: surface, at: 0)
        return surface
    }

    private func list(_ count: Int, _ size: (Int, Int) = (480, 320)) throws -> (PageScene, Surface) {
        let page = FavouritesPage(PageContext())
        page.show((0..<count).map { ListRow(.favourite, name: "\($0).mp3", title: "Title \($0)") }, by: .newest)
        let scene = PageScene(try Screens.stage(size), page, gradient: .mintAqua)
        return (scene, shown(scene, size))
    }

    /// By three buttons through all of a list that is longer than the panel, row by row, and what has the focus is seen.
    @Test(arguments: [(240, 240), (480, 320), (480, 800), (800, 480)])
    func aFocusGoesThroughALongList(size: (Int, Int)) throws {
        let (scene, surface) = try list(40, size)
        var moment = 0
        var rows: [String] = []
        for _ in 0..<80 where rows.last != "Title 39" {
            _ = scene.take(.focus(forward: true), at: moment)
            moment = Screens.settle(scene, surface, from: moment) + 50
            let focus = try #require(scene.focus)
            let element = scene.elements[focus]
            if case .open = element.action {
                rows.append(element.label)
                #expect(!element.frame.intersection(scene.stage.bounds).isEmpty)
            }
        }
        #expect(rows == (0..<40).map { "Title \($0)" })
        // And back to the first.
        rows = []
        for _ in 0..<80 where rows.last != "Title 0" {
            _ = scene.take(.focus(forward: false), at: moment)
            moment = Screens.settle(scene, surface, from: moment) + 50
            if let focus = scene.focus { rows.append(scene.elements[focus].label) }
        }
        #expect(rows.last == "Title 0" && rows.count == 39)
        guard case .open(.favourite, "0.mp3") = scene.take(.choose, at: moment) else {
            Issue.record("it opens something else")
            return
        }
        #expect(scene.take(.hold, at: moment) == .menu(.favourite, "0.mp3"))
    }

    /// By three buttons everything is reached, however long the list: after the last comes the first of the page, and held they run.
    @Test(arguments: [(240, 240), (480, 320), (480, 800), (800, 480)], [FavouritesOrder.newest, .title])
    func aFocusReachesEverythingOfAnEndlessList(size: (Int, Int), order: FavouritesOrder) throws {
        let page = FavouritesPage(PageContext())
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        page.show(
            (0..<5000).map { ListRow(.favourite, name: "\($0).mp3", title: "\(letters[$0 / 200]) \($0)") }, by: order)
        let scene = PageScene(try Screens.stage(size), page, gradient: .mintAqua)
        let surface = shown(scene, size)
        let firstFrame = try #require(scene.elements.first { $0.action != .none })
        var moment = 0
        func take(_ gesture: Gesture) -> Element? {
            _ = scene.take(gesture, at: moment)
            moment = Screens.settle(scene, surface, from: moment) + 50
            return scene.focus.map { scene.elements[$0] }
        }
        #expect(take(.enter)?.label == "A 0")
        #expect(take(.run(lines: 5))?.label == "A 5")
        #expect(take(.focus(forward: true))?.label == "A 6")
        var label = ""
        var leaps = 0
        while label != "Y 4999" && leaps < 100 {
            label = take(.leap(forward: true))?.label ?? "nothing"
            leaps += 1
            if order == .title && leaps == 3 { #expect(label == "D 600") }
        }
        #expect(leaps <= 41, "\(leaps) to \(label)")
        // Through what follows the list, and round to the first of the page.
        var found: [String] = []
        for _ in 0..<12 {
            let element = try #require(take(.focus(forward: true)))
            found.append(element.label)
            if element == firstFrame { break }
        }
        #expect(found.last == firstFrame.label && found.contains("Back"), "\(found)")
        // Backward by letters; the first row of each.
        #expect(take(.enter)?.label == "A 0")
        if order == .title {
            _ = take(.leap(forward: true))
            _ = take(.leap(forward: true))
            #expect(take(.leap(forward: false))?.label == "B 200")
        }
        let tab = take(.tabs)
        #expect(tab?.role == .tab && tab?.isSelected == true)
    }

    /// A remote's four arrows lead from any element to any other.
    @Test(arguments: [(480, 320), (480, 800), (800, 480), (1280, 800)])
    func arrowsReachEveryKey(size: (Int, Int)) throws {
        let scene = PageScene(try Screens.stage(size), SearchPage(PageContext()), gradient: .mintAqua)
        _ = shown(scene, size)
        let elements = scene.elements
        let places = elements.indices.filter { elements[$0].action != .none }
        #expect(places.count > 30)
        var ways: [Int: [Int]] = [:]
        for place in places {
            var touch = Touch()
            while touch.focus != place { _ = touch.take(.focus(forward: true), elements) }
            ways[place] = [.left, .right, .up, .down].compactMap { (side: Side) in
                touch.next(.move(side), elements)
            }
        }
        for start in places {
            var found: Set<Int> = [start]
            var open = [start]
            while let place = open.popLast() {
                for next in ways[place] ?? [] where found.insert(next).inserted { open.append(next) }
            }
            #expect(found.count == places.count, "from \(elements[start].label)")
        }
    }

    /// For any acts of a hand, a list draws no row twice and no row upon another, and comes to rest.
    @Test func aListOutlivesAnyHand() throws {
        for seed in UInt64(1)...12 {
            var random = SeededGenerator(seed: seed)
            let (scene, surface) = try list(Int.random(in: 0...60, using: &random), (320, 240))
            var moment = 0
            for _ in 0..<120 {
                let (x, y) = (Int.random(in: -20...340, using: &random), Int.random(in: -20...260, using: &random))
                let gesture: Gesture =
                    switch Int.random(in: 0..<9, using: &random) {
                    case 0: .press(x: x, y: y)
                    case 1: .release
                    case 2: .tap(x: x, y: y)
                    case 3: .longPress(x: x, y: y)
                    case 4: .drag(x: x, y: y, byX: Int.random(in: -90...90, using: &random), byY: 0)
                    case 5: .drag(x: x, y: y, byX: 0, byY: Int.random(in: -200...200, using: &random))
                    case 6: .drop(speedX: 0, speedY: Int.random(in: -9000...9000, using: &random))
                    case 7: .focus(forward: Bool.random(using: &random))
                    default: .move([.left, .right, .up, .down].randomElement(using: &random) ?? .up)
                    }
                _ = scene.take(gesture, at: moment)
                moment += Int.random(in: 1...120, using: &random)
                _ = scene.draw(on: surface, at: moment)
                var labels: Set<String> = []
                for element in scene.elements where element.role == .row {
                    #expect(labels.insert(element.label).inserted)
                }
                if let focus = scene.focus { #expect(scene.elements.indices.contains(focus)) }
            }
            _ = scene.take(.drop(speedX: 0, speedY: 0), at: moment)
            _ = Screens.settle(scene, surface, from: moment)
            #expect(scene.nextFrame(after: moment + 60_000) == nil)
        }
    }

    @Test func aRowThatWasSwipedAwayLeavesNoGap() throws {
        let source = AskedSpeaker()
        let page = FavouritesPage(PageContext(source: source))
        let window = page.list
        window.take((0..<100).map { ListRow(.favourite, name: "\($0)", title: "Title \($0)") }, page: 0, of: 0)
        let scene = PageScene(try Screens.stage((480, 800)), page, gradient: .mintAqua)
        let surface = shown(scene, (480, 800))
        let row = try #require(scene.elements.first { $0.label == "Title 2" })
        for step in 1...10 {
            _ = scene.take(.drag(x: row.frame.midX, y: row.frame.midY, byX: -20, byY: 0), at: step * 16)
            _ = scene.draw(on: surface, at: step * 16)
        }
        #expect(scene.take(.drop(speedX: -100, speedY: 0), at: 170) == .remove("2"))
        // While it goes nothing is asked for, so that it is not cut short.
        page.changed("sticker", isShown: true)
        page.fetch()
        #expect(source.asked.isEmpty)
        _ = Screens.settle(scene, surface, from: 180)
        #expect(!scene.elements.contains { $0.label == "Title 2" })
        let third = try #require(scene.elements.first { $0.label == "Title 3" })
        #expect(third.frame.y == row.frame.y)
        page.fetch()
        #expect(source.asked.first == "favourite list newest 0:100")
    }

    @Test func theProgressIsDragged() throws {
        let stage = try Screens.stage((480, 800))
        let scene = PlayerScene(stage, artwork: nil, gradient: .duskBerry)
        var state = SpeakerStatus(lines: Screens.lines("Up", playing: false))
        state.durationMilliseconds = 100_000
        scene.show(state, at: 0)
        let surface = Surface(width: 480, height: 800)
        _ = scene.draw(on: surface, at: 0)
        let bar = try #require(scene.elements.first { $0.action == .seek }).frame
        let before = surface.part(surface.bounds)
        let (x, y) = (bar.x + bar.width / 4, bar.midY)
        _ = scene.take(.press(x: x, y: y), at: 10)
        var looked = Element.Action.none
        for step in 1...10 { looked = scene.take(.drag(x: x, y: y, byX: bar.width / 40, byY: 1), at: 10 + step * 16) }
        guard case .look(let place) = looked else {
            Issue.record("\(looked)")
            return
        }
        #expect(abs(place - 50_000) < 3000)
        scene.showSentence("What is spoken there.")
        let damage = scene.draw(on: surface, at: 300)
        #expect(damage.count >= 2 && damage.allSatisfy { $0 != surface.bounds })
        #expect(scene.nextFrame(after: 300) == nil)
        #expect(scene.take(.drop(speedX: 0, speedY: 0), at: 320) == .seekTo(place))
        _ = scene.draw(on: surface, at: 330)
        let words = try #require(scene.flow(isPlaying: false)).area
        // The layer upon the artwork is gone.
        let above = PixelRect(x: 0, y: 0, width: 480, height: bar.y - 20)
        var differs = 0
        for y in 0..<above.height where y < bar.y - stage.pixels(Metrics.knob) * 2 {
            // Another sentence stands there by now.
            for x in 0..<480 where surface.row(y)[x] != before.row(y)[x] && !words.contains(x: x, y: y) { differs += 1 }
        }
        #expect(differs == 0)
        // Beyond its ends is the beginning and the end.
        _ = scene.take(.drag(x: x, y: y, byX: -9000, byY: 0), at: 400)
        #expect(scene.take(.drop(speedX: 0, speedY: 0), at: 410) == .seekTo(0))
        _ = scene.take(.drag(x: x, y: y, byX: 9000, byY: 0), at: 500)
        #expect(scene.take(.drop(speedX: 0, speedY: 0), at: 510) == .seekTo(100_000))
    }

    /// It began to play in the dark, or while another screen gave way: the next picture is the one that it should be.
    @Test func whatTurnedOverUnseenIsShown() throws {
        let stage = try Screens.stage((480, 800))
        let scene = PlayerScene(stage, artwork: nil, gradient: .duskBerry)
        var state = SpeakerStatus(lines: Screens.lines("Up", playing: false))
        scene.show(state, at: 0)
        let surface = Surface(width: 480, height: 800)
        _ = scene.draw(on: surface, at: 0)
        state.state = .playing
        scene.show(state, at: 100)
        // No frame until long after the way from one look to the other.
        #expect(scene.nextFrame(after: 2000) == 2000)
        _ = scene.draw(on: surface, at: 2000)
        #expect(
            scene.elements.contains { $0.label == "Pause" } && scene.elements.contains { $0.value == "being spoken" })
        #expect(scene.nextFrame(after: 2000).map { $0 > 2000 } ?? true)
    }

    @Test func wordsAreTyped() {
        let page = SearchPage(PageContext())
        #expect(!page.type(.letter(0x20)))
        for byte in "old  lamp".utf8 { _ = page.type(.letter(UInt32(byte))) }
        #expect(page.words == "old lamp")
        #expect(page.type(.erase) && page.words == "old lam")
        #expect(!page.type(.layer) && !page.type(.done))
        #expect(page.type(.clear) && page.words.isEmpty && !page.type(.erase))
        for _ in 0..<500 { _ = page.type(.letter(0x61)) }
        #expect(page.words.utf8.count <= 80)
        // The answer to words that were taken back again is not shown.
        _ = page.type(.clear)
        page.show(titles: [ListRow(.song, name: "a", title: "a")], sentences: [], for: "a")
        #expect(page.row(.song, "a") == nil)
    }

    @Test func whatWasFoundIsRead() {
        let rows = ListRow.rows(
            lines:
                "hit: 0\nfile: x/a b.mp3\nTitle: T\nstart: 83.12\ntext: The fox.\nhit: 1\nfile: c\nstart: 1\ntext: \n")
        #expect(
            rows.count == 2 && rows[0].kind == .sentence && rows[0].file == "x/a b.mp3" && rows[0].title == "The fox.")
        #expect(rows[0].startMilliseconds == 83_120 && rows[0].detail == "T" && rows[0].playsFile == "x/a b.mp3")
        let songs = ListRow.rows(lines: "file: x/The Road.mp3\nduration: 3\nfile: b.mp3\nTitle: B\n", files: .song)
        #expect(songs.map { $0.title } == ["The Road", "B"] && songs[0].playsFile == "x/The Road.mp3")
    }

    @Test func aMenuTakesTheFocusOver() throws {
        let (scene, surface) = try list(5)
        let director = Director(scene.stage, scene)
        director.show(SpeakerStatus(), at: 0)
        _ = director.take(.focus(forward: true), at: 10)
        _ = director.draw(on: surface, at: 20)
        director.put(.menu(title: "", items: [.init("Play", .play), .init("Remove", .trash)]), at: 30)
        #expect(director.isAsking)
        _ = director.draw(on: surface, at: 500)
        #expect(director.focus == 0)
        _ = director.take(.move(.down), at: 510)
        #expect(director.take(.choose, at: 520) == .choose(1))
        #expect(!director.isAsking)
        // A toast asks for nothing, and the focus stays beneath.
        director.put(.toast(Toast("Removed")), at: 900)
        #expect(!director.isAsking)
    }

    @Test func aPointerLeavesNothingBehind() throws {
        let stage = try Screens.stage((480, 320))
        let surface = Surface(width: 480, height: 320)
        let pointer = Pointer(stage)
        #expect(pointer.draw(on: surface, at: 0).isEmpty && pointer.nextFrame(after: 0) == nil)
        var random = SeededGenerator(seed: 3)
        for moment in 1...200 {
            pointer.move(
                byX: Int.random(in: -300...300, using: &random), y: Int.random(in: -300...300, using: &random),
                at: moment)
            _ = pointer.takeAway(surface)
            #expect((0..<480 * 320).allSatisfy { surface.pixels[$0] == surface.pixels[0] })
            for place in pointer.draw(on: surface, at: moment) { #expect(surface.bounds.contains(place)) }
        }
        #expect(pointer.nextFrame(after: 300) == 5200)
        _ = pointer.takeAway(surface)
        #expect(pointer.draw(on: surface, at: 5200).isEmpty && pointer.nextFrame(after: 5201) == nil)
    }
}
