// SPDX-License-Identifier: Apache-2.0
import Audio
import Foundation
import Posix
import Speaker
import TestSupport
import Testing

@testable import Voice

/// A card, and what it was given to say.
private final class FakeSpeaking: SpeakingPort {
    var card: (rate: Int, channels: Int)? = (48_000, 2)
    private(set) var said: [[Int16]] = []
    private(set) var hushes = 0
    var isGettingReady = false
    var didOpenCard: () -> Void = {}
    var didSay: (_ isWhole: Bool) -> Void = { _ in }

    func cardToSpeakOn() -> (rate: Int, channels: Int)? { card }

    func speak(_ spoken: SpokenFrames) -> Bool {
        defer { spoken.free() }
        guard let card, card.rate == spoken.rate, card.channels == spoken.channels else { return false }
        said.append(Array(UnsafeBufferPointer(start: spoken.samples, count: spoken.frames * spoken.channels)))
        return true
    }

    func hush() { hushes += 1 }
}

/// A voice with programs that a shell is, and jobs that are done when the test says so.
private final class Desk {
    let folder = NSTemporaryDirectory() + "voice-" + UUID().uuidString
    let loop: EventLoop
    let worker = FakeWorker()
    let port = FakeSpeaking()
    private(set) var warnings: [String] = []
    private(set) var voice: Voice!

    /// - Parameter script: the program; each run of it adds a byte to the file `runs`.
    init(_ script: String, rate: Int = 48_000, keeps: Bool = true) throws {
        loop = try EventLoop()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let program = folder + "/program"
        try ("#!/bin/sh\nprintf x >> \(folder)/runs\n" + script + "\n").write(
            toFile: program, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        begin(program, rate: rate, keeps: keeps)
    }

    func begin(_ program: String, rate: Int = 48_000, keeps: Bool = true) {
        voice = Voice(
            Voice.Settings(
                command: program + " one two", language: "de", bareRate: rate, cachePath: keeps ? folder + "/kept" : ""),
            port: port, loop: loop, worker: worker
        ) { [unowned self] in warnings.append($0) }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var runs: Int { (try? Data(contentsOf: URL(fileURLWithPath: folder + "/runs")).count) ?? 0 }
    var kept: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder + "/kept")) ?? [] }
    func text(_ name: String) -> String { (try? String(contentsOfFile: folder + "/" + name, encoding: .utf8)) ?? "" }

    /// Lets everything go on until something has come about; that it does is looked for all the while.
    func run(until isDone: () -> Bool, _ what: String = "", seconds: Int = 10) throws {
        let end = MonotonicTime.now.adding(milliseconds: seconds * 1000)
        while true {
            worker.runAll()
            if isDone() { return }
            if MonotonicTime.now > end { break }
            loop.schedule(inMilliseconds: 20) {}
            try loop.waitOnce()
        }
        Issue.record("\(what): not within \(seconds) s; \(warnings)")
    }
}

@Suite("Voice", .serialized) struct VoiceTests {
    /// Announcements come one after the other, behind what is being said; a press that is answered ends one of them.
    @Test func announcementsWaitForEachOther() throws {
        let desk = try Desk("cat >> \(NSTemporaryDirectory())/announced; " + Self.tone, keeps: false)
        try? FileManager.default.removeItem(atPath: NSTemporaryDirectory() + "/announced")
        func announced() -> String {
            (try? String(contentsOfFile: NSTemporaryDirectory() + "/announced", encoding: .utf8)) ?? ""
        }
        desk.voice.say("An answer.")
        #expect(desk.voice.announce(.text("One.")) && desk.voice.announce(.text("Two.")))
        try desk.run(until: { desk.port.said.count == 1 })
        #expect(announced() == "An answer.\n")
        desk.port.didSay(true)
        try desk.run(until: { desk.port.said.count == 2 })
        #expect(announced() == "An answer.\nOne.\n" && desk.port.hushes == 0)
        desk.voice.say("Paused.")
        try desk.run(until: { desk.port.said.count == 3 })
        #expect(announced() == "An answer.\nOne.\nPaused.\n" && desk.port.hushes == 1)
        desk.port.didSay(false)
        desk.port.didSay(true)
        try desk.run(until: { desk.port.said.count == 4 })
        #expect(announced().hasSuffix("Two.\n"))
        desk.port.didSay(true)
        #expect(!desk.voice.isSpeaking)
        let taken = (0..<12).map { desk.voice.announce(.text("\($0)")) }
        // One is being made, and eight wait.
        #expect(taken == Array(repeating: true, count: 9) + Array(repeating: false, count: 3))
        try? FileManager.default.removeItem(atPath: NSTemporaryDirectory() + "/announced")
    }

