// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Model
import Pixels
import Testing

@testable import Scenes

/// The screens that are large and simple.
@Suite(.serialized) struct Simple {
    static let sizes = [
        (240, 240), (320, 240), (480, 320), (480, 800), (800, 480), (600, 1024), (1024, 600), (1280, 800),
    ]
    static let names = ["simple", "simple-books"]

    /// A panel of about 7 inches.
    private func seven(_ millimetres: Int) throws -> Stage {
        try Stage(
            width: 800, height: 480, scale: PanelScale(width: 800, height: 480, millimetres: millimetres), theme: .dark)
    }

    private func drawn(_ name: String, _ stage: Stage, _ title: String, artwork kind: Int = 0) -> (
        texts: [DrawnText], elements: [Element], picture: Surface?
    ) {
        stage.drawnTexts = []
        defer { stage.drawnTexts = nil }
        let gallery = Screens.gallery(stage, title, artwork: kind)
        let picture = gallery.draw(name)
        return (stage.drawnTexts ?? [], gallery.elements, picture)
    }

    /// The same with no picture for anything.
    private func bare(_ name: String, _ stage: Stage, _ title: String) -> (texts: [DrawnText], elements: [Element]) {
        stage.drawnTexts = []
        defer { stage.drawnTexts = nil }
        let gallery = Gallery(stage, lines: Screens.lines(title)) { _, _ in nil }
        _ = gallery.draw(name)
        return (stage.drawnTexts ?? [], gallery.elements)
    }

    /// The names of books are seen whole: their letters become smaller first, and then the cover goes.
    @Test(
        arguments: [(800, 480), (480, 320), (1024, 600), (480, 800)],
        [
            "The Lighthouse Keeper and His Daughter", "Donaudampfschifffahrtsgesellschaft", "Up",
        ]) func namesAreSeenWhole(size: (Int, Int), title: String) throws
    {
        let shown = drawn("simple-books", try Screens.stage(size, .dark), title).texts.filter { $0.text == title }
        #expect(!shown.isEmpty && shown.allSatisfy { !$0.isTruncated })
    }

    /// Without room for a button, the title leads to the books, and a sign says so.
    @Test(arguments: [(240, 240), (320, 240)]) func theTitleLeadsToTheBooks(size: (Int, Int)) throws {
        let stage = try Screens.stage(size, .dark)
        let (_, elements, picture) = drawn("simple", stage, "Up")
        let way = try #require(elements.first { $0.label == "Title" })
        #expect(way.action == .show(.library) && way.hint == "shows the books")
        let surface = try #require(picture)
        let sign = way.frame.right(way.frame.width / 8)
        let ink = (sign.y..<sign.maxY).contains { y in
            (sign.x..<sign.maxX).contains { surface.row(y)[$0] & 0xFF > 0xC0 }
        }
        #expect(ink)
    }

    // MARK: How large

    /// Every line is at least 12 mm high, and every button at least 20 mm, where the panel says how large it is.
    @Test(arguments: [150, 140]) func textsAndButtonsAreAsLargeAsAHandNeeds(width: Int) throws {
        let millimetre = Float(800) / Float(width)
        for title in Screens.titles {
            for name in Simple.names {
                let stage = try seven(width)
                for shown in [drawn(name, stage, title).texts, bare(name, stage, title).texts] {
                    #expect(shown.count >= 3)
                    for text in shown where Float(text.frame.height) < 12 * millimetre {
                        Issue.record("\(name): \(text.text) is only \(Float(text.frame.height) / millimetre) mm")
                    }
                }
                for element in drawn(name, stage, title).elements where element.action != .none {
                    let least = min(element.frame.width, element.frame.height)
                    // Of the last card only the upper end may be seen.
                    let isWhole = element.role != .row
                    #expect(!isWhole || Float(least) >= 20 * millimetre, "\(name): \(element.label)")
                }
            }
        }
        let first = try #require(drawn("simple-books", seven(width), "Emma").elements.first { $0.role == .row })
        #expect(Float(min(first.frame.width, first.frame.height)) >= 20 * millimetre)
    }

