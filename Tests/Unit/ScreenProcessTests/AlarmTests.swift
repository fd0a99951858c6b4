import Interaction
import Posix
import Testing
// SPDX-License-Identifier: Apache-2.0
import Wire

@testable import ScreenProcess

/// Alarms at a panel: set, changed and taken away there, and answered.
@Suite struct PanelAlarmTests {
    private static let ringing = Rig.paused.replacing("pause", with: "play") + "alarm: 06:40 ringing\n"

    private func settings(_ alarms: String, _ panel: FakePanel = FakePanel()) -> Rig {
        let rig = Rig(panel: panel)
        rig.speaker.answer("alarm list", alarms)
        _ = rig.press(.show(.settings))
        return rig
    }

    private func longPress(_ label: String, on rig: Rig) {
        guard let frame = rig.tree.first(where: { $0.label == label })?.frame else { return }
        for (phase, wait) in [(Contact.Phase.down, 1000), (.up, 0)] {
            rig.hands.touched(
                ScreenInputs.Place(
                    finger: 0, phase: phase, x: Float(frame[0] + 20) / Float(rig.panel!.width),
                    y: Float(frame[1] + frame[3] / 2) / Float(rig.panel!.height), calibration: .none),
                rig.timers.now.moment)
            rig.timers.pass(milliseconds: wait)
        }
        rig.settle()
    }

    /// Hour, minute and days, one after the other; nothing is set before the last of them.
    @Test(arguments: [(240, 240), (480, 320), (800, 480)]) func oneIsSetByThreeTouches(size: (Int, Int)) {
        let rig = settings("", FakePanel(width: size.0, height: size.1))
        rig.tap("New alarm")
        let hours = rig.tree.map { $0.label }
        #expect(hours.contains("0") && hours.contains("23") && !hours.contains("24"), "\(hours)")
        rig.tap("6")
        let minutes = rig.tree.map { $0.label }
        #expect(minutes.contains("6:00") && minutes.contains("6:55") && !minutes.contains("7:00"))
        #expect(!rig.tap("6:40").contains { $0.hasPrefix("alarm add") })
        #expect(rig.tap("Mon-fri").contains("alarm add 06:40 mon-fri"))
        #expect(rig.shows("New alarm"))
    }

    /// Beside the values is out of them, whichever of them it is.
    @Test func whoGoesAwaySetsNothing() {
        let rig = settings("")
        for choices in [[], ["23"], ["23", "23:55"]] {
            rig.tap("New alarm")
            for choice in choices { rig.tap(choice) }
            #expect(rig.press(.leave).allSatisfy { !$0.hasPrefix("alarm add") })
            #expect(rig.shows("New alarm"))
        }
    }

    @Test func byTheFocusToo() {
        let rig = settings("")
        rig.tap("New alarm")
        for _ in 0..<3 {
            // The first of each.
            rig.speaker.asked = []
            _ = rig.press(.after)
            _ = rig.press(.choose)
        }
        #expect(rig.shows("New alarm"))
    }

    @Test func oneIsSwitchedAndTakenAway() {
        let rig = settings(
            "alarm: 3\ntime: 06:40\ndays: daily\nplays: Emma\nenabled: 1\n"
                + "alarm: 12\ntime: 07:00\ndays: once\nplays: a tone\nenabled: 0\n")
        #expect(rig.tree.contains { $0.label == "6:40, Daily · Emma" && $0.value == "on" })
        #expect(rig.tap("6:40, Daily · Emma").contains("alarm off 3"))
        #expect(rig.tap("7:00, Once · a tone").contains("alarm on 12"))
        longPress("7:00, Once · a tone", on: rig)
        #expect(!rig.tap("Delete").contains { $0.hasPrefix("alarm remove") })
        rig.timers.pass(milliseconds: 5000)
        #expect(rig.speaker.asked.contains("alarm remove \"12\""))
        rig.speaker.answer("alarm list", "alarm: 3\ntime: 06:40\ndays: daily\nplays: Emma\nenabled: 0\n")
        rig.say(Rig.paused, changed: "options")
        #expect(rig.tree.contains { $0.label == "6:40, Daily · Emma" && $0.value == "off" })
        #expect(!rig.shows("7:00, Once · a tone"))
    }

