// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Model
import Pixels
import Testing

@testable import Scenes

/// The places of things: the measured layout is the drawn one.
@Suite struct Layouts {
    @Test func whatIsCutOffAndWhatIsLeftIsAllOfIt() {
        let whole = PixelRect(x: 3, y: 5, width: 101, height: 57)
        var room = whole
        let (left, right) = (room.cutLeft(20, gap: 4), room.cutRight(11, gap: 2))
        let (top, bottom) = (room.cutTop(9, gap: 1), room.cutBottom(8, gap: 3))
        #expect(left == whole.left(20) && right == whole.right(11))
        #expect(top.y == whole.y && top.x == left.maxX + 4 && top.maxX == right.x - 2)
        #expect(bottom.maxY == whole.maxY && room.y == top.maxY + 1 && room.maxY == bottom.y - 3)
        #expect(whole.middle(width: 51, height: 7) == PixelRect(x: 28, y: 30, width: 51, height: 7))
    }

    /// On every panel: the last line that is drawn ends where the height says that it does, within a card, too.
    @Test(arguments: Screens.sizes) func aColumnIsAsHighAsItSaid(size: (Int, Int)) throws {
        let stage = try Screens.stage(size, textSize: 1.4)
        var frames: [PixelRect] = []
        func layOut(_ column: inout Column) {
            column.heading("Heading", .section, stage.theme.text, space: Spacing.small)
            column.card(padding: 7) { card in
                card.flow(across: 5, down: 9) { flow in
                    for width in [40, 90, 30, 400, 20] {
                        flow.add(width: width, height: width % 7 + 10) { frames.append($1) }
                    }
                }
            }
            column.space(Spacing.medium)
            column.rest(least: 31, free: 3) { frames.append($1) }
        }
        let width = size.0 - 20
        let height = Column.height(stage, width: width, layOut)
        #expect(frames.isEmpty)
        let visible = PixelRect(x: 0, y: 0, width: size.0, height: height + 10)
        var column = Column(Picture(stage), x: 10, top: 10, width: width, visible: visible)
        layOut(&column)
        #expect(column.height == height && frames.count == 6)
        for (index, frame) in frames.enumerated() {
            #expect(frame.x >= 10 && frame.maxX <= 10 + width)
            for other in frames[(index + 1)...] { #expect(frame.intersection(other).isEmpty) }
        }
    }

    /// However long a list is, only what is seen is drawn and asked for.
    @Test func onlyTheCellsThatAreSeenAreDrawn() throws {
        let stage = try Screens.stage((480, 320))
        let list = RowWindow()
        list.show((0..<1000).map { ListRow(.playlist, name: "\($0)", title: "") })
        let grid = CellGrid(columns: 3, width: 50, height: 40, gap: 10, across: 5)
        #expect(Column.height(stage, width: 160) { $0.cells(of: list, grid) { _, _, _, _ in } } == 334 * 50)
        var seen: [Int] = []
        var column = Column(
            Picture(stage), x: 0, top: -5000, width: 160, visible: PixelRect(x: 0, y: 0, width: 160, height: 100))
        column.cells(of: list, grid) { _, row, index, frame in
            #expect(row.name == "\(index)" && frame.y == index / 3 * 50 - 5000 && frame.x == index % 3 * 55)
            seen.append(index)
        }
        #expect(seen == Array(300..<309))
    }
}

/// Each owner of a part of a scene's state, alone.
@Suite struct Owners {
    @Test func aPageIsPulledBeyondItsEndsAndGoesBack() {
        var scroll = Scroll()
        scroll.drag(by: 30, limit: 500, at: 0)
        #expect(scroll.isHeld && scroll.value(at: 0) == -10)
        #expect(scroll.drop(speed: 0, limit: 500, at: 10) == 10 && scroll.isMoving(at: 20))
        #expect(scroll.value(at: 5000) == 0 && !scroll.isHeld)
        scroll.run(to: 400, isAnimated: false, at: 5000)
        scroll.keep(within: 300, at: 5000)
        #expect(scroll.target == 300 && scroll.isStale(at: 5000))
        scroll.draw(at: 5000)
        #expect(!scroll.isStale(at: 5000) && scroll.drawn == 300)
    }