    /// A panel that says of itself that it is small has no larger lines than a fifth of it.
    @Test func nothingIsLargerThanThePanelAllows() throws {
        let stage = try Stage(
            width: 320, height: 240, scale: PanelScale(width: 320, height: 240, millimetres: 40), theme: .light)
        let measures = SimpleMeasures(stage)
        #expect(measures.titleLine == 48 && measures.wordsLine <= 39)
        let full = try Screens.stage((800, 480))
        #expect(SimpleMeasures(full).titleLine < SimpleMeasures(try Screens.stage((800, 480), textSize: 2)).titleLine)
        #expect(SimpleMeasures(try Screens.stage((800, 480), textSize: 2)).titleLine == 96)
    }

    /// The panel's reported size counts for every text size, and for a scale set by a person.
    @Test func aLineIsAsHighAsTheMillimetresSay() throws {
        let scale = PanelScale(
            factor: 0.5, pixelsPerMillimetre: PanelScale.pixelsPerMillimetre(width: 800, millimetres: 130))
        let stage = try Stage(width: 800, height: 480, scale: scale, theme: .light)
        // 12 mm of 6.15 pixels each.
        #expect(SimpleMeasures(stage).wordsLine == 74 && SimpleMeasures(stage).leastButton == 124)
        stage.setTextSize(1.5)
        #expect(SimpleMeasures(stage).wordsLine >= 74 && SimpleMeasures(stage).leastButton == 124)
        #expect(PanelScale.pixelsPerMillimetre(width: 800, millimetres: 3) == nil)
        #expect(SimpleMeasures(try Screens.stage((800, 480))).wordsLine == 64)
    }

    // MARK: Where

    @Test(arguments: sizes) func nothingIsCutOrOverlaps(size: (Int, Int)) throws {
        for theme in [Theme.light, .dark, .night] {
            for textSize in [Float(1), 2] {
                for title in Screens.titles {
                    for name in Simple.names {
                        let stage = try Screens.stage(size, theme, textSize: textSize)
                        let shown = drawn(name, stage, title)
                        let place = "\(name) \(size) text \(textSize) \(title)"
                        check(shown.texts, shown.elements, stage, place)
                        let bare = bare(name, stage, title)
                        check(bare.texts, bare.elements, stage, place + " without pictures")
                    }
                }
            }
        }
    }

    private func check(_ texts: [DrawnText], _ elements: [Element], _ stage: Stage, _ place: String) {
        #expect(!texts.isEmpty)
        for (index, text) in texts.enumerated() {
            if text.isCut { Issue.record("\(place): \(text.text) is cut") }
            if !stage.bounds.contains(text.frame) { Issue.record("\(place): \(text.text) leaves the panel") }
            for other in texts[(index + 1)...] where !text.frame.intersection(other.frame).isEmpty {
                Issue.record("\(place): \(text.text) and \(other.text) overlap")
            }
        }
        for (index, element) in elements.enumerated() {
            if element.label.isEmpty { Issue.record("\(place): something without a name") }
            if !stage.bounds.contains(element.frame) { Issue.record("\(place): \(element.label) leaves the panel") }
            for other in elements[(index + 1)...] where !element.frame.intersection(other.frame).isEmpty {
                Issue.record("\(place): \(element.label) and \(other.label) overlap")
            }
        }
    }