    // MARK: It rings

    @Test(arguments: [false, true]) func itIsAnsweredInTheDarkToo(isSimple: Bool) {
        let rig = Rig { $0.isSimple = isSimple }
        rig.minuteOfDay = 23 * 60
        rig.timers.pass(milliseconds: 61_000)
        #expect(!rig.panel!.isLit)
        rig.say(PanelAlarmTests.ringing)
        #expect(rig.panel!.isLit)
        #expect(rig.tree.map { $0.label } == ["Snooze", "End", "23:00"], "\(rig.tree)")
        #expect(rig.shows("Alarm 6:40 · The River Bank"))
        // Bright for as long as it rings, and the first touch is an answer.
        rig.timers.pass(milliseconds: 300_000)
        #expect(rig.panel!.isLit && rig.shows("Snooze"))
        rig.minuteOfDay! += 1
        rig.timers.pass(milliseconds: 60_000)
        #expect(rig.shows("23:01"))
        #expect(rig.tap("Snooze").contains("alarm snooze"))
        #expect(rig.tap("End").contains("alarm end"))
        longPress("Snooze", on: rig)
        #expect(rig.speaker.asked.contains("alarm snooze"))
        rig.say(PanelAlarmTests.ringing.replacing("ringing", with: "snoozed"))
        #expect(!rig.shows("Snooze"))
        rig.timers.pass(milliseconds: 61_000)
        #expect(!rig.panel!.isLit)
    }

    @Test func nothingElseLiesOnIt() {
        let rig = Rig()
        rig.tap("Speed")
        rig.say(PanelAlarmTests.ringing)
        #expect(rig.shows("Snooze") && !rig.shows("1.25×"))
        rig.touch(2, 2)
        #expect(rig.shows("Snooze"))
        for key in [ScreenInputs.Key.show(.library), .act(.toggleFavourite), .search] {
            _ = rig.press(key)
            #expect(rig.shows("Snooze") && rig.tree.count == 3)
        }
        #expect(rig.press(.leave).contains("alarm snooze"))
        // The name of the recording arrives later than the ringing.
        rig.say(PanelAlarmTests.ringing.replacing("The River Bank", with: "Emma"))
        #expect(rig.tree.contains { $0.label == "12:00" && $0.value == "Alarm 6:40 · Emma" })
        rig.say(Rig.paused)
        #expect(!rig.shows("Snooze"))
    }

    @Test func keysAnswerIt() {
        let rig = Rig()
        rig.say(PanelAlarmTests.ringing)
        #expect(rig.press(.choose).contains("alarm snooze"))
        #expect(rig.press(.hold).contains("alarm end"))
        _ = rig.press(.after)
        _ = rig.press(.after)
        #expect(rig.press(.choose).contains("alarm end"))
    }

    /// The speaker's own buttons belong to the speaker during an alarm, over any list.
    @Test func buttonsAreTheSpeakers() {
        let rig = Rig()
        #expect(rig.press(.show(.library)).contains { $0.hasPrefix("buttons take") })
        rig.speaker.asked = []
        rig.say(PanelAlarmTests.ringing)
        #expect(rig.speaker.asked.contains("buttons give"))
        rig.speaker.asked = []
        rig.say(Rig.paused)
        #expect(rig.speaker.asked.contains { $0.hasPrefix("buttons take") })
    }

    /// The state of an absent speaker's alarm is unknown; once back, the speaker reports it.
    @Test func aSpeakerThatIsAwayDoesNotRing() {
        let rig = Rig()
        rig.say(PanelAlarmTests.ringing)
        rig.speaker.users.lost("gone")
        rig.timers.pass(milliseconds: 3000)
        #expect(!rig.shows("Snooze"))
        rig.say(PanelAlarmTests.ringing)
        #expect(rig.shows("Snooze"))
    }

    @Test func theNextOneStandsBelowTheClock() {
        let rig = Rig(Rig.paused + "alarm: 06:40 waiting\n")
        rig.timers.pass(milliseconds: 60_000)
        #expect(rig.tree.contains { $0.label == "Clock" && $0.value.contains("Alarm 6:40") }, "\(rig.tree)")
    }
}
