// SPDX-License-Identifier: Apache-2.0
import Configuration
import Interaction
import Panel
import Pixels
import Posix
import Scenes
import TestSupport
import Typography
import Wire

@testable import ScreenProcess

/// The picture on a panel. It is no collection: for two different collections `#expect` looks for every difference, for pictures an hour.
struct ShownPicture: Equatable {
    let width: Int
    let pixels: [UInt32]

    /// Returns the bounds of the differences between two pictures of one size: left, top, right, bottom; nil without any.
    func bounds(ofDifferencesFrom other: Self) -> [Int]? {
        let places = pixels.indices.filter { pixels[$0] != other.pixels[$0] }
        guard let first = places.first, let last = places.last else { return nil }
        let columns = places.map { $0 % width }
        return [columns.min()!, first / width, columns.max()!, last / width]
    }
}

/// A panel that counts what it is shown, and can be unplugged.
final class FakePanel: Panel {
    let name = "a panel"
    let (width, height): (Int, Int)
    var widthMillimetres: Int?
    let isOlderKind = false
    let descriptor: Int32 = -1
    var isBusy = false
    var isThere = true
    private(set) var shown = 0
    private(set) var isLit = true
    /// Called for each picture, before it is shown.
    var willShow: () -> Void = {}
    private(set) var last = ShownPicture(width: 0, pixels: [])

    init(width: Int = 480, height: Int = 320) { (self.width, self.height) = (width, height) }

    func show(_ picture: Surface, changed: [PixelRect]) throws(PosixError) {
        if !isThere { throw PosixError(code: 19, operation: "show a picture") }
        shown += 1
        willShow()
        // By rows: pixel by pixel, a debug build takes a hundred times as long.
        let width = picture.width
        let pixels = [UInt32](unsafeUninitializedCapacity: width * picture.height) { room, count in
            for y in 0..<picture.height {
                (room.baseAddress! + y * width).initialize(from: picture.row(y), count: width)
            }
            count = width * picture.height
        }
        last = ShownPicture(width: picture.width, pixels: pixels)
    }
    func takeEvents() {}
    func setLit(_ isLit: Bool) { self.isLit = isLit }
}

/// A speaker that answers at once what it was given to answer, and keeps what it was asked.
final class FakeSpeaker: SpeakerAsked {
    let users: SpeakerLink.Users
    private let timers: FakeTimers
    var isThere = true
    /// It takes questions, and answers none of them.
    var hangs = false {
        didSet {
            if hangs { return }
            let held = waiting
            waiting = []
            for then in held { then() }
        }
    }
    private var waiting: [() -> Void] = []
    var asked: [String] = []
    private(set) var retries = 0
    /// By how the command begins; all others are answered with nothing.
    var answers: [(command: String, answer: SpeakerLink.Answer)] = []

    init(_ users: SpeakerLink.Users, _ timers: FakeTimers) { (self.users, self.timers) = (users, timers) }

    func start() { if isThere { timers.schedule(at: timers.now) { [self] in users.connected() } } }
    func retry() { retries += 1 }

    func ask(_ command: String, then: @escaping (SpeakerLink.Answer?) -> Void) {
        asked.append(command)
        let answer = answers.first { command.hasPrefix($0.command) }?.answer ?? SpeakerLink.Answer()
        if hangs { return waiting.append { then(answer) } }
        timers.schedule(at: timers.now) { [self] in then(isThere ? answer : nil) }
    }

    func answer(_ command: String, _ lines: String) {
        var answer = SpeakerLink.Answer()
        for line in lines.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            answer.fields.append((String(parts[0]), String(parts[1].drop { $0 == " " })))
        }
        set(command, answer)
    }

    func set(_ command: String, _ answer: SpeakerLink.Answer) {
        answers.removeAll { $0.command == command }
        answers.append((command, answer))
    }
}

/// The process that draws among fakes: a clock that stands, a panel and a speaker of its own.
final class Rig {
    let timers = FakeTimers()
    let worker = FakeWorker()
    var panel: FakePanel?
    /// Attempts to find one.
    private(set) var opened = 0
    private(set) var speaker: FakeSpeaker!
    private(set) var lamp: [Int] = []
    /// Nil on a board without a clock.
    var minuteOfDay: Int? = 12 * 60
    private(set) var clockWasSet: () -> Void = {}
    private(set) var hands: ScreenInputs.Users!
    private(set) var written: [String] = []
    private(set) var run: ScreenRun!

    static let paused = "state: pause\nfile: a.mp3\ntitle: The River Bank\nduration: 60\nelapsed: 5\nvolume: 50\n"

