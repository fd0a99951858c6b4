// SPDX-License-Identifier: Apache-2.0
import Core
import Testing

@testable import Controls

@Suite struct GestureMapTests {
    @Test func theDefaultsAreTheProducts() {
        let map = GestureMap()
        let expected: [(ButtonName, Gesture, Command)] = [
            (.play, .press, .playPause), (.play, .long, .toggleFavourite), (.play, .double, .sentence(.again)),
            (.back, .press, .skip(milliseconds: -10_000)), (.back, .long, .previous),
            (.forward, .press, .skip(milliseconds: 10_000)), (.forward, .long, .next),
            (.favourite, .press, .toggleFavourite), (.next, .press, .next), (.previous, .press, .previous),
            (.volumeUp, .press, .volume(step: 5)), (.volumeUp, .hold, .volume(step: 5)),
            (.volumeDown, .press, .volume(step: -5)), (.volumeDown, .hold, .volume(step: -5)), (.jack, .press, .pause),
        ]
        for button in ButtonName.allCases {
            for gesture in Gesture.allCases {
                let command = expected.first { $0.0 == button && $0.1 == gesture }?.2 ?? .none
                #expect(map[button, gesture] == command, "\(button) \(gesture)")
            }
        }
        #expect(map.longMilliseconds == 500)
    }

    /// A press that is bound to something else does not wait for the default's double press.
    @Test func whatIsBoundAnewDoesNotWait() throws {
        var map = GestureMap()
        try map.set(key: "volume-up.press", to: "forward 1")
        try map.set(key: "volume-up.hold", to: "forward 1")
        #expect(map[.volumeUp, .double] == .none && map.actsOnPressEdge(.volumeUp))
        try map.set(key: "play.press", to: "next")
        #expect(map[.play, .double] == .none)
        var written = GestureMap()
        try written.set(key: "volume-up.double", to: "speed-up 20")
        try written.set(key: "volume-up.press", to: "next")
        #expect(written[.volumeUp, .double] == .speed(step: 20))
    }

    @Test func threePressesAskTheVoice() throws {
        var map = GestureMap()
        #expect(map[.play, .triple] == .none)
        map.bindToVoice()
        #expect(map[.play, .triple] == .say && map.answersFirst(.play))
        for command in ["none", "sleep", "say"] {
            var written = GestureMap()
            try written.set(key: "play.triple", to: command)
            written.bindToVoice()
            #expect(written[.play, .triple] == (try Command(parsing: command)))
        }
    }

    @Test func theMenuHasItsOwnHands() throws {
        var map = GestureMap()
        map.bindToMenu()
        #expect(map[.play, .longer] == .menu(.open) && map[.play, .long] == .toggleFavourite)
        let inMenu = map.inMenu
        #expect(inMenu[.play, .press] == .menu(.choose) && inMenu[.play, .long] == .menu(.back))
        // Neither a press nor a hold waits for what else it might be.
        #expect(inMenu.actsOnPressEdge(.back) && inMenu.actsOnPressEdge(.forward))
        #expect(inMenu[.play, .longer] == .none && inMenu[.play, .double] == .none)
        #expect(inMenu[.back, .hold] == .menu(.previous) && inMenu[.forward, .hold] == .menu(.next))
        #expect(inMenu[.volumeUp, .press] == map[.volumeUp, .press])
        for knob in KnobName.allCases {
            #expect(inMenu[knob, .right] == .menu(.next) && inMenu[knob, .left] == .menu(.previous))
        }
        // A configured value stays.
        for (key, value) in [("play.longer", "none"), ("play.longer", "sleep"), ("play.hold", "next")] {
            var written = GestureMap()
            try written.set(key: key, to: value)
            written.bindToMenu()
            #expect(written[.play, .longer] != .menu(.open))
        }
    }

    @Test func aListOnAPanelHasHandsOfItsOwn() {
        var map = GestureMap()
        map.bindToPanel()
        let onPanel = map.onPanel
        // Forward held goes on and on; back is pressed, held, or held long.
        #expect(onPanel[.forward, .hold] == .menu(.next) && onPanel.actsOnPressEdge(.forward))
        #expect(onPanel[.back, .hold] == .none && onPanel[.back, .long] != .none && onPanel[.back, .longer] != .none)
        #expect(onPanel[.play, .double] == .none && onPanel[.play, .longer] == .screen(.library))
        #expect(onPanel[.volume, .right] == map[.volume, .right] && onPanel[.jog, .right] == .menu(.next))
        #expect(onPanel[.volumeUp, .press] == map[.volumeUp, .press])
    }

