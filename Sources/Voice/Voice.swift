// SPDX-License-Identifier: Apache-2.0
import Audio
import Core
import Ebur128
import Media
import Playback
import Posix
import Speaker
import Syn123
import Workers

/// The player's interface for the voice; a test has its own. Control thread.
protocol SpeakingPort: AnyObject {
    func cardToSpeakOn() -> (rate: Int, channels: Int)?
    func speak(_ spoken: SpokenFrames) -> Bool
    func hush()
    var isGettingReady: Bool { get }
    var didOpenCard: () -> Void { get set }
    var didSay: (_ isWhole: Bool) -> Void { get set }
}

/// Says sentences by a program that makes sound of them, one at a time: the next cuts off the present one, even an unheard one. A sentence
/// that fails stays unspoken, and the journal gets one message. Control thread; the worker does the slow parts.
public final class Voice: VoicePort {
    public struct Settings: Sendable {
        /// The program and its arguments.
        var words: [String]
        /// The rate in Hz, for a program that writes samples without a header.
        var bareRate: Int
        /// The folder of the cache of spoken sentences; "" for none.
        var cachePath: String

        /// The language of text without a language of its own, by two letters.
        private let language: String

        /// - Parameters:
        ///   - command: words separated by spaces.
        ///   - language: the voice's name in espeak-ng; "" for the program's own.
        public init(command: String, language: String, bareRate: Int, cachePath: String) {
            words = command.parts(between: " ") + (language.isEmpty ? [] : ["-v", language])
            self.language = language.isEmpty ? "en" : String(decoding: language.utf8.prefix(2), as: UTF8.self)
            self.bareRate = bareRate
            self.cachePath = cachePath
        }

        /// Returns the program's arguments and text; espeak-ng gets titles in other languages marked as such.
        /// - Parameter sentence: see `VoicePort.say`.
        func order(_ sentence: String) -> (words: [String], text: String) {
            let parts = SpokenPart.parts(sentence)
            let takesMarkup = (words.first?.pathName ?? "").begins(with: "espeak")
            if !takesMarkup || !parts.contains(where: { !$0.language.isEmpty && $0.language != language }) {
                return (words, parts.map { $0.text }.joined())
            }
            return (words + ["-m"], parts.map { $0.markup }.joined())
        }
    }

    /// A sentence to speak, or being spoken.
    private final class Sentence {
        let content: Announcement
        /// True for an announcement, which is worth hearing later.
        let isAnnounced: Bool
        let level: VoiceLevel
        let began: MonotonicTime
        var program: SpeakingProgram?
        var timer: EventLoop.TimerToken?
        var waitsForCard = true
        /// The player's number of the sentence; 0 before it has one.
        var number = 0
        var isRepeated = false

        init(_ content: Announcement, _ level: VoiceLevel, at now: MonotonicTime, isAnnounced: Bool) {
            self.content = content
            self.level = level
            self.isAnnounced = isAnnounced
            began = now
        }
    }

    /// The result of a step in preparing a sentence.
    private enum Step {
        case frames(SpokenFrames, made: [UInt8]?)
        case wait(SpeakingProgram)
        case decode(Excerpt)
        case failure(String)
    }

    /// The longest time that the program may take, before the voice ends it.
    private static let mostMilliseconds = 5000
    /// The latest answer: a later one would surprise the listener.
    private static let lateMilliseconds: Int64 = 3000
    /// The same for an announcement.
    private static let lateAnnouncementMilliseconds: Int64 = 60_000
    private static let mostAnnouncements = 8
    private static let mostSoundMilliseconds = 30_000
    /// The time in which the requested action has the processor to itself.
    private static let standBackMilliseconds = 40

    /// The settings of the next sentence.
    public var settings: Settings
    private let player: any SpeakingPort
    private let loop: EventLoop
    private let worker: any Performer
    private let warn: (String) -> Void
    /// Returns the loudness of a sentence that is about to be spoken.
    public var level: () -> VoiceLevel = { VoiceLevel() }
    /// Called when the voice is silent again: the memory for speaking may be freed.
    public var didEnd: () -> Void = {}
    private var sentence: Sentence?
    /// The announcements behind the present sentence.
    private var announcements: [Announcement] = []
    private var givenCount = 0
    private var saidCount = 0
    private var lastWarning = ""

    public convenience init(
        _ settings: Settings, player: Player, loop: EventLoop, worker: any Performer, warn: @escaping (String) -> Void
    ) {
        self.init(settings, port: player, loop: loop, worker: worker, warn: warn)
    }