    /// White, black and busy covers, in every theme, with and without more contrast, on some of the gradients.
    @Test func everyTextStandsOut() throws {
        for theme in [Theme.light, .dark, .night] {
            for theme in [theme, theme.withMoreContrast()] {
                for size in [(480, 320), (480, 800), (800, 480)] {
                    for kind in [0, 1, 2, 3] {
                        for token in [GradientToken.butterLemon, .duskBerry, .mintAqua] {
                            for name in Simple.names {
                                let stage = try Screens.stage(size, theme)
                                let gallery = Gallery(stage, lines: Screens.lines("Up")) { _, side in
                                    if kind < 3 { return Screens.artwork(kind, side: min(96, side)) }
                                    return size.0 == 800 ? nil : Surface(width: 96, height: 96)
                                }
                                let scene = try #require(gallery.scene(name))
                                scene.lie(on: token)
                                scene.show(SpeakerStatus(lines: Screens.lines("Up")), at: 0)
                                stage.drawnTexts = []
                                _ = scene.draw(on: Surface(width: size.0, height: size.1), at: 0)
                                let texts = stage.drawnTexts ?? []
                                #expect(texts.count >= 2)
                                for text in texts where text.contrast < theme.textContrast - 0.05 {
                                    Issue.record("\(name) \(size) cover \(kind): \(text.text) has \(text.contrast)")
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// The smallest panels have a title and three buttons; all others a way to the books, and the time that is left.
    @Test(arguments: sizes) func whatThereIsRoomFor(size: (Int, Int)) throws {
        let shown = drawn("simple", try Screens.stage(size), "Up")
        let actions = shown.elements.map { $0.action }.filter { $0 != .none }
        let three: [Element.Action] = [.back, .togglePlayback, .forward]
        let isTiny = min(size.0, size.1) <= 240
        #expect(actions == (isTiny ? [.show(.library)] + three : three + [.show(.library)]))
        #expect(shown.texts.contains { $0.text == "Up" })
        // Of ten hours, at 1.25 times the speed.
        #expect(
            shown.texts.contains { $0.text.contains("7 h 59 min") || $0.text == "7 hours 59 minutes left" } != isTiny)
        let books = drawn("simple-books", try Screens.stage(size), "Up").elements
        #expect(books.last?.action == .leave)
        let cards = books.dropLast()
        #expect(
            cards.allSatisfy { if case .play(.book, _) = $0.action { true } else { false } }
                && (1...3).contains(cards.count))
    }

    // MARK: What is said

    @Test func timeIsSaidAsPeopleSayIt() {
        let words: [(Int, String)] = [
            (0, "Less than a minute left"), (29_999, "Less than a minute left"), (30_000, "1 minute left"),
            (89_999, "1 minute left"), (90_000, "2 minutes left"), (59 * 60_000, "59 minutes left"),
            (60 * 60_000, "1 hour left"), (61 * 60_000, "1 hour 1 minute left"),
            (125 * 60_000, "2 hours 5 minutes left"), (120 * 60_000, "2 hours left"),
        ]
        for (time, said) in words { #expect(Words.left(time).first == said) }
        for time in stride(from: 0, through: 400 * 60_000, by: 61_000) {
            let lengths = Words.left(time).map { $0.utf8.count }
            #expect(lengths == lengths.sorted(by: >))
        }
    }

    @Test(arguments: Trouble.allCases) func itSaysWhatHindersIt(trouble: Trouble) throws {
        for size in Simple.sizes {
            for title in ["", "Emma"] {
                let stage = try Screens.stage(size)
                let lines = "state: pause\ntitle: \(title)\ntrouble: \(trouble.text)\n"
                let gallery = Gallery(stage, lines: lines) { _, _ in nil }
                stage.drawnTexts = []
                _ = gallery.draw("simple")
                let said = Words.trouble(trouble)
                let texts = stage.drawnTexts ?? []
                #expect(texts.contains { $0.text == said.title && !$0.isTruncated }, "\(size): \(texts)")
                if min(size.0, size.1) > 240 { #expect(texts.contains { $0.text == said.advice }) }
            }
        }
    }

    /// Books whose data is on its way have their shape: the place of the cover and the card.
    @Test(arguments: sizes) func whatIsNotKnownYetHasItsShape(size: (Int, Int)) throws {
        let stage = try Screens.stage(size, .dark)
        func draw(_ rows: [ListRow]?) throws -> Surface {
            let page = SimpleBooks(PageContext())
            if let rows { page.list.show(rows) }
            let surface = Surface(width: size.0, height: size.1)
            let scene = PageScene(stage, page, gradient: .skyLavender)
            _ = scene.draw(on: surface, at: 0)
            return surface
        }
        let (nothing, waiting) = (try draw([]), try draw(nil))
        let layout = PageLayout(simple: stage)
        let width = layout.content.width - 2 * layout.margin
        let measures = SimpleMeasures(stage)
        let form = SimpleCard.Form(measures, width: width, visible: layout.content.height)
        let card = PixelRect(
            x: layout.content.x + layout.margin, y: layout.content.y + layout.margin, width: width, height: form.height)
        func isOther(_ x: Int, _ y: Int) -> Bool { nothing.pixel(x: x, y: y) != waiting.pixel(x: x, y: y) }
        #expect(isOther(card.midX, card.y + 2) && isOther(card.x + 2, card.midY) && isOther(card.maxX - 3, card.midY))
        var room = card
        if let cover = form.cutCover(&room, measures) {
            #expect(waiting.pixel(x: cover.midX, y: cover.midY) != waiting.pixel(x: card.x + 2, y: card.midY))
        }
        #expect(form.cutCover(&room, measures).map { room.intersection($0).isEmpty } ?? true)
    }

    /// The advice for filling an empty library is as large as all else, and whole.
    @Test func theFirstEveningIsLarge() throws {
        for (size, millimetres) in [((800, 480), 150), ((480, 800), 90), ((1024, 600), 220)] as [((Int, Int), Int)] {
            let scale = PanelScale(width: size.0, height: size.1, millimetres: millimetres)
            let stage = try Stage(width: size.0, height: size.1, scale: scale, theme: .dark)
            let measures = SimpleMeasures(stage)
            let picture = Picture(stage)
            stage.drawnTexts = []
            var notice = Notice.noBooks(isLooking: false, FirstEvening(host: "bedside", folder: "/srv/nightstand"))
            notice.large = measures
            notice.draw(picture, in: PageLayout(simple: stage).content)
            let texts = stage.drawnTexts ?? []
            #expect(texts.count == 2)
            for text in texts {
                #expect(!text.isTruncated && !text.isCut && stage.bounds.contains(text.frame), "\(size) \(text)")
                #expect(text.frame.height >= measures.wordsLine, "\(size) \(text)")
            }
            stage.drawnTexts = nil
        }
    }

    // MARK: Moments

    private func player(_ lines: String, _ size: (Int, Int) = (800, 480)) throws -> (SimplePlayer, Surface) {
        let scene = SimplePlayer(
            try Screens.stage(size, .dark), artwork: Screens.artwork(0, side: 64), gradient: .duskBerry)
        scene.show(SpeakerStatus(lines: lines), at: 0)
        let surface = Surface(width: size.0, height: size.1)
        _ = scene.draw(on: surface, at: 0)
        return (scene, surface)
    }

    private func left(_ scene: SimplePlayer) -> String? {
        scene.elements.first { $0.label.hasSuffix(" left") }?.label
    }

    /// Nothing is drawn while nothing that is said changes: never while it is paused, and once a minute while it plays.
    @Test func aDrawIsAFunctionOfTheMoment() throws {
        let (paused, still) = try player("state: pause\ntitle: Up\nduration: 600\nelapsed: 12\n")
        #expect(paused.nextFrame(after: 0) == nil && paused.draw(on: still, at: 900_000).isEmpty)
        for speed in ["1", "1.25", "0.5", "3"] {
            let (scene, surface) = try player("state: play\ntitle: Up\nduration: 600\nelapsed: 12\nspeed: \(speed)\n")
            var (moment, shown) = (0, left(scene))
            var changes = 0
            while let next = scene.nextFrame(after: moment) {
                try #require(next > moment && changes < 30)
                #expect(scene.draw(on: surface, at: next - 5).isEmpty && left(scene) == shown)
                #expect(scene.draw(on: surface, at: next) == [surface.bounds])
                #expect(left(scene) != shown)
                #expect(moment == 0 || abs(next - moment - 60_000) <= 10)
                (moment, shown) = (next, left(scene))
                changes += 1
            }
            #expect(shown == "Less than a minute left" && changes > 2)
            // A panel that connects only now shows the same.
            let (other, late) = try player("state: play\ntitle: Up\nduration: 600\nelapsed: 12\nspeed: \(speed)\n")
            _ = other.draw(on: late, at: moment)
            #expect(difference(surface, late) == 0)
        }
    }

    /// An equal state is not drawn again; play becomes pause, and another title makes another picture.
    @Test func whatIsToldIsDrawnWhereItIsOther() throws {
        let lines = "state: pause\ntitle: Up\nduration: 600\nelapsed: 12\nvolume: 50\n"
        let (scene, surface) = try player(lines)
        scene.show(SpeakerStatus(lines: lines.replacing("volume: 50", with: "volume: 60")), at: 10)
        #expect(scene.nextFrame(after: 10) == nil && scene.draw(on: surface, at: 10).isEmpty)
        scene.show(SpeakerStatus(lines: lines.replacing("pause", with: "play")), at: 20)
        #expect(scene.nextFrame(after: 20) == 20 && !scene.draw(on: surface, at: 20).isEmpty)
        #expect(scene.elements.contains { $0.label == "Pause" && $0.action == .togglePlayback })
        scene.show(SpeakerStatus(lines: lines.replacing("title: Up", with: "title: Emma")), at: 30)
        _ = scene.draw(on: surface, at: 30)
        #expect(scene.elements.contains { $0.value == "Emma" } && scene.nextFrame(after: 30) == nil)
    }

    /// One cover gives way to another, and then it stands still.
    @Test func aCoverGivesWayToAnother() throws {
        let (scene, surface) = try player("state: pause\ntitle: Up\nduration: 600\n")
        let before = surface.part(surface.bounds)
        scene.setArtwork(Screens.artwork(1, side: 64))
        #expect(scene.nextFrame(after: 100) == 100)
        _ = scene.draw(on: surface, at: 100)
        #expect(difference(surface, before) <= 1)
        for moment in stride(from: 116, through: 4000, by: 16) { _ = scene.draw(on: surface, at: moment) }
        #expect(scene.nextFrame(after: 4000) == nil && difference(surface, before) > 50)
    }

    // MARK: Hands

    /// A hand that trembles, or presses for long, does what one does that is sure of itself.
    @Test func anyTouchIsATouch() throws {
        let (scene, surface) = try player("state: pause\ntitle: Up\nduration: 600\n")
        for element in scene.elements where element.action != .none {
            let (x, y) = (element.frame.midX, element.frame.midY)
            func press() {
                _ = scene.take(.press(x: x, y: y), at: 0)
                _ = scene.draw(on: surface, at: 0)
            }
            press()
            #expect(scene.take(.release, at: 1) == .none && scene.take(.tap(x: x, y: y), at: 1) == element.action)
            press()
            #expect(scene.take(.longPress(x: x, y: y), at: 1) == element.action)
            press()
            for _ in 0..<10 { #expect(scene.take(.drag(x: x, y: y, byX: 3, byY: -2), at: 1) == .none) }
            #expect(scene.take(.drop(speedX: 90, speedY: 0), at: 2) == element.action)
            // Too far for a touch.
            press()
            for _ in 0..<10 { #expect(scene.take(.drag(x: x, y: y, byX: 9, byY: 0), at: 1) == .none) }
            #expect(scene.take(.drop(speedX: 900, speedY: 0), at: 2) == .none)
            // A wheel turns nothing.
            _ = scene.take(.drag(x: x, y: y, byX: 0, byY: 20), at: 1)
            #expect(scene.take(.drop(speedX: 0, speedY: 0), at: 2) == .none)
            let isSkip = element.action == .back || element.action == .forward
            #expect(scene.take(.doubleTap(x: x, y: y), at: 3) == (isSkip ? element.action : .none))
        }
    }

    @Test func threeButtonsReachAllOfThePlayer() throws {
        let (scene, surface) = try player("state: pause\ntitle: Up\nduration: 600\n")
        var found: [Element.Action] = []
        for moment in 0..<4 {
            _ = scene.take(.focus(forward: true), at: moment)
            _ = scene.draw(on: surface, at: moment)
            found.append(scene.take(.choose, at: moment))
        }
        #expect(found == [.back, .togglePlayback, .forward, .show(.library)])
        #expect(scene.take(.hold, at: 9) == .none)
    }

    /// The focus is visible from afar, also on the filled button.
    @Test(arguments: [Theme.light, .dark, .night]) func theFocusIsSeen(theme: Theme) throws {
        let stage = try Screens.stage((800, 480), theme)
        let scene = SimplePlayer(stage, gradient: .duskBerry)
        scene.show(SpeakerStatus(lines: "state: pause\ntitle: Up\nduration: 600\n"), at: 0)
        let surface = Surface(width: 800, height: 480)
        for step in 0..<3 {
            _ = scene.draw(on: surface, at: step)
            if step < 2 { _ = scene.take(.focus(forward: true), at: step) }
        }
        let play = scene.elements[try #require(scene.focus)]
        #expect(play.action == .togglePlayback)
        let ring = surface.pixel(x: play.frame.midX, y: play.frame.y - 3)
        #expect(ring.contrast(with: surface.pixel(x: play.frame.x - 12, y: play.frame.midY)) > 7)
        #expect(ring.contrast(with: surface.pixel(x: play.frame.x + 9, y: play.frame.midY)) > 2)
    }

    private func books(_ count: Int, _ size: (Int, Int)) throws -> (PageScene, Surface) {
        let page = SimpleBooks(PageContext())
        page.show((0..<count).map { ListRow(.book, name: "b\($0)", title: "Book \($0)") })
        let scene = PageScene(try Screens.stage(size), page, gradient: .skyLavender)
        let surface = Surface(width: size.0, height: size.1)
        scene.show(SpeakerStatus(), at: 0)
        _ = scene.draw(on: surface, at: 0)
        return (scene, surface)
    }

    /// Through all of the books by three buttons, each of them whole; chosen it plays, and a long press goes back.
    @Test(arguments: sizes) func threeButtonsReachEveryBook(size: (Int, Int)) throws {
        let (scene, surface) = try books(12, size)
        var moment = 0
        var found: [Element.Action] = []
        for _ in 0..<40 where found.last != .leave {
            _ = scene.take(.focus(forward: true), at: moment)
            moment = Screens.settle(scene, surface, from: moment) + 50
            let action = scene.take(.choose, at: moment)
            if action != .none && action != found.last { found.append(action) }
            if let focus = scene.focus {
                let frame = scene.elements[focus].frame
                #expect(frame.height > size.1 / 4 || scene.elements[focus].action == .leave, "\(frame)")
            }
        }
        #expect(found == (0..<12).map { Element.Action.play(.book, "b\($0)") } + [.leave])
        #expect(scene.take(.hold, at: moment) == .leave)
        _ = scene.take(.press(x: 0, y: 0), at: moment)
        #expect(scene.take(.hold, at: moment) == .leave)
    }

    @Test func aTouchPlaysABookAndTheWayLeadsBack() throws {
        let (scene, surface) = try books(3, (800, 480))
        let card = try #require(scene.elements.first)
        let (x, y) = (card.frame.midX, card.frame.midY)
        #expect(scene.take(.tap(x: x, y: y), at: 0) == .play(.book, "b0"))
        #expect(scene.take(.longPress(x: x, y: y), at: 0) == .play(.book, "b0"))
        // The second touch of a hand that trembled on the way here plays nothing.
        #expect(scene.take(.doubleTap(x: x, y: y), at: 0) == .none)
        let way = try #require(scene.elements.first { $0.action == .leave }).frame
        #expect(scene.take(.tap(x: way.midX, y: way.midY), at: 0) == .leave)
        // Pulled down it asks for nothing, and with nothing that plays moving it stands still.
        _ = scene.take(.press(x: x, y: y), at: 10)
        _ = scene.take(.drag(x: x, y: y, byX: 0, byY: 400), at: 20)
        #expect(scene.take(.drop(speedX: 0, speedY: 0), at: 30) == .none)
        let end = Screens.settle(scene, surface, from: 30)
        #expect(scene.nextFrame(after: end + 60_000) == nil)
        scene.show(SpeakerStatus(lines: "state: play\ntitle: Up\nduration: 600\n"), at: end)
        _ = scene.draw(on: surface, at: end)
        #expect(scene.nextFrame(after: end) == nil && !scene.leadsToPlayer)
    }

    /// With no books it says how they get there.
    @Test func theFirstEveningIsSaid() throws {
        let (scene, _) = try books(0, (800, 480))
        #expect(
            scene.elements.contains { $0.label == "No books yet" } && scene.elements.contains { $0.action == .leave })
    }

    /// A title that runs from right to left begins at the right, and what stands below it, too.
    @Test func titlesRunFromRightToLeft() throws {
        let stage = try Screens.stage((800, 480))
        for shown in [drawn("simple", stage, "שלום עולם").texts, bare("simple", stage, "שלום עולם").texts] {
            let title = try #require(shown.first { $0.text == "שלום עולם" })
            let time = try #require(shown.first { $0.text.contains("7 h") })
            #expect(title.frame.maxX == time.frame.maxX && title.frame.maxX > 760)
        }
    }
}
