// SPDX-License-Identifier: Apache-2.0
import Core
import Posix
import TestSupport
import Testing

@testable import Controls

@Suite struct GestureRecognizerTests {
    private func recognizer(_ map: GestureMap = GestureMap(), debounce: Int = 8) -> GestureRecognizer {
        GestureRecognizer(map: map) { _ in debounce }
    }

    private func edge(_ button: ButtonName, _ isPressed: Bool, _ milliseconds: Double) -> Edge {
        Edge(button: button, isPressed: isPressed, timestamp: time(milliseconds: milliseconds))
    }

    private func configured(_ lines: (String, String)...) throws -> GestureMap {
        var map = GestureMap()
        for (key, value) in lines { try map.set(key: key, to: value) }
        return map
    }

    @Test func nothingElseBoundActsOnThePressEdgeAsSoonAsItIsStable() {
        var recognizer = recognizer()
        recognizer.receive(edge(.favourite, true, 1000))
        #expect(recognizer.nextDeadline == time(milliseconds: 1008))
        #expect(recognizer.advance(to: time(milliseconds: 1007)).isEmpty)
        let events = recognizer.advance(to: time(milliseconds: 1008))
        #expect(events.map(\.command) == [.toggleFavourite])
        #expect(events.first?.timestamp == time(milliseconds: 1000))
        #expect(recognizer.nextDeadline == nil)
    }

    /// A trembling hand presses once. Presses that follow too soon do nothing, in any number; other buttons are independent.
    @Test(arguments: [0, 500]) func aTremblingHandPressesOnce(refuse: Int) {
        var map = GestureMap()
        map.refuseMilliseconds = refuse
        var recognizer = recognizer(map, debounce: 0)
        for at in [1000, 1180, 1360, 1540] as [Double] {
            recognizer.receive(edge(.favourite, true, at))
            recognizer.receive(edge(.favourite, false, at + 60))
        }
        recognizer.receive(edge(.play, true, 1700))
        recognizer.receive(edge(.play, false, 1750))
        // Half a second after the last of it a press is one again.
        recognizer.receive(edge(.favourite, true, 2100))
        recognizer.receive(edge(.favourite, false, 2150))
        let events = recognizer.advance(to: time(milliseconds: 4000)).map(\.button)
        #expect(events.filter { $0 == .favourite }.count == (refuse == 0 ? 5 : 2))
        #expect(events.filter { $0 == .play }.count == 1)
    }