    init(
        _ settings: Settings, port: any SpeakingPort, loop: EventLoop, worker: any Performer,
        warn: @escaping (String) -> Void
    ) {
        self.settings = settings
        player = port
        self.loop = loop
        self.worker = worker
        self.warn = warn
        port.didOpenCard = { [self] in begin() }
        port.didSay = { [self] in didSay(isWhole: $0) }
    }

    // MARK: What is asked

    public func say(_ text: String) {
        stop()
        start(.text(text), isAnnounced: false)
    }

    public func announce(_ announcement: Announcement) -> Bool {
        if announcements.count >= Voice.mostAnnouncements { return false }
        announcements.append(announcement)
        if sentence == nil { goOn() }
        return true
    }

    /// Starts the next announcement, if no sentence is under way.
    private func goOn() {
        if sentence == nil, !announcements.isEmpty { start(announcements.removeFirst(), isAnnounced: true) }
    }

    private func start(_ content: Announcement, isAnnounced: Bool) {
        let sentence = Sentence(content, level(), at: loop.now, isAnnounced: isAnnounced)
        self.sentence = sentence
        if !player.isGettingReady { return begin() }
        sentence.timer = loop.schedule(inMilliseconds: Voice.standBackMilliseconds) { [self] in
            sentence.timer = nil
            begin()
        }
    }

    public var isSpeaking: Bool { sentence != nil }

    public func hush() {
        stop()
        goOn()
    }

    private func stop() {
        guard let sentence else { return }
        leave(sentence)
        if sentence.number > saidCount { player.hush() }
        self.sentence = nil
    }

    /// Ends the sentence, said or not.
    private func end() {
        sentence = nil
        goOn()
    }

    /// Stops waiting for the sentence's program.
    private func leave(_ sentence: Sentence) {
        if let timer = sentence.timer { loop.cancel(timer) }
        sentence.timer = nil
        if let program = sentence.program { loop.remove(program.output.number) }
        sentence.program = nil
    }

    // MARK: Results

    /// Starts a sentence that waits for a card, once there is one.
    private func begin() {
        guard let sentence, sentence.waitsForCard, sentence.timer == nil else { return }
        let patience = sentence.isAnnounced ? Voice.lateAnnouncementMilliseconds : Voice.lateMilliseconds
        if loop.now.milliseconds(since: sentence.began) > patience { return end() }
        guard let card = player.cardToSpeakOn() else { return }
        sentence.waitsForCard = false
        let (settings, level) = (settings, sentence.level)
        guard case .text(let whole) = sentence.content else {
            if case .sound(let source) = sentence.content {
                decode(Excerpt(source, milliseconds: Voice.mostSoundMilliseconds), sentence)
            }
            return
        }
        let (words, text) = settings.order(whole)
        perform(sentence) {
            let name = SpokenCache.name(of: text, by: words)
            if let bytes = SpokenCache(folder: settings.cachePath).bytes(of: name),
                case .frames(let frames, _) = Voice.frames(bytes, settings, card, level)
            {
                return .frames(frames, made: nil)
            }
            do throws(PosixError) { return .wait(try SpeakingProgram(words, text: text)) } catch {
                return .failure("cannot be started: " + error.reason)
            }
        }
    }

    /// Runs a step on the worker; drops its result if another sentence has come meanwhile.
    private func perform(_ sentence: Sentence, _ step: @escaping () -> Step) {
        var result: Step?
        do throws(Job.Refusal) {
            try worker.perform(.pressed, key: "voice") {
                result = step()
                return .done
            } finish: { [self] _ in
                guard let result else { return }
                if sentence === self.sentence { return take(result, sentence) }
                if case .frames(let frames, _) = result { frames.free() }
            }
        } catch {}
    }

    private func take(_ result: Step, _ sentence: Sentence) {
        switch result {
        case .failure(let problem): fail(problem)
        case .wait(let program): wait(for: program, sentence)
        case .decode(let excerpt): decode(excerpt, sentence)
        case .frames(let frames, let made):
            leave(sentence)
            lastWarning = ""
            if player.speak(frames) {
                givenCount += 1
                sentence.number = givenCount
            } else {
                sayAgain(sentence)
            }
            if let made, case .text(let text) = sentence.content { keep(made, text) }
        }
    }

    /// Decodes a sound, a piece in each job.
    private func decode(_ excerpt: Excerpt, _ sentence: Sentence) {
        let (card, level) = (player.cardToSpeakOn(), sentence.level)
        perform(sentence) {
            if case .again = excerpt.step() { return .decode(excerpt) }
            guard let wave = excerpt.wave else { return .failure(excerpt.problem) }
            return Voice.frames(wave, card, level, made: nil)
        }
    }