    init(
        _ state: String = Rig.paused, panel: FakePanel? = FakePanel(), deaths: String = "/nowhere", hangs: Bool = false,
        minuteOfDay: Int? = 12 * 60,
        change: (inout Configuration.Screen) -> Void = { _ in }
    ) {
        self.panel = panel
        self.minuteOfDay = minuteOfDay
        var configured = Configuration.Screen()
        change(&configured)
        let process = ScreenSpeaker(
            hasHaptics: false, timers: timers, worker: worker, folder: nil, deaths: deaths
        ) { [unowned self] users in
            speaker = FakeSpeaker(users, timers)
            speaker.answer("screenstate", state)
            speaker.hangs = hangs
            return speaker
        }
        let memory = ScreenMemory(folder: "/nowhere") { [unowned self] bytes, _ in
            written.append(String(decoding: bytes, as: UTF8.self))
        }
        let output = ScreenPanel(
            ScreenPanel.Finder(
                open: { [unowned self] () throws(PosixError) in
                    opened += 1
                    guard let panel = self.panel else { throw PosixError(code: 19, operation: "find a panel") }
                    return panel
                }, openCard: { nil }, waitsForCard: { _ in false }), timers
        ) { _, _ in }
        run = ScreenRun(
            ScreenSettings(configured, memory, version: "1", libraryPath: "/srv/nightstand"),
            families: FontFamily.standard, speaker: process,
            output: output,
            around: ScreenRun.Surroundings(
                timers: timers, clock: { [unowned self] in self.minuteOfDay.map { ($0, 0) } },
                watchClock: { [unowned self] in clockWasSet = $0 },
                setLamp: { [unowned self] in lamp.append($0) },
                openInputs: { [unowned self] users in
                    hands = users
                    return self
                }))
        run.start()
        settle()
        firstAsked = speaker.asked.first ?? ""
    }

    /// The first question of all.
    private(set) var firstAsked = ""

    /// Until nothing moves any more.
    func settle() { timers.pass(milliseconds: 1200) }

    /// The elements on the screen, in the words for the speaker: `button "Play" ...`.
    var tree: [(label: String, value: String, frame: [Int])] {
        speaker.asked = []
        speaker.users.changed(["screen"])
        timers.pass(milliseconds: 0)
        return speaker.asked.filter { $0.hasPrefix("screen element ") }.map { line in
            let parts = line.split(separator: "\"", omittingEmptySubsequences: false).map { String($0) }
            return (parts[1], parts[3], parts[9].split(separator: " ").map { Int($0)! })
        }
    }

    /// The labels of rows that say that they are selected.
    var selectedRows: [String] {
        _ = tree
        return speaker.asked.filter { $0.hasPrefix("screen element row ") && $0.contains("selected") }.map {
            String($0.split(separator: "\"", omittingEmptySubsequences: false)[1])
        }
    }

    func shows(_ label: String) -> Bool { tree.contains { $0.label == label || $0.value == label } }

    func touch(_ x: Int, _ y: Int) {
        for phase in [Contact.Phase.down, .up] {
            hands.touched(
                ScreenInputs.Place(
                    finger: 0, phase: phase, x: Float(x) / Float(panel!.width), y: Float(y) / Float(panel!.height),
                    calibration: .none), timers.now.moment)
            timers.pass(milliseconds: 50)
        }
        settle()
    }

    /// Touches what has this label, and gives what the speaker was asked after that.
    @discardableResult
    func tap(_ label: String) -> [String] {
        let all = tree
        guard let element = all.first(where: { $0.label == label }) else { return ["no \(label) in \(all)"] }
        speaker.asked = []
        touch(element.frame[0] + element.frame[2] / 2, element.frame[1] + element.frame[3] / 2)
        return speaker.asked
    }

    func press(_ key: ScreenInputs.Key) -> [String] {
        speaker.asked = []
        hands.key(key, .down, timers.now.moment)
        hands.key(key, .up, timers.now.moment)
        settle()
        return speaker.asked
    }

    /// A button of the speaker, or a wish for a screen, as the speaker tells it.
    func message(_ words: String, settlingMilliseconds: Int = 1200) {
        speaker.answer("readmessages", "message: " + words + "\n")
        speaker.users.changed(["message"])
        timers.pass(milliseconds: settlingMilliseconds)
        speaker.answer("readmessages", "")
    }

    /// The label of what has the focus; nil for none.
    var focused: String? {
        _ = tree
        return speaker.asked.first { $0.hasPrefix("screen element") && $0.contains("\"focused") }.map {
            String($0.split(separator: "\"", omittingEmptySubsequences: false)[1])
        }
    }

    func isFocused(_ label: String) -> Bool { focused == label }

    func say(_ state: String, changed: String = "player") {
        speaker.answer("screenstate", state)
        speaker.users.changed([changed])
        settle()
    }
}
