// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Model
import Pixels
import Testing

@testable import Scenes

@Suite(.serialized) struct Players {
    static let sizes = [
        (240, 240), (320, 240), (480, 320), (800, 480), (480, 800), (1024, 600), (600, 1024), (1280, 800), (1920, 1080),
    ]

    /// Each the hardest to write on in its way.
    static func artwork(_ kind: Int) -> Surface? {
        if kind == 0 { return nil }
        let surface = Surface(width: 64, height: 64)
        for y in 0..<64 {
            for x in 0..<64 {
                switch kind {
                case 1: surface.row(y)[x] = 0xFFFF_FFFF
                case 2: surface.row(y)[x] = 0xFF00_0000
                case 3: surface.row(y)[x] = (x / 8 + y / 8) % 2 == 0 ? 0xFFFF_FFFF : 0xFF00_0000
                default: surface.row(y)[x] = 0xFF80_8080
                }
            }
        }
        return surface
    }

    static func state(_ title: String) -> SpeakerStatus {
        var state = SpeakerStatus()
        state.state = .playing
        state.title = title
        state.artist = title
        state.book = "The Complete and Unabridged Collection of Everything Ever Written"
        state.chapter = "The Piper at the Gates of Dawn"
        state.chapterNumber = 7
        state.chapterCount = 12
        state.positionMilliseconds = 36_000_000
        state.durationMilliseconds = 99_000_000
        state.speed = Speed(percent: 125)
        state.take("sleep", "1790")
        state.month = 9
        state.day = 30
        for index in 0..<30 {
            state.segments.append(
                Segment(
                    text: title + " — and a few more words for sentence \(index).",
                    startMilliseconds: 35_900_000 + index * 10_000, endMilliseconds: 35_905_000 + index * 10_000))
        }
        return state
    }

    static let titles = [
        "Up", "The Wind in the Willows and Other Very Long Stories for Children of All Ages, Volume the Second",
        "الأمير الصغير (1943) والثعلب والوردة وحكايات أخرى طويلة جدا", "红楼梦：第一回 甄士隐梦幻识通灵，贾雨村风尘怀闺秀",
        "🌙 Good Night 👨‍👩‍👧", "שלום עולם", "हिन्दी की कहानी", "",
    ]

