// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Posix
import Testing

@testable import Display
@testable import Speaker
@testable import SpeakerBench

/// A screen that writes down what it is asked.
private final class FakeScreen: Screen {
    var nextChange: MonotonicTime?
    private(set) var shown: [SpeakerStatus] = []
    private(set) var times: [MonotonicTime] = []
    private(set) var refreshes = 0
    /// So often it changes by itself.
    var every: Int?
    private(set) var announced: [Notice] = []
    private(set) var isDark = false

    func show(_ showing: SpeakerStatus, at now: MonotonicTime) {
        shown.append(showing)
        times.append(now)
        wait(now)
    }

    private func wait(_ now: MonotonicTime) {
        if let due = nextChange, due <= now { nextChange = nil }
        if let every { nextChange = now.adding(milliseconds: every) }
    }

    func refresh(at now: MonotonicTime) {
        refreshes += 1
        wait(now)
    }

    func announce(_ notice: Notice, at now: MonotonicTime) { announced.append(notice) }
    func turnOff() { isDark = true }

    private(set) var lights: [Bool] = []
    var isLit: Bool { lights.last ?? true }
    func setLit(_ isLit: Bool) { lights.append(isLit) }
}

/// A glass of characters that takes everything.
private final class Glass: CharacterSurface {
    private(set) var cells: [UInt8] = []
    private var columns = 0
    private(set) var draws = 0

    func prepare(columns: Int, rows: Int) -> Bool {
        self.columns = columns
        cells = [UInt8](repeating: 0x20, count: columns * rows)
        return true
    }

    func draw(_ runs: [CellRun]) -> Int? {
        draws += 1
        for run in runs { for (i, code) in run.codes.enumerated() { cells[run.row * columns + run.column + i] = code } }
        return runs.reduce(0) { $0 + $1.codes.count }
    }

    func turnOff() {}

    func shows(_ words: String) -> Bool {
        String(decoding: cells.map { $0 < 0x20 ? 0x20 : $0 }, as: UTF8.self).contains(words)
    }
}

@Suite("Screens kept up to date") struct ScreenDriverTests {
    private let bench = Bench()

    private func driver(_ screens: any Screen...) -> ScreenDriver {
        let driver = ScreenDriver(speaker: bench.speaker, timers: bench.timers, screens: screens)
        bench.speaker.audience.didChange = { _ in driver.setNeedsUpdate() }
        bench.speaker.audience.announce = { driver.announce($0) }
        return driver
    }

    @Test func allThatChangesInATurnIsShownAtOnce() {
        let (one, other) = (FakeScreen(), FakeScreen())
        _ = driver(one, other)
        bench.add("a", "b")
        bench.press(.play, .next, .volume(step: -5), .toggleFavourite)
        #expect(one.shown.isEmpty)
        bench.timers.pass(milliseconds: 0)
        #expect(one.shown.count == 1 && other.shown == one.shown)
        #expect(one.shown[0].title == "b" && one.shown[0].isFavourite && one.shown[0].volumePercent == 95)
        bench.timers.pass(milliseconds: 0)
        #expect(one.shown.count == 1)
        bench.press(.pause)
        bench.timers.pass(milliseconds: 0)
        #expect(one.shown.count == 2 && one.shown[1].state == .paused)
    }

    @Test func itWakesWhenAScreenWantsTo() {
        let (one, other) = (FakeScreen(), FakeScreen())
        let driver = driver(one, other)
        let start = bench.timers.now
        one.nextChange = start.adding(milliseconds: 700)
        other.nextChange = start.adding(milliseconds: 300)
        driver.setNeedsUpdate()
        bench.timers.pass(milliseconds: 299)
        #expect(one.shown.count == 1)
        bench.timers.pass(milliseconds: 1)
        #expect(other.refreshes == 1 && one.refreshes == 0)
        // The other's time stays, and what was drawn meanwhile asks for no second timer.
        driver.setNeedsUpdate()
        bench.timers.pass(milliseconds: 399)
        #expect(one.refreshes == 0 && one.shown.count == 2)
        bench.timers.pass(milliseconds: 1)
        #expect(one.refreshes == 1)
        bench.timers.pass(milliseconds: 100_000)
        #expect(one.refreshes == 1 && other.refreshes == 1 && one.shown.count == 2)
    }

    /// Seconds that pass cost no question; after five of them the screens are told where the ear is by the card's clock.
    @Test func aScreenGoesOnByItselfForAWhile() {
        let screen = FakeScreen()
        screen.every = 1000
        driver(screen).setNeedsUpdate()
        bench.timers.pass(milliseconds: 20_500)
        #expect(screen.shown.count == 5)
        #expect(screen.refreshes == 16)
        // Changes are shown at once all the same.
        bench.add("b")
        bench.timers.pass(milliseconds: 0)
        #expect(screen.shown.count == 6)
    }

    @Test func itWakesForTheNextSegmentWhileItPlays() {
        let screen = FakeScreen()
        _ = driver(screen)
        bench.add("a")
        bench.worker.runAll()
        bench.press(.play)
        bench.timers.pass(milliseconds: 0)
        #expect(screen.shown.last?.segment?.text == "One.")
        let before = screen.shown.count
        // "One." ends after a second, for which nothing wakes, and "Two." begins a second later.
        bench.timers.pass(milliseconds: 2000)
        #expect(screen.shown.count == before)
        bench.player.positionMilliseconds = 2001
        bench.timers.pass(milliseconds: 1)
        #expect(screen.shown.count == before + 1 && screen.shown.last?.segment?.text == "Two.")
        // No sentence is spoken during a pause.
        bench.press(.pause)
        bench.timers.pass(milliseconds: 0)
        let paused = screen.shown.count
        bench.timers.pass(milliseconds: 10_000)
        #expect(screen.shown.count == paused)
    }