    /// Reads on once there is more; the first time, starts the timeout.
    private func wait(for program: SpeakingProgram, _ sentence: Sentence) {
        if sentence.timer == nil {
            sentence.timer = loop.schedule(inMilliseconds: Voice.mostMilliseconds) { [self] in
                sentence.timer = nil
                fail("took longer than \(Voice.mostMilliseconds / 1000) s, expected its sound by then")
            }
        }
        sentence.program = program
        let (settings, card, level) = (settings, player.cardToSpeakOn(), sentence.level)
        do throws(PosixError) {
            try loop.add(program.output.number, .readable) { [self] _ in
                loop.remove(program.output.number)
                sentence.program = nil
                perform(sentence) {
                    do throws(PosixError) {
                        if !(try program.read()) { return .wait(program) }
                    } catch { return .failure(error.message) }
                    return Voice.frames(program.bytes, settings, card, level)
                }
            }
        } catch {
            sentence.program = nil
            fail(error.message)
        }
    }

    /// Returns the frames of a program's sound. On the worker.
    private static func frames(
        _ bytes: [UInt8], _ settings: Settings, _ card: (rate: Int, channels: Int)?, _ level: VoiceLevel
    ) -> Step {
        let wave: SpokenWave
        do throws(MediaError) { wave = try SpokenWave(bytes, bareRate: settings.bareRate) } catch {
            return .failure("gave \(bytes.count) bytes, expected a WAV or samples of 16 bits with something to hear")
        }
        return frames(wave, card, level, made: bytes)
    }

    /// Returns the frames of a sound. On the worker.
    private static func frames(
        _ wave: SpokenWave, _ card: (rate: Int, channels: Int)?, _ level: VoiceLevel, made: [UInt8]?
    ) -> Step {
        guard let card else { return .failure("the card went away") }
        do throws(Syn123Error) {
            return .frames(
                try SpokenFrames(
                    levelled(wave, level), rate: wave.rate, channels: wave.channels, cardRate: card.rate,
                    cardChannels: card.channels), made: made)
        } catch { return .failure(error.message) }
    }

    /// Makes any program's voice as loud as the recording beside it. Without a meter it keeps the program's loudness.
    private static func levelled(_ wave: SpokenWave, _ level: VoiceLevel) -> [Int16] {
        var factor = 65_536
        let frames = wave.samples.count / max(1, wave.channels)
        if frames > 0, let wanted = level.loudness,
            let meter = try? LoudnessMeter.open(rate: wave.rate, channels: wave.channels)
        {
            // A word is shorter than the meter's window: then it counts more than once.
            var measured = 0
            while measured < wave.rate {
                wave.samples.withUnsafeBufferPointer { meter.add($0.baseAddress!, frames: frames) }
                measured += frames
            }
            let gain = meter.loudness.map { wanted - $0 } ?? 0
            factor = Loudness.factor(ofGain: min(Loudness.mostGain, max(-Loudness.mostGain, gain)))
        }
        let peak = wave.samples.reduce(Int64(1)) { max($0, abs(Int64($1))) }
        let most = min(Int64(factor), 32_000 * 65_536 / peak)
        let whole = (most * Int64(level.factor)) >> 16
        if whole == 65_536 { return wave.samples }
        return wave.samples.map { Int16(clamping: (Int64($0) * whole) >> 16) }
    }

    private func keep(_ bytes: [UInt8], _ text: String) {
        let settings = settings
        let (words, text) = settings.order(text)
        // If too much waits already, the next request makes it again.
        do throws(Job.Refusal) {
            try worker.perform(.background) {
                SpokenCache(folder: settings.cachePath).keep(bytes, as: SpokenCache.name(of: text, by: words))
                return .done
            } finish: { _ in
            }
        } catch {}
    }

    private func didSay(isWhole: Bool) {
        saidCount += 1
        guard let sentence, sentence.number == saidCount else { return }
        if !isWhole { return sayAgain(sentence) }
        end()
        if self.sentence == nil { didEnd() }
    }

    /// Says a sentence again on the next card, since the card went away under it.
    private func sayAgain(_ sentence: Sentence) {
        if sentence.isRepeated { return end() }
        sentence.isRepeated = true
        sentence.number = 0
        sentence.waitsForCard = true
        begin()
    }

    private func fail(_ problem: String) {
        var subject = settings.words.first ?? ""
        if let sentence {
            leave(sentence)
            if case .sound(let source) = sentence.content { subject = source.name }
        }
        let warning = "voice: \(subject) " + problem
        if warning != lastWarning { warn(warning) }
        lastWarning = warning
        end()
    }
}

extension Player: SpeakingPort {}