    @Test func everyCommandReadsWhatItWrites() throws {
        let commands: [Command] = [
            .none, .playPause, .play, .pause, .stop, .toggleFavourite, .next, .previous, .skip(milliseconds: 1000),
            .skip(milliseconds: -3_600_000), .volume(step: 1), .volume(step: -100), .speed(step: 5), .speed(step: -100),
            .sentence(.next),
            .sentence(.previous), .sentence(.again), .loop(.sentence), .loop(.from), .loop(.to), .loop(.off),
            .sleepStep, .sleep(.minutes(1)), .sleep(.minutes(1440)), .sleep(.chapter), .sleep(.chapters(2)),
            .sleep(.item), .sleep(.off),
            .screen(.player), .screen(.favourites), .menu(.open), .menu(.next), .menu(.previous), .menu(.choose),
            .menu(.back), .menu(.leave), .interrupt(.end), .interrupt(.begin(seconds: 1)),
            .interrupt(.begin(seconds: 3600)),
        ]
        for command in commands { #expect(try Command(parsing: command.text) == command) }
        #expect(try Command(parsing: "volume-up") == .volume(step: 5))
        #expect(try Command(parsing: "speed-down") == .speed(step: -10))
        #expect(try Command(parsing: " forward   30 ") == .skip(milliseconds: 30_000))
    }

    @Test(arguments: [
        ("play.press", "pley", "unknown command 'pley', expected 'play' perhaps: one of none, play-pause"),
        ("play.press", "", "no command, expected one of none"),
        ("play.press", "favorite", "expected 'favourite' perhaps"),
        ("play.press", "next item", "'item' after 'next', expected 'next' alone"),
        ("play.longer", "screen", "'screen' without a name, expected one of player, library, favourites, settings"),
        ("play.longer", "screen libary", "'libary' after 'screen', expected 'library' perhaps"),
        ("play.press", "forward", "'forward' without a number, expected 'forward' and 1 to 3600 seconds"),
        ("play.press", "forward 0", "'0' after 'forward', expected 'forward' and 1 to 3600 seconds"),
        ("play.press", "forward -10", "'-10' after 'forward'"),
        ("play.press", "forward 10 s", "'10 s' after 'forward'"),
        ("play.press", "back 99999999999999999999", "1 to 3600 seconds"),
        ("play.press", "volume-up 101", "1 to 100 percentage points"),
        ("play.press", "sleep 0", "'0' after 'sleep', expected 'sleep' alone, or with 1 to 1440 minutes"),
        ("play.press", "sleep 30 min", "'30 min' after 'sleep'"),
        ("play.press", "speed-up 7", "'7' after 'speed-up', expected a multiple of 5"),
        ("play.press", "speed-up 300", "5 to 100 percentage points"),
        ("play.press", "sentence", "'sentence' without a step, expected one of next, previous, repeat"),
        ("play.press", "sentence nxt", "'nxt' after 'sentence', expected 'next' perhaps"),
        ("pley.press", "play", "unknown button 'pley', expected 'play' perhaps: one of play, back"),
        ("volume_up.press", "play", "expected 'volume-up' perhaps"),
        ("play.lng", "play", "unknown gesture 'lng', expected 'long' perhaps: one of press, long, double, hold"),
        ("play", "next", "unknown key 'play', expected BUTTON.GESTURE"),
        ("play.long.press", "next", "unknown key 'play.long.press'"),
        ("", "next", "unknown key ''"),
    ]) func errorsSayWhatIsWrongAndWhatWasExpected(key: String, value: String, message: String) {
        var map = GestureMap()
        do throws(GestureError) {
            try map.set(key: key, to: value)
            Issue.record("accepted")
        } catch {
            #expect(error.message.contains(message), "\(error.message)")
        }
    }

    @Test func aHoldTakesTheDefaultLongPressAwayAndTheOtherWayRound() throws {
        var map = GestureMap()
        try map.set(key: "forward.hold", to: "forward 10")
        #expect(map[.forward, .long] == .none)
        #expect(map.actsOnPressEdge(.forward))
        try map.set(key: "volume-up.long", to: "next")
        #expect(map[.volumeUp, .hold] == .none)
        #expect(throws: GestureError.self) { try map.set(key: "forward.long", to: "next") }
        #expect(map[.forward, .hold] == .skip(milliseconds: 10_000))
        try map.set(key: "forward.long", to: "none")
    }

    @Test func spellingFindsNearNamesOnly() {
        #expect(Spelling.nearest(to: "perod_ms", among: ["buffer_ms", "period_ms"]) == "period_ms")
        #expect(Spelling.nearest(to: "PERIOD-MS", among: ["buffer_ms", "period_ms"]) == "period_ms")
        #expect(Spelling.nearest(to: "xyz", among: ["buffer_ms", "cut"]) == nil)
        #expect(Spelling.nearest(to: "", among: ["cut"]) == nil)
        #expect(Spelling.nearest(to: String(repeating: "x", count: 100_000), among: ["cut"]) == nil)
    }
}