    /// A program that fails keeps no announcement back.
    @Test func anAnnouncementThatFailsIsFollowedByTheNext() throws {
        let desk = try Desk("read line; [ \"$line\" = good ] || exit 1; " + Self.tone, keeps: false)
        for text in ["bad", "good"] { #expect(desk.voice.announce(.text(text))) }
        try desk.run(until: { desk.port.said.count == 1 })
        #expect(desk.warnings.count == 1)
    }

    /// A recording is announced as a sentence is, cut after 30 seconds, and one without sound is named.
    @Test func aRecordingIsAnnounced() throws {
        let desk = try Desk(Self.tone)
        let path = desk.folder + "/chime.wav"
        let frames = 22_050 * 40
        var bytes = Array("RIFF".utf8) + le32(36 + frames * 2) + Array("WAVEfmt ".utf8) + le32(16)
        bytes += [1, 0, 1, 0] + le32(22_050) + le32(44_100) + [2, 0, 16, 0] + Array("data".utf8) + le32(frames * 2)
        bytes += (0..<frames).flatMap { _ in [0x41, 0x41] as [UInt8] }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        #expect(desk.voice.announce(.sound(.file(path: path))))
        try desk.run(until: { desk.port.said.count == 1 })
        let seconds = try Double(#require(desk.port.said.first).count) / 2 / 48_000
        #expect(seconds > 29 && seconds < 30.5 && desk.warnings.isEmpty && desk.runs == 0)
        desk.port.didSay(true)
        #expect(desk.voice.announce(.sound(.file(path: desk.folder + "/none.wav"))))
        try desk.run(until: { !desk.warnings.isEmpty })
        #expect(desk.warnings[0].contains("none.wav") && !desk.voice.isSpeaking)
    }

    private func le32(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }

    /// 256 bytes that are heard, of 16-bit samples 0x4141.
    private static let tone = "printf %0256d 0 | tr 0 A"

    @Test func itIsMadeOnceAndKept() throws {
        let desk = try Desk(
            "cat > \(NSTemporaryDirectory())/voice-line; echo \"$@\" > $(dirname $0)/words; " + Self.tone)
        desk.voice.say("Paused.")
        try desk.run(until: { desk.port.said.count == 1 && desk.kept.count == 1 })
        // As the card has it: two channels, and the silence behind it.
        let frames = try #require(desk.port.said.first)
        #expect(frames[0..<256].allSatisfy { $0 == 0x4141 } && frames[256...].allSatisfy { $0 == 0 })
        #expect(desk.text("words") == "one two -v de\n")
        #expect(try String(contentsOfFile: NSTemporaryDirectory() + "/voice-line", encoding: .utf8) == "Paused.\n")
        desk.port.didSay(true)
        // The second time no program is needed.
        desk.voice.say("Paused.")
        try desk.run(until: { desk.port.said.count == 2 })
        #expect(desk.port.said[1] == frames && desk.runs == 1 && desk.port.hushes == 0)
        desk.voice.say("Other.")
        try desk.run(until: { desk.port.said.count == 3 })
        // Cut off in the middle.
        #expect(desk.port.hushes == 1 && desk.runs == 2 && desk.warnings.isEmpty)
    }

    @Test func anotherRateIsResampled() throws {
        let desk = try Desk("printf %048000d 0 | tr 0 A", rate: 24_000, keeps: false)
        desk.voice.say("x")
        try desk.run(until: { desk.port.said.count == 1 })
        let frames = try #require(desk.port.said.first)
        #expect(abs(frames.count / 2 - 48_000) < 5000 && desk.kept.isEmpty)
        #expect(frames[24_000..<72_000].allSatisfy { abs(Int($0) - 0x4141) < 200 })
    }

    /// To espeak-ng a title is of its own language; others get the sentence as it is.
    @Test func aTitleInItsOwnLanguage() {
        func order(_ command: String, _ language: String, _ sentence: String) -> String {
            let order = Voice.Settings(command: command, language: language, bareRate: 22_050, cachePath: "").order(
                sentence)
            return order.words.joined(separator: " ") + "|" + order.text
        }
        let sentence = "B\u{FC}cher, 2. \u{1}en\u{2}Tom & <Jerry>\u{3}, 3 Stunden."
        #expect(
            order("/usr/bin/espeak-ng --stdout", "de", sentence)
                == "/usr/bin/espeak-ng --stdout -v de -m|B\u{FC}cher, 2. <voice xml:lang=\"en\">Tom &amp; &lt;Jerry&gt;</voice>, 3 Stunden."
        )
        #expect(
            order("espeak-ng --stdout", "en-gb", sentence).hasSuffix(
                "-v en-gb|B\u{FC}cher, 2. Tom & <Jerry>, 3 Stunden."))
        #expect(order("espeak-ng", "", sentence) == "espeak-ng|B\u{FC}cher, 2. Tom & <Jerry>, 3 Stunden.")
        #expect(
            order("piper --quiet", "de", sentence) == "piper --quiet -v de|B\u{FC}cher, 2. Tom & <Jerry>, 3 Stunden.")
        #expect(order("espeak-ng", "de", "a & b") == "espeak-ng -v de|a & b")
        // Signs that a title may contain are no marks.
        for odd in ["\u{1}", "\u{1}en", "\u{1}en\u{2}", "\u{1}\">\u{2}x\u{3}", "\u{3}\u{2}\u{1}", "\u{1}EN\u{2}x\u{3}"]
        {
            #expect(!order("espeak-ng", "de", odd + "Title").contains("-m"), "\(odd)")
        }
        for length in 0..<40 {
            let cut = String(decoding: sentence.utf8.prefix(length), as: UTF8.self)
            #expect(!order("espeak-ng", "de", cut).utf8.contains { $0 < 4 })
        }
    }

    @Test func itStandsBackForWhatWasAskedFor() throws {
        let desk = try Desk(Self.tone)
        desk.port.isGettingReady = true
        let asked = MonotonicTime.now
        desk.voice.say("x")
        // A card that opens meanwhile is no reason to begin.
        desk.port.didOpenCard()
        try desk.run(until: { desk.runs == 1 })
        #expect(MonotonicTime.now.milliseconds(since: asked) >= 40)
        try desk.run(until: { desk.port.said.count == 1 })
    }

    /// A program that is too slow is ended, with all its children, and nothing of it is heard.
    @Test func theNextCutsOffWhatIsInTheMaking() throws {
        let desk = try Desk("case $(cat) in slow) sleep 60 | sleep 61;; esac; " + Self.tone)
        desk.voice.say("slow")
        try desk.run(until: { desk.runs == 1 })
        desk.voice.say("quick")
        try desk.run(until: { desk.port.said.count == 1 })
        #expect(desk.runs == 2 && desk.warnings.isEmpty)
        desk.voice.say("slow")
        desk.voice.say("slow")
        desk.voice.hush()
        try desk.run(until: { true })
        #expect(desk.port.said.count == 1)
    }

    @Test func whoeverTakesTooLongIsEnded() throws {
        let desk = try Desk("exec sleep 60")
        desk.voice.say("x")
        try desk.run(until: { !desk.warnings.isEmpty })
        #expect(desk.warnings.count == 1 && desk.warnings[0].hasSuffix("expected its sound by then"))
        desk.voice.say("x")
        try desk.run(until: { desk.runs == 2 })
        #expect(desk.warnings.count == 1 && desk.port.said.isEmpty)
        desk.voice.hush()
    }

    /// One line in the journal, until it speaks again.
    @Test func whatCannotSpeakDoesNotSpeak() throws {
        for (program, problem) in [
            ("/nonexistent/espeak", "No such file"), ("/bin/true", "gave 0 bytes"), ("/bin/echo", "gave"),
        ] {
            let desk = try Desk("true")
            desk.begin(program, keeps: true)
            for _ in 0..<3 {
                desk.voice.say("x")
                try desk.run(until: { !desk.warnings.isEmpty || !desk.port.said.isEmpty })
                for _ in 0..<5 { try desk.run(until: { true }) }
            }
            if program != "/bin/echo" {
                #expect(desk.warnings.count == 1 && desk.warnings[0].contains(problem), "\(program)")
                #expect(desk.port.said.isEmpty && desk.kept.isEmpty)
            }
        }
    }

    @Test func aCardThatGoesAndComes() throws {
        let desk = try Desk(Self.tone)
        desk.port.card = nil
        desk.voice.say("one")
        try desk.run(until: { true })
        #expect(desk.runs == 0)
        desk.port.card = (48_000, 1)
        desk.port.didOpenCard()
        try desk.run(until: { desk.port.said.count == 1 })
        // Opened anew for another recording under it: once more, and only once.
        desk.port.card = (44_100, 2)
        desk.port.didSay(false)
        try desk.run(until: { desk.port.said.count == 2 })
        desk.port.didSay(false)
        try desk.run(until: { true })
        #expect(desk.port.said.count == 2 && desk.runs == 1)
        // A sentence that is too late is not spoken.
        desk.port.didOpenCard()
        #expect(desk.port.said.count == 2)
    }

    @Test func noMoreIsKeptThanMayBe() throws {
        let desk = try Desk("true")
        let cache = SpokenCache(folder: desk.folder + "/kept")
        let half = [UInt8](repeating: 7, count: 200_000)
        var names: [String] = []
        for number in 0..<30 {
            let name = SpokenCache.name(of: "sentence \(number)", by: ["a"])
            names.append(name)
            cache.keep(half, as: name)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: Double(number) - 100)],
                ofItemAtPath: desk.folder + "/kept/" + name)
        }
        #expect(desk.kept.count == Int(SpokenCache.mostBytes) / 200_000)
        #expect(cache.bytes(of: names[0]) == nil && cache.bytes(of: names[29]) == half)
        // Nothing that is not its own is let go of.
        try "mine".write(toFile: desk.folder + "/kept/file", atomically: true, encoding: .utf8)
        cache.keep(half, as: SpokenCache.name(of: "last", by: ["a"]))
        #expect(desk.kept.contains("file"))
        // Words are told apart, wherever they end.
        #expect(SpokenCache.name(of: "b", by: ["a"]) != SpokenCache.name(of: "", by: ["a", "b"]))
        #expect(SpokenCache.name(of: "bc", by: ["a"]) != SpokenCache.name(of: "c", by: ["a", "b"]))
        SpokenCache(folder: "/proc/nowhere").keep(half, as: names[0])
        #expect(SpokenCache(folder: "").bytes(of: names[0]) == nil)
    }

    /// For any output of the program, the voice is as loud as the recording, as far as nothing clips.
    @Test(arguments: [-1800, -3000]) func itIsAsLoudAsWhatPlays(loudness: Int) throws {
        // A square wave of 500 Hz, -20 dB of full scale.
        let script =
            "a=$(printf %096d 0); b=$(echo $a | tr 0 z); i=0; while [ $i -lt 480 ]; do printf %s%s $a $b; i=$((i+1)); done"
        var found: [Int] = []
        for factor in [65_536, 32_768] {
            let desk = try Desk(script, keeps: false)
            desk.voice.level = {
                var level = VoiceLevel()
                (level.loudness, level.factor) = (loudness, factor)
                return level
            }
            desk.voice.say("x")
            try desk.run(until: { desk.port.said.count == 1 })
            let frames = try #require(desk.port.said.first)
            found.append(frames.prefix(20_000).map { abs(Int($0)) }.max() ?? 0)
        }
        #expect(abs(found[0] - found[1] * 2) < 10 && found[0] > 500)
        #expect((loudness == -3000 ? 2000...3000 : 8000...12_000).contains(found[0]), "\(found[0])")
    }
}