    @Test func theLastWordsGoTwoSecondsAfterTheirEnd() {
        let glass = Glass()
        _ = driver(CharacterDisplay(columns: 20, rows: 2, rom: .a00, surface: glass))
        bench.add("a")
        bench.worker.runAll()
        bench.press(.play)
        // "Three." ends at 4 s.
        for position in stride(from: 10, through: 6000, by: 10) {
            bench.timers.pass(milliseconds: 10)
            bench.player.positionMilliseconds = position
            if (3010..<5990).contains(position) { #expect(glass.shows("Three.")) }
        }
        bench.timers.pass(milliseconds: 20)
        #expect(!glass.shows("Three."))
    }

    @Test func wordsAreSaidAtOnceOnAllScreens() {
        let (one, other) = (FakeScreen(), FakeScreen())
        let driver = driver(one, other)
        driver.announce(.lastItem)
        #expect(one.announced == [.lastItem] && other.announced == [.lastItem])
        #expect(one.shown.isEmpty)
        bench.timers.pass(milliseconds: 0)
        #expect(one.shown.count == 1)
    }

    @Test func aNoticeGoesAfterItsTimeOrWithANewerOne() {
        let glass = Glass()
        _ = driver(CharacterDisplay(columns: 20, rows: 4, rom: .a00, surface: glass))
        bench.add("a")
        bench.press(.next)
        bench.timers.pass(milliseconds: 0)
        #expect(glass.shows("Last item"))
        // Changes meanwhile leave it in place.
        bench.timers.pass(milliseconds: 1000)
        bench.press(.toggleFavourite)
        bench.timers.pass(milliseconds: 0)
        #expect(!glass.shows("Last item") && glass.shows("Added to Favorites"))
        bench.timers.pass(milliseconds: 1500)
        bench.speaker.audience.didChange(.library)
        bench.timers.pass(milliseconds: 499)
        #expect(glass.shows("Added to Favorites"))
        bench.timers.pass(milliseconds: 1)
        #expect(!glass.shows("Added to Favorites"))
        // And nothing is drawn without a reason after that.
        bench.timers.pass(milliseconds: 10_000)
        let draws = glass.draws
        bench.timers.pass(milliseconds: 60_000)
        #expect(glass.draws == draws)
    }

    @Test func aDarkScreenStaysDark() {
        let screen = FakeScreen()
        let driver = driver(screen)
        screen.nextChange = bench.timers.now.adding(milliseconds: 50)
        driver.setNeedsUpdate()
        bench.timers.pass(milliseconds: 0)
        driver.announce(.goodbye)
        driver.turnOff()
        let shown = screen.shown.count
        bench.timers.pass(milliseconds: 1000)
        driver.setNeedsUpdate()
        bench.timers.pass(milliseconds: 1000)
        #expect(screen.isDark && screen.shown.count == shown)
    }

    @Test func withoutScreensNothingIsAskedFor() {
        let driver = driver()
        bench.pass(milliseconds: 30_000)
        let waiting = bench.timers.count
        driver.setNeedsUpdate()
        driver.announce(.nothingToPlay)
        #expect(bench.timers.count == waiting)
    }

    /// The light wakes no sleeper; after a press, the effect is visible.
    @Test func atNightItShinesForAMomentAfterAPress() {
        let screen = FakeScreen()
        var minute = 21 * 60 + 50
        bench.add("a", "b")
        bench.speaker.rules.night = PlayingRules.Night(hours: NightHours(from: 22 * 60, to: 7 * 60))
        bench.speaker.listening.rewind.wallMinute = { minute }
        let driver = ScreenDriver(
            speaker: bench.speaker, timers: bench.timers, screens: [screen], isDarkAtNight: true)
        bench.speaker.audience.didChange = { _ in driver.setNeedsUpdate() }
        bench.speaker.audience.didPress = { driver.didPress() }
        func press(_ command: Command) {
            bench.speaker.perform(command, asked: bench.timers.now)
            bench.timers.pass(milliseconds: 0)
        }
        press(.setVolume(percent: 50))
        bench.timers.pass(milliseconds: 500_000)
        #expect(screen.isLit && screen.lights == [])
        // The night begins without a touch.
        minute = 22 * 60
        bench.timers.pass(milliseconds: 110_000)
        #expect(!screen.isLit)
        press(.toggleFavourite)
        #expect(screen.isLit)
        bench.timers.pass(milliseconds: 9000)
        #expect(screen.isLit)
        bench.timers.pass(milliseconds: 1001)
        #expect(!screen.isLit)
        press(.menu(.open))
        bench.timers.pass(milliseconds: 14_000)
        #expect(screen.isLit == bench.speaker.isMenuOpen)
        bench.timers.pass(milliseconds: 30_000)
        #expect(!screen.isLit)
        minute = 7 * 60
        bench.timers.pass(milliseconds: 9 * 3_600_000)
        #expect(screen.isLit && screen.lights.count == 6)
    }
}