    @Test func aToastGoesByItselfAndAMenuWaits() throws {
        let stage = try Screens.stage((240, 240))
        var over = ShownOverlay()
        over.put(.toast(Toast("a")), in: stage.bounds, at: 0)
        let leaves = try #require(over.leaves(after: 0))
        over.goOn(stage, at: leaves)
        #expect(over.overlay != nil && over.isMoving(stage, at: leaves) && !over.isAsking)
        over.goOn(stage, at: leaves + 2000)
        #expect(over.overlay == nil && !over.isMoving(stage, at: leaves + 2000))
        over.put(.menu(title: "", items: []), in: stage.bounds, at: 9000)
        #expect(over.isAsking && over.leaves(after: 9000) == nil && over.part(at: 9000) == 0)
        #expect(over.part(at: 12_000) == 1 && over.way(stage, at: 12_000) == 1)
        over.takeAway(stage, at: 12_000)
        #expect(!over.isAsking && over.isModal)
    }

    @Test func timePassesForWhatWasTold() {
        var told = ToldStatus()
        var status = SpeakerStatus()
        (status.state, status.positionMilliseconds, status.speed) = (.playing, 1500, Speed(percent: 200))
        told.tell(status, at: 100)
        #expect(told.elapsed(at: 350) == 2000 && told.nextSecond(after: 100) == 350)
        status.state = .paused
        told.tell(status, at: 400)
        #expect(told.elapsed(at: 9000) == 1500 && told.nextSecond(after: 400) == nil)
    }

    @Test func theLookThatIsNotShownIsKept() {
        let surface = Surface(width: 2, height: 2)
        func look(_ sentence: Int?, isSettled: Bool = true) -> PlayerLook {
            PlayerLook(part: surface, elements: [], sentence: sentence, isSettled: isSettled)
        }
        var looks = PlayerLooks()
        #expect(looks.turnedUnseen(at: 0))
        looks.endFrame(at: 0)
        #expect(!looks.turnedUnseen(at: 0) && looks.lacksOther(4))
        looks.keep(look(4, isSettled: false), isPlaying: true)
        #expect(!looks.lacksOther(4) && looks.lacksOther(5))
        looks.turn(to: true, at: 10)
        #expect(looks.hasTurned && looks.isMoving(at: 20))
        looks.keep(look(nil), isPlaying: false)
        looks.beginFade()
        #expect(looks.blend(on: surface, surface.bounds, at: 20) != nil)
        // Turned round on the way: the words that moved are to be made anew.
        looks.turn(to: false, at: 50)
        #expect(looks.endFade() != nil && looks.paused == nil && looks.lacksOther(4) && !looks.isFading)
    }

    @Test func aHandHoldsForAWhile() {
        var hand = HandHold()
        #expect(!hand.isPaused(at: 0) && !hand.hasEnded(at: 0) && hand.ends(after: 0) == nil)
        hand.hold()
        #expect(hand.isPaused(at: 1_000_000))
        hand.drop(at: 100)
        let ends = hand.ends(after: 100) ?? 0
        #expect(ends == 100 + Int(Motion.scrollPause * 1000) && hand.isPaused(at: ends - 1) && hand.hasEnded(at: ends))
    }

    @Test func aMarkGoesOverFromOneToTheOther() {
        var mark = SpokenMark()
        mark.set(3)
        mark.pass(to: 4, at: 0)
        let part = mark.part(at: 100)
        #expect(mark.current == 4 && mark.isOnItsWay && mark.share(4, part) + mark.share(3, part) == 1)
        #expect(mark.part(at: 5000) == 1 && !mark.isOnItsWay && mark.share(3, 1) == 0 && !mark.hasSome(3))
    }

    @Test func sentencesAreWantedOnceAtEitherEnd() {
        let all = (0..<60).map { Segment(text: "", startMilliseconds: $0 * 1000, endMilliseconds: $0 * 1000 + 900) }
        let window = SentenceWindow(all, first: 100)
        var more = MoreSentences()
        #expect(more.wantedPlace(in: window, at: 130) == nil)
        #expect(more.wantedPlace(in: window, at: 105) == 0 && more.wantedPlace(in: window, at: 104) == nil)
        #expect(more.wantedPlace(in: window, at: 155) == 59_000)
        more.askAgain()
        more.count = 160
        #expect(more.wantedPlace(in: window, at: 155) == nil)
        #expect(more.wantedPlace(in: SentenceWindow(all), at: 2) == nil)
    }
}