    /// Every text can be read on the worst pixel beneath it, and none is cut without an ellipsis.
    @Test(arguments: [0, 1, 2, 3, 4]) func everyTextCanBeRead(kind: Int) throws {
        for size in [(240, 240), (320, 240), (800, 480), (480, 800)] {
            for theme in [Theme.light, .dark, Theme(isDark: false, hasMoreContrast: true)] {
                let stage = try Stage(width: size.0, height: size.1, theme: theme)
                let scene = PlayerScene(stage, artwork: Players.artwork(kind), gradient: .butterLemon)
                for isPlaying in [false, true] {
                    let composed = scene.compose(
                        Players.state(Players.titles[1]), isPlaying: isPlaying, auditsTexts: true)
                    for text in composed.texts {
                        #expect(
                            text.contrast >= theme.textContrast - 0.05,
                            "\(text.text) on \(size), artwork \(kind), playing \(isPlaying), dark \(theme.isDark)")
                    }
                }
            }
        }
    }

    @Test(arguments: titles) func nothingIsCutOrOverlaps(title: String) throws {
        for size in Players.sizes {
            for textSize in [Float(1), 1.3] {
                let stage = try Stage(
                    width: size.0, height: size.1,
                    scale: PanelScale(width: size.0, height: size.1, textSize: textSize), theme: .dark)
                let scene = PlayerScene(stage, artwork: nil, gradient: .mintAqua)
                let composed = scene.compose(Players.state(title), isPlaying: false, auditsTexts: true)
                for (index, text) in composed.texts.enumerated() {
                    #expect(!text.isCut, "\(text.text) at \(size)")
                    #expect(
                        composed.surface.bounds.contains(text.frame), "\(text.text) leaves \(size), text \(textSize)")
                    for other in composed.texts[(index + 1)...] {
                        #expect(
                            text.frame.intersection(other.frame).isEmpty,
                            "\(text.text) \(text.frame) and \(other.text) \(other.frame) at \(size), text \(textSize)")
                    }
                }
            }
        }
    }

    /// Without a cover no sign stands behind the words: beside them is nothing but a soft ground.
    @Test(arguments: [(240, 240), (480, 800)], [false, true]) func noSignStandsBehindWords(
        size: (Int, Int), isPlaying: Bool
    ) throws {
        let stage = try Stage(width: size.0, height: size.1, theme: .light)
        let scene = PlayerScene(stage, artwork: nil, gradient: .mintAqua)
        var state = Players.state("Up")
        state.segments = [Segment(text: "Up", startMilliseconds: 0, endMilliseconds: 0)]
        let surface = scene.compose(state, isPlaying: isPlaying).surface
        let sentence = try #require(scene.elements.first { $0.value == "being spoken" }).frame
        let ground = PixelRect(
            x: sentence.midX, y: sentence.y, width: sentence.width / 2 - stage.pixels(Spacing.small),
            height: sentence.height)
        var most = 0
        for y in ground.y..<ground.maxY {
            for x in ground.x + 1..<ground.maxX where y > ground.y + 2 && y < ground.maxY - 2 {
                most = max(most, pixelDifference(surface.row(y)[x], surface.row(y)[x - 1]))
            }
        }
        #expect(most <= 3)
        let artwork = PlayerLayout(stage).artwork
        let middle = PixelRect(
            x: artwork.midX - 20, y: sentence.maxY + 4, width: 40,
            height: max(0, PlayerLayout(stage).controls.y - sentence.maxY - 12))
        var steps = 0
        for y in middle.y..<max(middle.y, middle.maxY - 1) {
            for x in middle.x..<middle.maxX
            where pixelDifference(surface.row(y)[x], surface.row(y + 1)[x]) > 8 { steps += 1 }
        }
        // The lower edge of a plate of glass at most.
        #expect(steps <= 4 * 40, "\(steps)")
    }

    /// A black cover ends somewhere on a dark panel.
    @Test func aBlackCoverHasAnEdge() throws {
        let stage = try Stage(width: 800, height: 480, theme: .dark)
        let scene = PlayerScene(stage, artwork: Players.artwork(2), gradient: .mintAqua)
        let surface = scene.compose(Players.state("Up"), isPlaying: true).surface
        let cover = PlayerLayout(stage).artwork
        let row = surface.row(cover.midY)
        #expect(pixelDifference(row[cover.x], row[cover.x + 4]) >= 10)
    }

    /// Every target of a finger is at least 44 points large, lies on the screen, and overlaps no other.
    @Test func targetsAreLargeAndApart() throws {
        for size in Players.sizes {
            let stage = try Stage(width: size.0, height: size.1, theme: .light)
            let scene = PlayerScene(stage, artwork: nil, gradient: .mintAqua)
            let targets = scene.compose(Players.state("Up"), isPlaying: true).elements.filter {
                $0.action != .none && $0.role != .text
            }
            #expect(targets.count >= 5)
            for (index, target) in targets.enumerated() {
                #expect(!target.label.isEmpty)
                let least = stage.scale.pixels(44)
                #expect(target.frame.width >= least && target.frame.height >= least, "\(target.label) at \(size)")
                for other in targets[(index + 1)...] {
                    #expect(
                        target.frame.intersection(other.frame).isEmpty, "\(target.label), \(other.label) at \(size)")
                }
            }
        }
    }

    /// A finger that goes up on the cover makes it louder, and sees how loud until a while after it has gone.
    @Test(arguments: [(320, 240), (800, 480), (480, 800)]) func aFingerOnTheCoverMakesItLouder(size: (Int, Int)) throws
    {
        let stage = try Stage(width: size.0, height: size.1, theme: .dark)
        let scene = PlayerScene(stage, artwork: Players.artwork(3), gradient: .mintAqua)
        let surface = Surface(width: size.0, height: size.1)
        var state = Players.state("Up")
        (state.state, state.volumePercent, state.sleep) = (.paused, 40, .off)
        state.segments = []
        scene.show(state, at: 0)
        _ = scene.draw(on: surface, at: 0)
        let before = surface.part(surface.bounds)
        let cover = PlayerLayout(stage).artwork
        let (x, y) = (cover.midX - cover.width / 4, cover.y + cover.height / 2)
        _ = scene.take(.press(x: x, y: y), at: 1000)
        let tenth = cover.height / 10
        #expect(scene.take(.drag(x: x, y: y, byX: 0, byY: -tenth), at: 1016) == .setVolume(50))
        #expect(scene.nextFrame(after: 1016) == 1016)
        _ = scene.draw(on: surface, at: 1016)
        #expect(difference(before, surface) > 40)
        // Aside it goes nowhere, and no further than the ends.
        #expect(scene.take(.drag(x: x, y: y, byX: 30, byY: 0), at: 1032) == .none)
        #expect(scene.take(.drag(x: x, y: y, byX: 0, byY: 20 * tenth), at: 1048) == .setVolume(0))
        #expect(scene.take(.drop(speedX: 0, speedY: 900), at: 1064) == .none)
        var moment = 1064
        while let next = scene.nextFrame(after: moment), next < 5000 {
            moment = max(next, moment + 16)
            _ = scene.draw(on: surface, at: moment)
        }
        #expect(moment >= 2200 && moment < 2400, "\(moment)")
        #expect(difference(before, surface) == 0)
        // Across the cover, and on the buttons' own places, nothing is set.
        _ = scene.take(.press(x: x, y: y), at: 3000)
        #expect(scene.take(.drag(x: x, y: y, byX: 30, byY: 3), at: 3016) == .none)
        _ = scene.take(.drop(speedX: 900, speedY: 0), at: 3032)
        let forward = try #require(scene.elements.first { $0.action == .forward }).frame
        #expect(scene.take(.longPress(x: forward.midX, y: forward.midY), at: 3100) == .next)
        let back = try #require(scene.elements.first { $0.action == .back }).frame
        #expect(scene.take(.longPress(x: back.midX, y: back.midY), at: 3200) == .previous)
    }

    /// It says when the chapter ends, by the minute, and draws no more for that than where it says so.
    @Test(arguments: [(480, 800), (800, 480), (480, 320)]) func itSaysWhenTheChapterEnds(size: (Int, Int)) throws {
        let stage = try Stage(width: size.0, height: size.1, theme: .dark)
        let scene = PlayerScene(stage, artwork: Players.artwork(3), gradient: .mintAqua)
        let surface = Surface(width: size.0, height: size.1)
        var state = Players.state("Up")
        (state.file, state.sleep) = ("a.mp3", .off)
        state.take("sleep", "off")
        scene.show(state, at: 0)
        _ = scene.draw(on: surface, at: 0)
        #expect(scene.chapterWords(state) == "Chapter 7 of 12 · The Piper at the Gates of Dawn")
        #expect(scene.wantsChapters())
        // Ten minutes from here, at 1.25 times.
        scene.show(chapters: [0, 36_600_000, 40_000_000], of: "a.mp3")
        #expect(scene.nextFrame(after: 100) == 100)
        let drawn = scene.draw(on: surface, at: 100)
        #expect(drawn.contains { scene.chapterPlace == $0 } && !drawn.contains(surface.bounds))
        #expect(scene.chapterWords(state) == "Chapter 7 of 12 · 8 min left · The Piper at the Gates of Dawn")
        var moment = 100
        var places = 0
        while moment < 100_000 {
            moment = max(try #require(scene.nextFrame(after: moment)), moment + 1)
            let damage = scene.draw(on: surface, at: moment)
            #expect(!damage.contains(surface.bounds))
            if damage.contains(scene.chapterPlace) { places += 1 }
        }
        #expect((1...2).contains(places))
        // As if it were drawn now.
        let (other, plain) = (
            PlayerScene(stage, artwork: Players.artwork(3), gradient: .mintAqua), Surface(width: size.0, height: size.1)
        )
        other.show(state, at: 0)
        _ = other.wantsChapters()
        other.show(chapters: [0, 36_600_000, 40_000_000], of: "a.mp3")
        _ = other.draw(on: plain, at: moment)
        for y in scene.chapterPlace.y..<scene.chapterPlace.maxY {
            for x in scene.chapterPlace.x..<scene.chapterPlace.maxX {
                let (a, b) = (surface.row(y)[x], plain.row(y)[x])
                if pixelDifference(a, b) > 2 {
                    Issue.record("\(x), \(y)")
                    return
                }
            }
        }
        state.positionMilliseconds = 41_000_000
        #expect(scene.chapterMinutes(state) == nil)
    }

    /// A finger on the words moves the words.
    @Test func aFingerOnWordsSetsNoVolume() throws {
        let stage = try Stage(width: 480, height: 800, theme: .dark)
        let scene = PlayerScene(stage, artwork: nil, gradient: .mintAqua)
        let surface = Surface(width: 480, height: 800)
        var state = Players.state("Up")
        state.volumePercent = 40
        scene.show(state, at: 0)
        _ = scene.draw(on: surface, at: 0)
        let words = try #require(scene.elements.first { $0.value == "being spoken" }).frame
        #expect(scene.take(.drag(x: words.midX, y: words.midY, byX: 0, byY: -40), at: 100) == .none)
        #expect(scene.nextFrame(after: 100) ?? .max > 100)
    }

    /// A frame in between is exactly between the two that it leads from and to, but for the sign of play and pause; there is no jump at either
    /// end.
    @Test func playAndPauseAreOneCrossFade() throws {
        let stage = try Stage(width: 320, height: 240, theme: .dark)
        let scene = PlayerScene(stage, artwork: Players.artwork(3), gradient: .mintAqua)
        let state = Players.state("Up")
        let paused = scene.compose(state, isPlaying: false).surface
        let playing = scene.compose(state, isPlaying: true).surface
        #expect(scene.frame(state, part: 0).pixel(x: 200, y: 15) == paused.pixel(x: 200, y: 15))
        for part in [Float(0.25), 0.5, 0.9] {
            let frame = scene.frame(state, part: part)
            let sign = try #require(scene.elements.first { $0.action == .togglePlayback }).frame
            for index in stride(from: 0, to: 320 * 240, by: 7) where !sign.contains(x: index % 320, y: index / 320) {
                let (a, b) = (Float(paused.pixels[index] & 0xFF), Float(playing.pixels[index] & 0xFF))
                #expect(abs(Float(frame.pixels[index] & 0xFF) - (a + (b - a) * part)) <= 1.6)
            }
        }
    }

    /// A minute that passes changes the clock and nothing else, in the look that is not shown, too.
    @Test func theClockGoesOnByItself() throws {
        let stage = try Stage(width: 480, height: 320, scale: PanelScale(factor: 0.7), theme: .light)
        let scene = PlayerScene(stage, artwork: Players.artwork(2), gradient: .mintAqua)
        let surface = Surface(width: 480, height: 320)
        var state = Players.state("Up")
        state.minuteOfDay = 23 * 60 + 7
        scene.show(state, at: 0)
        _ = scene.draw(on: surface, at: 0)
        scene.prepare(on: surface, at: 10)
        state.minuteOfDay = 23 * 60 + 8
        scene.show(state, at: 100)
        let damage = scene.draw(on: surface, at: 100)
        #expect(damage.allSatisfy { $0.height < 60 } && !damage.isEmpty)
        #expect(scene.elements.contains { $0.label == "Clock" && $0.value == "23:08" })
        for (playing, begin) in [(SpeakerStatus.State.paused, 200), (.playing, 1200)] {
            state.state = playing
            scene.show(state, at: begin)
            for moment in stride(from: begin, through: begin + 608, by: 16)
            where scene.nextFrame(after: moment - 16) ?? .max <= moment {
                _ = scene.draw(on: surface, at: moment)
            }
            let other = PlayerScene(stage, artwork: Players.artwork(2), gradient: .mintAqua)
            let expected = Surface(width: 480, height: 320)
            other.show(scene.state.later(by: 608), at: begin + 608)
            _ = other.draw(on: expected, at: begin + 608)
            let places = (0..<480 * 320).filter { pixelDifference(surface.pixels[$0], expected.pixels[$0]) > 2 }
            #expect(places.count < 150, "\(playing): \(places.count) from \(places.first ?? 0)")
            #expect(scene.elements.contains { $0.label == "Clock" && $0.value == "23:08" })
        }
    }

    /// The signs of play and pause never stand on each other: halfway there is none of either.
    @Test func signsChangePlaces() throws {
        let stage = try Stage(width: 480, height: 320, theme: .dark)
        let scene = PlayerScene(stage, artwork: Players.artwork(3), gradient: .mintAqua)
        let state = Players.state("Up")
        /// Dark pixels of the disc.
        func ink(_ part: Float) throws -> Int {
            let frame = scene.frame(state, part: part)
            let disc = try #require(scene.elements.first { $0.action == .togglePlayback }).frame
            let inner = disc.middle(width: disc.width / 2, height: disc.height / 2)
            return (inner.y..<inner.maxY).reduce(0) { sum, y in
                sum + (inner.x..<inner.maxX).count { frame.row(y)[$0] & 0xFF < 0x60 }
            }
        }
        let (play, pause) = (try ink(0), try ink(1))
        #expect(play > 30 && pause > 30)
        #expect(try ink(0.5) == 0)
        #expect(try ink(0.2) < play && ink(0.8) < pause)
    }

    /// Nothing of a dark picture shines through between what lies on it and what it lies on.
    @Test(arguments: [false, true]) func cornersAreRoundedOnce(isPlaying: Bool) throws {
        let stage = try Stage(width: 480, height: 800, theme: .light)
        let black = Surface(width: 400, height: 400)
        let scene = PlayerScene(stage, artwork: black, gradient: .mintAqua)
        let surface = scene.compose(Players.state("Up"), isPlaying: isPlaying).surface
        let frame = scene.layout.artwork
        let radius = stage.pixels(Radius.artwork)
        func green(_ x: Int, _ y: Int) -> Int { Int(surface.pixels[y * surface.width + x] >> 8 & 0xFF) }
        let inside = green(frame.x + radius, frame.maxY - radius - 1)
        for y in frame.maxY - radius..<frame.maxY {
            let outside = (0..<4).map { green(frame.x - $0, frame.maxY + 3 - $0) }.min()!
            for x in frame.x..<frame.x + radius {
                #expect(green(x, y) >= min(inside, outside) - 8, "\(x), \(y)")
            }
        }
    }

    /// The picture drawn while the transcript moves looks like the one drawn letter by letter.
    @Test(arguments: [(800, 480), (320, 240)], [Theme.light, .dark]) func movingInk(size: (Int, Int), theme: Theme)
        throws
    {
        let stage = try Stage(width: size.0, height: size.1, theme: theme)
        let area = PixelRect(x: size.0 / 3, y: 30, width: size.0 / 2 + 1, height: size.1 - 60)
        var state = Players.state("The Mole")
        state.positionMilliseconds = 35_955_000
        let picture = Picture(stage)
        picture.canvas.fill(stage.bounds, with: GradientToken.duskBerry.gradient(in: theme))
        var frames: [[Surface]] = []
        for gathers in [true, false] {
            let flow = TranscriptFlow(stage, area: area, gathersInk: gathers)
            flow.take(beneath: picture.surface)
            flow.show(state, elapsed: 35_955_000, at: 0, over: nil)
            let surface = picture.surface.part(stage.bounds)
            flow.draw(Picture(stage, on: surface), at: 0)
            flow.show(state, elapsed: 35_960_000, at: 5000, over: surface)
            frames.append(
                [5010, 5100, 5180, 5250, 5290, 5400].map { moment in
                    flow.draw(Picture(stage, on: surface), at: moment)
                    return surface.part(stage.bounds)
                })
        }
        for (ink, letters) in zip(frames[0], frames[1]) { #expect(difference(ink, letters) <= 2) }
        #expect(difference(frames[0][1], frames[0][2]) > 50)
    }

    /// A second on only what counts is drawn anew, and it looks as if all were.
    @Test(arguments: [(800, 480), (480, 800), (320, 240)], [294_000, 594_000])
    func countingOn(size: (Int, Int), from begin: Int) throws {
        let stage = try Stage(width: size.0, height: size.1, theme: .light)
        var state = Players.state("The Mole")
        state.segments = []
        (state.positionMilliseconds, state.durationMilliseconds) = (begin, 1_210_000)
        func scene() -> PlayerScene {
            let scene = PlayerScene(stage, artwork: Players.artwork(4), gradient: .duskBerry)
            scene.show(state, at: 0)
            return scene
        }
        let (counted, running) = (Surface(width: size.0, height: size.1), scene())
        var small = 0
        for second in 0..<24 {
            let damage = running.draw(on: counted, at: second * 1000)
            if damage.reduce(0, { $0 + $1.width * $1.height }) < size.0 * size.1 / 30 { small += 1 }
            // A minute is full in the sixth. To draw all anew takes long.
            if ![1, 5, 6, 7, 8, 16, 23].contains(second) { continue }
            let (anew, fresh) = (Surface(width: size.0, height: size.1), scene())
            _ = fresh.draw(on: anew, at: second * 1000)
            #expect(difference(counted, anew) == 0, "\(second)")
        }
        // The knob goes on meanwhile. All is drawn where a time gets a digit more or less, and where the knob is at the pill.
        #expect(small >= (begin < 300_000 ? 20 : 4))
    }

    @Test func theSameStateGivesTheSamePicture() throws {
        let stage = try Stage(width: 480, height: 320, theme: .light)
        let state = Players.state("Up")
        let first = PlayerScene(stage, artwork: nil, gradient: .duskBerry).compose(state, isPlaying: true).surface
        let again = PlayerScene(stage, artwork: nil, gradient: .duskBerry).compose(state, isPlaying: true).surface
        for index in 0..<480 * 320 where first.pixels[index] != again.pixels[index] {
            Issue.record("differs at \(index)")
            break
        }
    }
}

@Suite struct States {
    @Test func asLines() {
        let state = SpeakerStatus(
            lines: """
                state: pause
                title: A: B
                elapsed: 83.120
                duration: 90.000
                speed: 1.25
                favourite: 1
                date: 2026-05-21
                segment: 4 80.000-86.000 Spring was moving in the air.
                segment: bad
                segment: 5 86.000-90.000 Bother!
                unknown: thing

                """)
        #expect(state.state == .paused && state.title == "A: B" && state.isFavourite)
        #expect(state.positionMilliseconds == 83120 && state.durationMilliseconds == 90000)
        #expect(state.speed.percent == 125 && state.month == 5 && state.day == 21)
        #expect(state.segments.count == 2 && state.currentSegment == 0)
    }

    /// All that the speaker writes, the screen reads: the same lines name both.
    @Test func whatIsToldIsRead() {
        var told = Players.state("A: B")
        (told.segments, told.month, told.day) = ([], 0, 0)
        (told.file, told.hasPicture, told.isFavourite) = ("a/b.mp3", true, true)
        (told.trouble, told.volumePercent, told.missingStick) = (.fileMissing, 40, "BLUE")
        #expect(SpeakerStatus(fields: told.lines.map { ($0.name, $0.value) }) == told)
        told.file = ""
        #expect(told.lines.map(\.name) == ["state", "trouble", "stick", "volume", "speed", "sleep"])
        #expect(SpeakerStatus().lines.map(\.value) == ["stop", "1"])
    }

    @Test func theSleepTimerCountsMinutes() {
        var state = SpeakerStatus(lines: "sleep: 1790.500\nspeed: 1.25\n")
        #expect(state.sleepMilliseconds == 1_790_500 && state.sleep.words == "30 min")
        #expect(state.pillWords == ["1.25× · sleep: 30 min", "1.25× · 30 min", "1.25×"])
        #expect(state.nextSleepChange == 50_500 && state.later(by: 50_500).sleep.words == "29 min")
        #expect(state.later(by: 9_000_000).nextSleepChange == nil)
        state.speed = .own
        state.take("sleep", "chapter")
        #expect(state.pillWords == ["sleep: end of chapter", "sleep", "sleep"] && state.nextSleepChange == nil)
        #expect(
            SpeakerStatus(lines: "sleep: item\n").sleep == .item && SpeakerStatus(lines: "sleep: x\n").sleep == .off)
    }

    @Test func words() {
        #expect(Words.time(3_723_999) == "1:02:03")
        #expect(Words.time(65_000) == "1:05")
        #expect(Words.time(-5) == "0:00")
        #expect(Words.speed(125) == "1.25×" && Words.speed(150) == "1.5×" && Words.speed(200) == "2×")
        #expect(Words.speed(105) == "1.05×")
        #expect(Words.date(5, 21) == "May 21" && Words.date(0, 3).isEmpty)
    }
}
