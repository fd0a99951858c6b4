// SPDX-License-Identifier: Apache-2.0
import Interaction
import Model
import Scenes
import Testing

@Suite struct WhatAPanelShows {
    private func machine(dim: Int = 60, dark: Int = 0, isDarkAtNight: Bool = true) -> ScreenMachine {
        var settings = ScreenMachine.Settings()
        settings.dimMilliseconds = dim * 1000
        settings.darkMilliseconds = dark * 1000
        settings.isDarkAtNight = isDarkAtNight
        var machine = ScreenMachine(settings, at: 0)
        machine.speakerSaid(SpeakerStatus(), at: 0)
        return machine
    }

    @Test func itDimsAndGoesDark() {
        var machine = machine(dim: 60, dark: 100)
        for (moment, light) in [
            (0, ScreenMachine.Light.bright), (59_999, .bright), (60_000, .dimmed), (100_000, .dark),
        ] {
            machine.pass(moment, isNight: false)
            #expect(machine.light == light)
        }
        #expect(machine.nextChange(after: 100_000) == nil)
    }

    @Test func itSaysWhenItChanges() {
        var machine = machine(dim: 60, dark: 100)
        var moments: [Int] = []
        var moment = 0
        while let next = machine.nextChange(after: moment) {
            moments.append(next)
            moment = next
            machine.pass(moment, isNight: false)
        }
        #expect(moments == [60_000, 100_000])
        #expect(WhatAPanelShows().machine(dim: 0).nextChange(after: 5) == nil)
    }

    @Test func atNightItGoesDarkWhereByDayItDims() {
        var machine = machine()
        machine.pass(60_000, isNight: true)
        #expect(machine.light == .dark)
        machine.pass(60_001, isNight: false)
        #expect(machine.light == .dimmed)
        var lit = self.machine(isDarkAtNight: false)
        lit.pass(60_000, isNight: true)
        #expect(lit.light == .dimmed)
    }

    @Test func theFirstTouchOnlyWakes() {
        var machine = machine(dim: 60, dark: 100)
        machine.pass(200_000, isNight: false)
        var counts = [machine.handActs(.down, at: 200_000)]
        #expect(machine.light == .bright)
        counts.append(machine.handActs(.moved, at: 200_010))
        counts.append(machine.handActs(.up, at: 200_020))
        counts.append(machine.handActs(.down, at: 200_500))
        counts.append(machine.handActs(.up, at: 200_600))
        #expect(counts == [false, false, false, true, true])
        machine.pass(260_599, isNight: false)
        #expect(machine.light == .bright)
    }

    @Test func fallingSilentByItselfWakesNobody() {
        var settings = ScreenMachine.Settings()
        settings.dimMilliseconds = 10_000
        var machine = ScreenMachine(settings, at: 0)
        var state = SpeakerStatus()
        state.state = .playing
        machine.speakerSaid(state, at: 0)
        func light(_ moment: Int) -> ScreenMachine.Light {
            machine.speakerSaid(state, at: moment)
            machine.pass(moment + 1, isNight: false)
            return machine.light
        }
        // The person with the timer sees that.
        state.take("sleep", "900")
        #expect(light(100_000) == .bright)
        state.take("sleep", "800")
        #expect(light(200_000) == .dimmed)
        state.take("sleep", "1800")
        #expect(light(300_000) == .bright)
        state.take("sleep", "chapter")
        #expect(light(400_000) == .bright)
        #expect(light(500_000) == .dimmed)
        state.take("sleep", "off")
        state.state = .paused
        #expect(light(600_000) == .dimmed)
        state.state = .playing
        #expect(light(700_000) == .bright)
    }