    /// A button that is down while the menu opens does nothing more by that press; the next is the menu's.
    @Test func theMenuTakesOverBetweenPresses() {
        var map = GestureMap()
        map.bindToMenu()
        var recognizer = recognizer(map, debounce: 0)
        recognizer.receive(edge(.play, true, 1000))
        #expect(recognizer.advance(to: time(milliseconds: 2500)).map(\.command) == [.menu(.open)])
        recognizer.map = map.inMenu
        recognizer.receive(edge(.play, false, 2900))
        #expect(recognizer.advance(to: time(milliseconds: 3000)).isEmpty)
        recognizer.receive(edge(.forward, true, 3000))
        #expect(recognizer.advance(to: time(milliseconds: 3000)).map(\.command) == [.menu(.next)])
        #expect(
            recognizer.advance(to: time(milliseconds: 3900)).map(\.command) == [
                .menu(.next), .menu(.next), .menu(.next),
            ])
        recognizer.receive(edge(.forward, false, 3950))
        recognizer.receive(edge(.play, true, 4000))
        recognizer.receive(edge(.play, false, 4100))
        #expect(recognizer.advance(to: time(milliseconds: 4100)).map(\.command) == [.menu(.choose)])
        recognizer.map = map
        recognizer.receive(edge(.forward, true, 5000))
        recognizer.receive(edge(.forward, false, 5100))
        #expect(recognizer.advance(to: time(milliseconds: 5100)).map(\.command) == [.skip(milliseconds: 10_000)])
    }

    @Test func aLineThatTheKernelDebouncesActsAtOnce() {
        var recognizer = recognizer(debounce: 0)
        recognizer.receive(edge(.next, true, 1000))
        #expect(recognizer.advance(to: time(milliseconds: 1000)).map(\.command) == [.next])
    }

    @Test func aLongPressFiresAtTheThresholdAndTheReleaseDoesNothing() {
        var recognizer = recognizer()
        recognizer.receive(edge(.play, true, 1000))
        #expect(recognizer.advance(to: time(milliseconds: 1010)).isEmpty)
        #expect(recognizer.nextDeadline == time(milliseconds: 1500))
        #expect(recognizer.advance(to: time(milliseconds: 1499.999)).isEmpty)
        #expect(recognizer.advance(to: time(milliseconds: 1500)).map(\.command) == [.toggleFavourite])
        recognizer.receive(edge(.play, false, 2000))
        #expect(recognizer.advance(to: time(milliseconds: 3000)).isEmpty)
        #expect(recognizer.nextDeadline == nil)
    }

    @Test(arguments: [(499.999, Gesture.press), (500.0, .long), (500.001, .long)])
    func aReleaseIsJudgedByItsTimeStampHoweverLateItIsRead(held: Double, gesture: Gesture) {
        for debounce in [0, 8] {
            var recognizer = recognizer(debounce: debounce)
            recognizer.receive(edge(.play, true, 1000))
            recognizer.receive(edge(.play, false, 1000 + held))
            #expect(recognizer.advance(to: time(milliseconds: 9000)).map(\.gesture) == [gesture])
        }
    }

    @Test func aReleaseThatStillBouncesAtTheThresholdIsAShortPress() {
        var recognizer = recognizer()
        recognizer.receive(edge(.play, true, 1000))
        #expect(recognizer.advance(to: time(milliseconds: 1100)).isEmpty)
        recognizer.receive(edge(.play, false, 1499))
        recognizer.receive(edge(.play, true, 1499.5))
        #expect(recognizer.advance(to: time(milliseconds: 1500)).isEmpty)
        recognizer.receive(edge(.play, false, 1502))
        let events = recognizer.advance(to: time(milliseconds: 1510))
        #expect(events.map(\.gesture) == [.press])
        #expect(events.first?.timestamp == time(milliseconds: 1499))
    }

    @Test func aGlitchAtTheThresholdDelaysTheLongPressAndDoesNotEndIt() {
        var recognizer = recognizer()
        recognizer.receive(edge(.play, true, 1000))
        recognizer.receive(edge(.play, false, 1499))
        recognizer.receive(edge(.play, true, 1499.5))
        #expect(recognizer.advance(to: time(milliseconds: 1501)).isEmpty)
        #expect(recognizer.nextDeadline == time(milliseconds: 1507.5))
        let events = recognizer.advance(to: time(milliseconds: 1507.5))
        #expect(events.map(\.gesture) == [.long])
        #expect(events.first?.timestamp == time(milliseconds: 1500))
    }

    /// Holding play for ten seconds switches the voice once, with any bindings; a shorter hold and other buttons do not.
    @Test(arguments: [false, true]) func tenSecondsOfPlaySwitchTheVoice(hasMenu: Bool) {
        var map = GestureMap()
        if hasMenu { map.bindToMenu() }
        for (button, held, isSwitched) in [
            (ButtonName.play, 10_050, true), (.play, 25_000, true), (.play, 9900, false), (.back, 25_000, false),
        ] {
            var recognizer = recognizer(map)
            recognizer.receive(edge(button, true, 0))
            var switches: [MonotonicTime] = []
            for time in stride(from: 10, through: held, by: 10) {
                for event in recognizer.advance(to: edge(button, true, Double(time)).timestamp)
                where event.command == .switchVoice { switches.append(event.timestamp) }
            }
            recognizer.receive(edge(button, false, Double(held)))
            for event in recognizer.advance(to: edge(button, false, Double(held + 500)).timestamp)
            where event.command == .switchVoice { switches.append(event.timestamp) }
            #expect(switches == (isSwitched ? [edge(button, true, 10_000).timestamp] : []))
            #expect(recognizer.nextDeadline == nil)
        }
    }

    /// Back and forward held together describe the buttons after a second, and lock them after four, once for each hold; neither does
    /// what it does alone.
    @Test(arguments: [false, true]) func twoButtonsHeldTogetherAreOneGesture(isInMenu: Bool) {
        var map = GestureMap()
        map.bindToMenu()
        if isInMenu { map = map.inMenu }
        for (held, wanted) in [(900, []), (1500, [1100]), (3950, [1100]), (9000, [1100, 4100])] as [(Int, [Int])] {
            var recognizer = recognizer(map)
            var events: [GestureEvent] = []
            recognizer.receive(edge(.back, true, 0))
            for now in stride(from: 10, through: held + 100, by: 10) {
                if now == 100 { recognizer.receive(edge(.forward, true, 100)) }
                events += recognizer.advance(to: edge(.back, true, Double(now)).timestamp)
            }
            recognizer.receive(edge(.forward, false, Double(held + 100)))
            events += recognizer.advance(to: edge(.back, true, Double(held + 600)).timestamp)
            recognizer.receive(edge(.back, false, Double(held + 600)))
            events += recognizer.advance(to: edge(.back, true, Double(held + 2000)).timestamp)
            // In the menu the first of them acts as it goes down.
            if isInMenu {
                events.removeAll { $0.command == .menu(.previous) && $0.timestamp < time(milliseconds: 100) }
            }
            #expect(events.map(\.command) == [.describe, .lock].prefix(wanted.count).map { $0 })
            #expect(events.map(\.timestamp) == wanted.map { time(milliseconds: Double($0)) })
            #expect(recognizer.nextDeadline == nil)
        }
    }

    @Test func aSecondPressMakesDoubleAsTheButtonGoesDown() throws {
        var recognizer = recognizer(try configured(("play.double", "next")), debounce: 0)
        recognizer.receive(edge(.play, true, 1000))
        recognizer.receive(edge(.play, false, 1100))
        #expect(recognizer.advance(to: time(milliseconds: 1100)).isEmpty)
        #expect(recognizer.nextDeadline == time(milliseconds: 1400))
        recognizer.receive(edge(.play, true, 1399))
        #expect(recognizer.advance(to: time(milliseconds: 1399)).map(\.command) == [.next])
        recognizer.receive(edge(.play, false, 2500))
        #expect(recognizer.advance(to: time(milliseconds: 9000)).isEmpty)
    }

    @Test func aSinglePressWithADoubleBoundWaitsForTheWindowOnly() throws {
        var map = try configured(("play.double", "next"))
        map.doubleMilliseconds = 250
        var recognizer = recognizer(map, debounce: 0)
        recognizer.receive(edge(.play, true, 1000))
        recognizer.receive(edge(.play, false, 1100))
        #expect(recognizer.advance(to: time(milliseconds: 1349)).isEmpty)
        #expect(recognizer.advance(to: time(milliseconds: 1350)).map(\.command) == [.playPause])
    }

    /// The default double press of play makes no press slower: the answer comes with its release, as without one. With a panel, half a
    /// second is still a favorite, and never on the way to something else.
    @Test(arguments: [
        (480.0, Gesture.press, 480.0), (520, .long, 520), (1490, .long, 1490), (1500, .longer, 1500),
        (4000, .longer, 1500),
    ])
    func howLongItWasHeldIsWhatItMeans(held: Double, gesture: Gesture, at: Double) {
        var map = GestureMap()
        map.bindToPanel()
        var recognizer = recognizer(map)
        recognizer.receive(edge(.play, true, 1000))
        #expect(recognizer.advance(to: time(milliseconds: 1000 + min(held, 1499))).isEmpty)
        recognizer.receive(edge(.play, false, 1000 + held))
        let events = recognizer.advance(to: time(milliseconds: 9000))
        #expect(events.map(\.gesture) == [gesture])
        #expect(events.first?.timestamp == time(milliseconds: 1000 + at))
        #expect(events.first?.command == [.press: .playPause, .long: .toggleFavourite][gesture] ?? .screen(.library))
    }

    @Test(arguments: [true, false]) func aPressOfPlayIsAsQuickAsWithoutADouble(hasLong: Bool) throws {
        var times: [[MonotonicTime]] = []
        for double in ["none", "sentence repeat"] {
            var recognizer = recognizer(
                try configured(("play.double", double), ("play.long", hasLong ? "favourite" : "none")), debounce: 0)
            recognizer.receive(edge(.play, true, 1000))
            var events = recognizer.advance(to: time(milliseconds: 1000))
            recognizer.receive(edge(.play, false, 1100))
            events += recognizer.advance(to: time(milliseconds: 1100))
            #expect(events.map(\.command) == [.playPause])
            #expect(recognizer.nextDeadline == nil)
            times.append(events.map(\.timestamp))
        }
        #expect(times[0] == times[1] && times[0] == [time(milliseconds: hasLong ? 1100 : 1000)])
    }

    @Test func aSecondPressOfPlayIsTheSentenceAgain() {
        var recognizer = recognizer(debounce: 0)
        let edges = [
            (1000, true), (1100, false), (1399, true), (1500, false), (1600, true), (1700, false), (2000, true),
        ]
        for (at, isPressed) in edges { recognizer.receive(edge(.play, isPressed, Double(at))) }
        recognizer.receive(edge(.play, false, 2100))
        let commands = recognizer.advance(to: time(milliseconds: 9000)).map(\.command)
        // The third is a press again, and the fourth comes too late to be its second.
        #expect(commands == [.playPause, .sentence(.again), .playPause, .playPause])
    }

    @Test func theVolumeStepsOnThePressAndGoesOnWhileHeld() {
        var recognizer = recognizer(debounce: 0)
        recognizer.receive(edge(.volumeUp, true, 1000))
        #expect(recognizer.advance(to: time(milliseconds: 1000)).map(\.command) == [.volume(step: 5)])
        #expect(recognizer.nextDeadline == time(milliseconds: 1500))
        #expect(recognizer.advance(to: time(milliseconds: 1950)).count == 3)
        #expect(recognizer.nextDeadline == time(milliseconds: 2100))
        recognizer.receive(edge(.volumeUp, false, 2099))
        #expect(recognizer.advance(to: time(milliseconds: 9000)).isEmpty)
        // A held press is no half of a double press.
        recognizer.receive(edge(.volumeUp, true, 10_000))
        #expect(recognizer.advance(to: time(milliseconds: 10_600)).count == 2)
        recognizer.receive(edge(.volumeUp, false, 10_600))
        recognizer.receive(edge(.volumeUp, true, 10_700))
        #expect(recognizer.advance(to: time(milliseconds: 10_700)).map(\.command) == [.volume(step: 5)])
    }

    /// Two quick presses of louder are two steps.
    @Test func twoPressesOfTheVolumeAreTwoSteps() {
        var recognizer = recognizer(debounce: 0)
        var events: [GestureEvent] = []
        for (at, isPressed) in [(1000, true), (1080, false), (1200, true), (1280, false)] {
            recognizer.receive(edge(.volumeUp, isPressed, Double(at)))
            events += recognizer.advance(to: time(milliseconds: Double(at)))
        }
        #expect(events.map(\.command) == [.volume(step: 5), .volume(step: 5)])
    }

    /// With a double press bound to the speed, the first of the two presses has no effect.
    @Test func aSecondPressOfTheVolumeIsForTheSpeedWhereSomebodyWroteIt() throws {
        var recognizer = recognizer(try configured(("volume-down.double", "speed-down 10")), debounce: 0)
        var events: [GestureEvent] = []
        for (at, isPressed) in [(1000, true), (1080, false), (1379, true), (1500, false), (2000, true), (2080, false)] {
            recognizer.receive(edge(.volumeDown, isPressed, Double(at)))
            events += recognizer.advance(to: time(milliseconds: Double(at)))
        }
        events += recognizer.advance(to: time(milliseconds: 2500))
        #expect(events.map(\.command) == [.speed(step: -10), .volume(step: -5)])
    }

    @Test func aHoldOfSomethingElseThanThePressKeepsThePressForTheRelease() throws {
        let map = try configured(("forward.hold", "forward 30"))
        var recognizer = recognizer(map, debounce: 0)
        recognizer.receive(edge(.forward, true, 1000))
        #expect(recognizer.advance(to: time(milliseconds: 1499)).isEmpty)
        #expect(
            recognizer.advance(to: time(milliseconds: 1700)).map(\.command) == [
                .skip(milliseconds: 30_000), .skip(milliseconds: 30_000),
            ])
        recognizer.receive(edge(.forward, false, 1800))
        recognizer.receive(edge(.forward, true, 3000))
        recognizer.receive(edge(.forward, false, 3100))
        #expect(recognizer.advance(to: time(milliseconds: 9000)).map(\.command) == [.skip(milliseconds: 10_000)])
    }

    /// The first two do at once what they do; the third comes on top of them, if it comes soon.
    @Test func threePresses() {
        for (third, expected) in [
            (1900, [Gesture.press, .double, .triple, .press]), (2100, [.press, .double, .press]),
        ] {
            var map = GestureMap()
            map[.play, .long] = .none
            map.bindToVoice()
            var recognizer = GestureRecognizer(map: map) { _ in 0 }
            for (down, up) in [(1000, 1100), (1350, 1700), (third, third + 50), (third + 100, third + 200)] {
                recognizer.receive(edge(.play, true, Double(down)))
                recognizer.receive(edge(.play, false, Double(up)))
            }
            #expect(
                recognizer.advance(to: time(milliseconds: 9000)).map(\.gesture)
                    == (third == 1900 ? expected : expected + [.double]))
        }
    }

    @Test func anOversleptHoldCatchesUpWithinReason() {
        var recognizer = recognizer(debounce: 0)
        recognizer.receive(edge(.volumeUp, true, 1000))
        #expect(recognizer.advance(to: MonotonicTime(nanoseconds: .max / 2)).count == 17)
    }

    @Test func aButtonThatIsDownAtTheStartDoesNothingUntilItIsPressedAnew() {
        var recognizer = recognizer()
        recognizer.receive(edge(.play, false, 1000))
        #expect(recognizer.advance(to: time(milliseconds: 2000)).isEmpty)
        recognizer.receive(edge(.play, true, 3000))
        recognizer.receive(edge(.play, false, 3100))
        #expect(recognizer.advance(to: time(milliseconds: 4000)).map(\.gesture) == [.press])
    }

    /// Held while power comes, play switches the voice as it does later, and does nothing else; no other button does anything.
    @Test(arguments: [9_900, 10_000, 60_000]) func aButtonHeldSinceBeforeTheStartSwitchesTheVoice(held: Int) {
        var recognizer = recognizer()
        recognizer.hold(.play, at: time(milliseconds: 0))
        recognizer.hold(.back, at: time(milliseconds: 0))
        recognizer.receive(edge(.forward, true, 100))
        recognizer.receive(edge(.forward, false, 200))
        var events = recognizer.advance(to: time(milliseconds: 1000))
        #expect(events.map(\.button) == [.forward] && recognizer.nextDeadline == time(milliseconds: 10_000))
        events = recognizer.advance(to: time(milliseconds: Double(held)))
        recognizer.receive(edge(.play, false, Double(held) + 1))
        events += recognizer.advance(to: time(milliseconds: Double(held) + 500))
        #expect(events.map(\.command) == (held < 10_000 ? [] : [.switchVoice]))
        recognizer.receive(edge(.play, true, Double(held) + 1000))
        recognizer.receive(edge(.play, false, Double(held) + 1100))
        #expect(recognizer.advance(to: time(milliseconds: Double(held) + 2000)).map(\.gesture) == [.press])
        #expect(recognizer.nextDeadline == nil)
    }

    @Test func gesturesOfSeveralButtonsInOneBatchComeInOrderOfTime() {
        var recognizer = recognizer()
        // Read line by line, as descriptors are.
        recognizer.receive(edge(.forward, true, 1600))
        recognizer.receive(edge(.forward, false, 1700))
        recognizer.receive(edge(.play, true, 1000))
        recognizer.receive(edge(.favourite, true, 900))
        #expect(recognizer.advance(to: time(milliseconds: 5000)).map(\.button) == [.favourite, .play, .forward])
    }

    /// The promise to the half asleep: a press is one action, for any contacts and any scheduler.
    @Test(arguments: ButtonName.allCases, Delivery.allCases)
    func fiveHundredPressesAreFiveHundredActions(button: ButtonName, delivery: Delivery) {
        var generator = SeededGenerator(seed: 500 + UInt64(button.rawValue))
        let presses = Hand.presses(
            button, count: 500, holding: 25...480, pausing: 25...900, using: &generator)
        let edges = Hand.edges(of: presses, bounceMilliseconds: 0.1...5, using: &generator)
        #expect(edges.count > 3000)
        let map = GestureMap()
        let events = delivery.run(edges, map: map, debounceMilliseconds: 8, using: &generator)
        #expect(events.count == 500)
        // Two that come quickly are one more sentence, or the speed, and no press is lost for it.
        #expect(events.allSatisfy { $0.gesture == .press || map[button, .double] != .none && $0.gesture == .double })
        #expect(events.allSatisfy { $0.command == map[button, $0.gesture] })
    }

    /// Any bindings, any presses, bounce and glitches, any delivery: the recognizer agrees with the oracle, to the nanosecond.
    @Test(arguments: 0..<120) func randomPressesMeanWhatTheOracleSays(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        var map = GestureMap()
        let button = ButtonName.allCases.randomElement(using: &generator) ?? .play
        for gesture in Gesture.allCases {
            let choices: [Command] = [.none, .next, .volume(step: 3), .skip(milliseconds: 7000)]
            map[button, gesture] = choices.randomElement(using: &generator) ?? .none
        }
        if seed % 4 == 0 {
            map[button, .press] = .playPause
            map[button, .double] = .sentence(.again)
        }
        if seed % 4 == 1 {
            map[button, .press] = .volume(step: 3)
            map[button, .double] = .speed(step: 10)
            if seed % 8 == 1 { map[button, .hold] = .volume(step: 3) }
        }
        if map[button, .long] != .none || map[button, .longer] != .none { map[button, .hold] = .none }
        map.longMilliseconds = Int.random(in: 200...900, using: &generator)
        map.doubleMilliseconds = Int.random(in: 100...600, using: &generator)
        map.repeatMilliseconds = Int.random(in: 150...400, using: &generator)
        let presses = Hand.presses(
            button, count: 60, holding: 25...1800, pausing: 25...900, using: &generator)
        let expected = oracle(presses, map)
        let clean = Hand.edges(of: presses, bounceMilliseconds: nil, using: &generator)
        let bouncy =
            (Hand.edges(of: presses, bounceMilliseconds: 0.1...5, using: &generator)
            + Hand.glitches(between: presses, using: &generator)).sorted { $0.timestamp < $1.timestamp }
        for delivery in Delivery.allCases {
            #expect(delivery.run(clean, map: map, debounceMilliseconds: 0, using: &generator) == expected)
            #expect(delivery.run(bouncy, map: map, debounceMilliseconds: 8, using: &generator) == expected)
        }
    }

    /// Edges that no switch makes: lost, doubled, out of order, from the ends of time.
    @Test(arguments: 0..<60) func rubbishDoesNoHarm(seed: Int) {
        var generator = SeededGenerator(seed: 9000 + UInt64(seed))
        var map = GestureMap()
        map[.play, .double] = .stop
        let debounce = Int.random(in: 0...20, using: &generator)
        var recognizer = recognizer(map, debounce: debounce)
        var clock: Int64 = 0
        var pressed = 0
        var actions = 0
        for _ in 0..<2000 {
            clock += Int64.random(in: -3_000_000...60_000_000, using: &generator)
            if Int.random(in: 0..<500, using: &generator) == 0 { clock = Bool.random(using: &generator) ? .max : .min }
            let edge = Edge(
                button: ButtonName.allCases.randomElement(using: &generator) ?? .play,
                isPressed: Bool.random(using: &generator), timestamp: MonotonicTime(nanoseconds: clock))
            pressed += edge.isPressed ? 1 : 0
            if clock == .max || clock == .min { clock = 1_000_000_000_000 }
            recognizer.receive(edge)
            if Bool.random(using: &generator) {
                actions += recognizer.advance(to: MonotonicTime(nanoseconds: clock)).count { $0.gesture != .hold }
            }
        }
        actions += recognizer.advance(to: MonotonicTime(nanoseconds: .max / 2)).count { $0.gesture != .hold }
        #expect(actions > 0)
        #expect(actions <= pressed)
    }

    // MARK: Several contacts

    /// A line that bounces and a key that does not are one button: down from the first press to the last release.
    @Test func twoContactsAreOneButton() {
        var map = GestureMap()
        map[.play, .long] = .none
        var recognizer = GestureRecognizer(map: map) { _ in 8 }
        let key = recognizer.addContact(of: .play, debounceMilliseconds: 0)
        func at(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: milliseconds * 1_000_000) }
        // Too short for a line, and for a key just right.
        recognizer.receive(Edge(button: .play, contact: key, isPressed: true, timestamp: at(100)))
        recognizer.receive(Edge(button: .play, contact: key, isPressed: false, timestamp: at(100)))
        #expect(recognizer.advance(to: at(101)).map(\.command) == [.playPause])
        recognizer.receive(Edge(button: .play, isPressed: true, timestamp: at(200)))
        recognizer.receive(Edge(button: .play, contact: key, isPressed: true, timestamp: at(220)))
        recognizer.receive(Edge(button: .play, isPressed: false, timestamp: at(240)))
        #expect(recognizer.advance(to: at(300)).count == 1)
        recognizer.receive(Edge(button: .play, contact: key, isPressed: false, timestamp: at(310)))
        recognizer.receive(Edge(button: .play, isPressed: true, timestamp: at(400)))
        #expect(recognizer.advance(to: at(500)).count == 1)
        // Its line was pulled out while it was down.
        recognizer.reset(.play, debounceMilliseconds: 8)
        recognizer.receive(Edge(button: .play, contact: key, isPressed: true, timestamp: at(600)))
        #expect(recognizer.advance(to: at(601)).count == 1)
        // Held on, it would switch the voice.
        #expect(recognizer.nextDeadline == at(10_600))
        recognizer.receive(Edge(button: .play, contact: key, isPressed: false, timestamp: at(700)))
        #expect(recognizer.advance(to: at(11_000)).isEmpty && recognizer.nextDeadline == nil)
    }
}