    @Test func whatAPersonDoesToTheSpeakerWakes() {
        var state = SpeakerStatus()
        state.state = .paused
        state.volumePercent = 50
        var machine = machine()
        machine.speakerSaid(state, at: 1)
        for change in 0..<3 {
            machine.pass(1_000_000 * (change + 1), isNight: true)
            #expect(machine.light == .dark)
            // Another recording that starts by itself is no act of a person.
            state.file += "x"
            machine.speakerSaid(state, at: 1_000_000 * (change + 1))
            #expect(machine.light == .dark)
            switch change {
            case 0: state.state = .playing
            case 1: state.volumePercent = 55
            default: state.isFavourite = true
            }
            machine.speakerSaid(state, at: 1_000_000 * (change + 1))
            // The clock first.
            #expect(machine.light == .dimmed)
            state.volumePercent = 60 + change
            machine.speakerSaid(state, at: 1_000_000 * (change + 1) + 5)
            #expect(machine.light == .bright)
        }
    }

    /// A touch in the dark of the night shows the clock, dimmed; the next one all of it, and only the one after that does anything.
    @Test func atNightTheClockComesFirst() {
        var settings = ScreenMachine.Settings()
        settings.dimMilliseconds = 10_000
        var machine = ScreenMachine(settings, at: 0)
        func touch(_ moment: Int) -> Bool {
            _ = machine.handActs(.down, at: moment)
            let counts = machine.handActs(.up, at: moment)
            machine.pass(moment, isNight: true)
            return counts
        }
        machine.pass(10_000, isNight: true)
        #expect(machine.light == .dark)
        #expect(!touch(20_000) && machine.light == .dimmed)
        machine.pass(25_000, isNight: true)
        #expect(machine.light == .dimmed)
        #expect(machine.nextChange(after: 25_000) == 30_000)
        machine.pass(30_000, isNight: true)
        #expect(machine.light == .dark)
        #expect(!touch(40_000) && machine.light == .dimmed)
        #expect(!touch(41_000) && machine.light == .bright)
        #expect(touch(42_000) && machine.light == .bright)
        // By day all of it comes at once.
        settings.darkMilliseconds = 10_000
        machine = ScreenMachine(settings, at: 0)
        machine.pass(10_000, isNight: false)
        #expect(machine.light == .dark)
        _ = machine.handActs(.down, at: 20_000)
        #expect(machine.light == .bright)
    }

    @Test func aSpeakerThatGoesIsMissedAfterAWhile() {
        var machine = ScreenMachine(ScreenMachine.Settings(), at: 0)
        #expect(machine.place == .boot)
        machine.pass(ScreenMachine.bootMilliseconds - 1, isNight: false)
        #expect(machine.place == .boot)
        #expect(machine.nextChange(after: 0) == ScreenMachine.bootMilliseconds)
        machine.pass(ScreenMachine.bootMilliseconds, isNight: false)
        #expect(machine.place == .error)
        machine.speakerSaid(SpeakerStatus(), at: 20_000)
        #expect(machine.place == .speaker)
        machine.speakerWent(at: 30_000)
        machine.speakerWent(at: 31_000)
        machine.pass(31_499, isNight: false)
        #expect(machine.place == .speaker)
        machine.pass(31_500, isNight: false)
        #expect(machine.place == .error)
    }

    /// It stays bright while an alarm rings, at night, too, and no longer than usual after that.
    @Test func anAlarmWakesUntilItIsAnswered() {
        var machine = machine()
        var state = SpeakerStatus()
        machine.speakerSaid(state, at: 0)
        machine.pass(60_000, isNight: true)
        #expect(machine.light == .dark)
        state.alarm = AlarmStatus(.ringing, minute: 400)
        machine.speakerSaid(state, at: 70_000)
        #expect(machine.light == .bright)
        for moment in stride(from: 70_000, to: 4_000_000, by: 50_000) {
            machine.pass(moment, isNight: true)
            #expect(machine.light == .bright)
        }
        #expect(machine.handActs(.down, at: 4_000_000) && machine.light == .bright)
        state.alarm = AlarmStatus(.snoozed, minute: 400)
        machine.speakerSaid(state, at: 4_000_000)
        machine.pass(4_059_000, isNight: true)
        #expect(machine.light == .bright)
        machine.pass(4_060_000, isNight: true)
        #expect(machine.light == .dark)
        // A waiting alarm wakes no screen.
        state.alarm = AlarmStatus(.waiting, minute: 401)
        machine.speakerSaid(state, at: 4_070_000)
        #expect(machine.light == .dark)
    }
}
