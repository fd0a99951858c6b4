// SPDX-License-Identifier: Apache-2.0
import Alignment
import CPosix
import Core
import Invocation
import Media
import Playback
import Posix
import Text
import Transcript

/// `nightstand align AUDIO… TEXT [-o OUT.vtt] [--language de]`: makes a transcript from a recording and its text.
public enum AlignSubcommand {
    /// Returns the exit code.
    /// - Parameter words: the command line after the subcommand's name.
    public static func run(_ words: [String]) -> Int32 {
        guard let arguments = Arguments(words, options: [.output, .language, .help]) else { return Usage.misused() }
        if arguments.has(.help) { return Usage.say(Usage.text) }
        var audio = arguments.operands
        guard audio.count >= 2, let text = audio.popLast() else {
            Log.error("align: expected AUDIO… TEXT")
            return Usage.misused()
        }
        if arguments.has(.output), audio.count > 1 {
            Log.error("align: -o is for one audio file; of several each gets its .vtt beside it")
            return Usage.misused()
        }
        let outputs = audio.map { arguments.value(.output) ?? AlignSubcommand.transcriptPath($0) }
        if outputs.contains(text) || outputs.contains(where: { audio.contains($0) }) {
            Log.error("align: \(outputs[0]) would be written over")
            return Usage.misused()
        }
        var alignment = BookAlignment(audio: audio, outputs: outputs)
        do throws(BookAlignment.Failure) {
            try alignment.readText(text, language: arguments.value(.language))
            try alignment.run()
            return 0
        } catch {
            Progress.clear()
            Log.error("align: " + error.message)
            return 1
        }
    }

    /// Returns the transcript's path: `river.vtt` for `river.m4b`.
    private static func transcriptPath(_ audio: String) -> String {
        guard let dot = audio.utf8.lastIndex(of: UInt8(ascii: ".")), audio.utf8[dot...].allSatisfy({ $0 != 0x2F })
        else {
            return audio + ".vtt"
        }
        return String(audio[..<dot]) + ".vtt"
    }
}

/// The line of progress, on a terminal only.
private struct Progress {
    private let what: String
    private let began = MonotonicTime.now
    private var shown = -1

    init(_ what: String) { self.what = what }

    static func clear() { if isatty(2) == 1 { write("\r\u{1B}[K") } }

    private static func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in _ = CPosix.write(2, bytes.baseAddress, bytes.count) }
    }

    /// - Parameter part: in thousandths; nil if the whole is unknown.
    mutating func show(_ part: Int?, detail: String = "") {
        let elapsed = MonotonicTime.now.milliseconds(since: began)
        let second = Int(clamping: elapsed / 1000)
        if second == shown || isatty(2) != 1 { return }
        shown = second
        var line = "\r\u{1B}[K" + what
        if let part {
            line += " \(part / 10) %"
            if part > 10, second >= 2 {
                let left = Int(clamping: elapsed * Int64(1000 - part) / Int64(part) / 1000)
                line += left >= 60 ? ", \(left / 60) min left" : ", \(left) s left"
            }
        }
        Progress.write(line + detail)
    }
}

/// The work on one book: its files and its text become transcripts.
struct BookAlignment {
    struct Failure: Error {
        var message: String
        /// True if the same recording and text would fail again.
        var isFinal = false
    }

    /// The largest text in bytes: three Bibles.
    private static let mostTextBytes = 16 << 20
    /// The silence after each sentence of the spoken text (frames, 0.3 s).
    private static let gapFrames = 15
    /// The sentences that go to the disk together.
    private static let keptAtOnce = 64
    /// The stretches of 20 s that choose the voice.
    private static let trials = 4
    /// The shortest stretch without words that the report names, in milliseconds.
    private static let leastTold = 5000

    let audio: [String]
    let outputs: [String]
    /// True if an interrupted alignment continues the next time.
    private let isKept: Bool
    private var text: [UInt8] = []
    private var sentences: [Range<Int>] = []
    /// The headings of the text: the first sentence below each, or its own.
    private var headings: [(sentence: Int, title: [UInt8])] = []
    private var language = "en"
    private let silence = BookAlignment.makeSilence()

    init(audio: [String], outputs: [String], isKept: Bool = false) {
        self.audio = audio
        self.outputs = outputs
        self.isKept = isKept
    }

    // MARK: The text

    mutating func readText(_ path: String, language: String?) throws(Failure) {
        if path.pathExtension == "epub" { return try readEPUB(path, language: language) }
        let bytes: [UInt8]
        do throws(PosixError) {
            bytes = TextDecoding.utf8(from: try Files.read(path, limit: BookAlignment.mostTextBytes))
        } catch { throw Failure(message: error.message) }
        let start = bytes.prefix(512).map { $0 | 0x20 }
        let isMarkup =
            path.lowerCase.utf8.suffix(5).elementsEqual(".html".utf8)
            || path.lowerCase.utf8.suffix(4).elementsEqual(".htm".utf8)
            || path.lowerCase.utf8.suffix(6).elementsEqual(".xhtml".utf8)
            || String(decoding: start, as: UTF8.self).utf8.starts(with: "<!doctype html".utf8)
        if isMarkup { add(html: bytes) } else { add(BookText.paragraphs(plain: bytes)) }
        if sentences.isEmpty { throw Failure(message: "\(path) has no text to align", isFinal: true) }
        self.language =
            language ?? (isMarkup ? BookText.language(html: bytes) : nil) ?? LanguageGuess.language(of: text) ?? "en"
    }

    /// Reads the chapters of an EPUB, in reading order.
    private mutating func readEPUB(_ path: String, language: String?) throws(Failure) {
        var own: String?
        do throws(PosixError) {
            for chapter in try EPUB.texts(of: path, most: BookAlignment.mostTextBytes) {
                let bytes = TextDecoding.utf8(from: chapter)
                own = own ?? BookText.language(html: bytes)
                add(html: bytes)
            }
        } catch { throw Failure(message: error.message, isFinal: true) }
        if sentences.isEmpty { throw Failure(message: "\(path) has no text to align", isFinal: true) }
        self.language = language ?? own ?? LanguageGuess.language(of: text) ?? "en"
    }

    private mutating func add(html bytes: [UInt8]) {
        let found = BookText.paragraphs(html: bytes)
        add(found.paragraphs, headings: found.headings)
    }

    private mutating func add(_ paragraphs: [[UInt8]], headings found: [Range<Int>] = []) {
        var next = found[...]
        for (place, paragraph) in paragraphs.enumerated() {
            if let heading = next.first, heading.lowerBound == place {
                headings.append((sentences.count, Array(paragraphs[heading].joined(separator: [0x20]))))
                next.removeFirst()
            }
            for sentence in SentenceSplitter.sentences(paragraph) {
                let first = text.count
                text += paragraph[sentence]
                sentences.append(first..<text.count)
            }
        }
    }

    // MARK: The way

    mutating func run() throws(Failure) {
        do throws(PosixError) {
            let record = isKept ? try AlignmentRecord(path: recordPath, of: subject) : nil
            let (heard, spoken) = try openFeatures(record)
            if heard.frameCount > 0 {
                Log.notice("words: going on with \(audio[0]) from minute \(heard.frameCount / 3000)")
            }
            let (ends, highest) = try listen(into: heard, record)
            let program = try chooseVoice(heard.stream, highest, near: outputs[0])
            let places = try speakAll(program, into: spoken, record)
            var progress = Progress("aligning")
            var aligner = Aligner(audio: heard.stream, text: spoken.stream, sentences: places)
            let placed: [Aligner.Placed]
            do throws(Aligner.WrongText) {
                placed =
                    try aligner.align { part in
                        progress.show(part)
                        return true
                    } ?? []
            } catch {
                throw PosixError(
                    code: EINVAL, operation: "compare \(audio[0])",
                    explanation:
                        "this is not the text of the recording: of \(error.searched) stretches \(error.found) were found in it (read in the language '\(language)')"
                )
            }
            try heard.check()
            try spoken.check()
            Progress.clear()
            try writeAll(placed, ends: ends)
            if isKept { AlignmentRecord.remove(recordPath) }
        } catch {
            if isKept, error.code == EINVAL { AlignmentRecord.remove(recordPath) }
            throw Failure(message: error.message, isFinal: error.code == EINVAL)
        }
    }

    private func openFeatures(
        _ record: AlignmentRecord?
    ) throws(PosixError) -> (heard: FeatureFile, spoken: FeatureFile) {
        if let record { return (try record.openAudio(), try record.openText()) }
        let path = outputs[0] + ".\(getpid())"
        return (try FeatureFile(path: path + ".audio"), try FeatureFile(path: path + ".text"))
    }

    private var recordPath: String { outputs[0] + ".record" }

    /// The hash of the recordings, the text and its language. The outputs' names represent the recordings.
    private var subject: StableHash {
        var hash = StableHash()
        for output in outputs { hash.add(output) }
        for byte in text { hash.add(UInt64(byte)) }
        hash.add(language)
        return hash
    }

    /// Returns the end of each file (milliseconds from the first one's start), and the highest tone that all of them have.
    private func listen(
        into file: FeatureFile, _ record: AlignmentRecord?
    ) throws(PosixError) -> (ends: [Int], highest: Int) {
        var ends = record?.heard.map { $0.frames * SpeechFeatures.milliseconds } ?? []
        var highest = record?.heard.last?.highest ?? 5400
        for path in audio.dropFirst(ends.count) {
            let from = file.frameCount * SpeechFeatures.milliseconds - (ends.last ?? 0)
            var progress = Progress("listening to " + path.pathName + ":")
            do throws(PlaybackError) {
                var features: SpeechFeatures?
                var frames: [UInt8] = []
                try UnpacedDecode().run(path: path, from: from) { rate, channels throws(PosixError) in
                    if rate < 12_000 { highest = min(highest, rate * 9 / 20) }
                    features = SpeechFeatures(rate: rate, channels: channels, highest: highest)
                } take: { samples throws(PosixError) in
                    features?.put(samples, into: &frames)
                    if frames.count >= 16_384 {
                        try file.append(frames[...])
                        frames.removeAll(keepingCapacity: true)
                        progress.show(nil, detail: " minute \(file.frameCount / 3000)")
                    }
                }
                features?.finish(into: &frames)
                do throws(PosixError) { try file.append(frames[...]) } catch { throw .file(error) }
            } catch {
                throw PosixError(code: EIO, operation: "decode \(path)", explanation: error.message)
            }
            ends.append(file.frameCount * SpeechFeatures.milliseconds)
            if let record {
                try file.flush()
                try record.addHeard(frames: file.frameCount, highest: highest)
            }
        }
        try file.flush()
        return (ends, highest)
    }

    /// Chooses a man's or a woman's voice: some stretches stand out most with the voice that is nearer to the reader's.
    private func chooseVoice(
        _ heard: FeatureStream, _ highest: Int, near path: String
    ) throws(PosixError) -> SpeechProgram {
        let (trials, name) = (BookAlignment.trials, language == "en" ? "en-us" : language)
        var best: (program: SpeechProgram, score: Float)?
        for (index, voice) in [name, name + "+f3"].enumerated() {
            let program = SpeechProgram(voice: voice, highest: highest)
            let file = try FeatureFile(path: path + ".\(getpid()).trial\(index)")
            var stretches: [Range<Int>] = []
            for trial in 0..<trials {
                let start = file.frameCount
                var sentence = sentences.count * trial / trials
                while sentence < sentences.count, file.frameCount - start < 1000 {
                    _ = try speak(sentences[sentence], program, into: file)
                    sentence += 1
                }
                stretches.append(start..<min(file.frameCount, start + 1000))
            }
            try file.flush()
            if file.frameCount == trials { break }
            let score = Aligner.score(audio: heard, text: file.stream, stretches: stretches)
            if best == nil || score > best!.score { best = (program, score) }
        }
        guard let best else {
            throw PosixError(code: EINVAL, operation: "speak the text", explanation: "espeak-ng has no voice '\(name)'")
        }
        return best.program
    }

    private func speak(
        _ sentence: Range<Int>, _ program: SpeechProgram, into file: FeatureFile
    ) throws(PosixError) -> Range<Int> {
        let start = file.frameCount
        try file.append(try program.speak(text[sentence])[...])
        let end = file.frameCount
        try file.append(silence[...])
        return start..<end
    }

    private static func makeSilence() -> [UInt8] {
        var features = SpeechFeatures(rate: 12_000, channels: 1)
        var frames: [UInt8] = []
        let samples = [Int16](repeating: 0, count: gapFrames * 240)
        samples.withUnsafeBufferPointer { features.put($0, into: &frames) }
        features.finish(into: &frames)
        return frames
    }

    private func speakAll(
        _ program: SpeechProgram, into file: FeatureFile, _ record: AlignmentRecord?
    ) throws(PosixError) -> [Range<Int>] {
        var places: [Range<Int>] = []
        places.reserveCapacity(sentences.count)
        var end = 0
        for frames in record?.spoken.prefix(sentences.count) ?? [] {
            places.append(end..<max(end, end + frames - BookAlignment.gapFrames))
            end += frames
        }
        var progress = Progress("speaking the text:")
        for (index, sentence) in sentences.enumerated().dropFirst(places.count) {
            progress.show(index * 1000 / sentences.count)
            let begin = file.frameCount
            places.append(try speak(sentence, program, into: file))
            guard let record else { continue }
            record.addSpoken(frames: file.frameCount - begin)
            if index % BookAlignment.keptAtOnce == 0 {
                try file.flush()
                try record.flush()
            }
        }
        try file.flush()
        try record?.flush()
        return places
    }

    // MARK: The result

    private func writeAll(_ placed: [Aligner.Placed], ends: [Int]) throws(PosixError) {
        var begin = 0
        var next = 0
        for (index, end) in ends.enumerated() {
            var bytes = Array("WEBVTT\nLanguage: \(language)\n".utf8)
            var (gapStart, count) = (begin, 0)
            var gaps: [Range<Int>] = []
            while next < placed.count, placed[next].start < end {
                let cue = placed[next]
                if cue.start - gapStart >= BookAlignment.leastTold { gaps.append(gapStart..<cue.start) }
                gapStart = cue.end
                bytes += Array("\n\(stamp(cue.start - begin)) --> \(stamp(min(cue.end, end) - begin))\n".utf8)
                bytes += escaped(text[sentences[cue.sentence]])
                bytes.append(0x0A)
                (next, count) = (next + 1, count + 1)
            }
            if end - gapStart >= BookAlignment.leastTold { gaps.append(gapStart..<end) }
            if count == 0 {
                Log.warning("align: nothing of the text is heard in \(audio[index])")
            } else {
                try Files.replace(outputs[index], with: bytes)
                _ = Usage.say("\(outputs[index]): \(count) sentences\n")
                for gap in gaps {
                    _ = Usage.say(
                        "  no words from \(stamp(gap.lowerBound - begin)) to \(stamp(gap.upperBound - begin))\n")
                }
            }
            begin = end
        }
        if ends.count == 1 { try writeChapters(placed) }
        tellMissing(placed)
    }

    /// Writes the headings as chapters of the recording, unless it has chapters of its own. Each begins with its first sentence that is
    /// heard; a heading without any is left out.
    private func writeChapters(_ placed: [Aligner.Placed]) throws(PosixError) {
        if let source = try? FileSource(path: audio[0]), let probe = try? MediaProbe(source),
            !probe.tags.chapters.isEmpty
        {
            return
        }
        let path = MadeWords.chaptersPath(ofWords: outputs[0])
        // A list beside the recording may be a listener's own.
        if !isKept && Files.exists(path) { return }
        var starts = [Int](repeating: .max, count: headings.count)
        var chapters = [Int](repeating: -1, count: sentences.count)
        for (place, heading) in headings.enumerated() where heading.sentence < chapters.count {
            chapters[heading.sentence] = place
        }
        for sentence in chapters.indices.dropFirst() where chapters[sentence] < 0 {
            chapters[sentence] = chapters[sentence - 1]
        }
        for cue in placed where chapters[cue.sentence] >= 0 {
            starts[chapters[cue.sentence]] = min(starts[chapters[cue.sentence]], cue.start)
        }
        let heard = headings.indices.filter { starts[$0] < .max }.sorted { starts[$0] < starts[$1] }
        // A single chapter says no more than the title.
        if heard.count < 2 && !(isKept && Files.exists(path)) { return }
        var json = "{\"version\":\"1.2.0\",\"chapters\":["
        for (place, heading) in heard.enumerated() {
            let milliseconds = String(1000 + starts[heading] % 1000).dropFirst()
            json += (place > 0 ? "," : "") + "\n{\"startTime\":\(starts[heading] / 1000).\(milliseconds),\"title\":"
            json += String(decoding: headings[heading].title, as: UTF8.self).json + "}"
        }
        try Files.replace(path, with: Array((json + "\n]}\n").utf8))
        _ = Usage.say("\(path): \(heard.count) chapters\n")
    }

    /// Names the sentences that the recording lacks, by the first of each run.
    private func tellMissing(_ placed: [Aligner.Placed]) {
        var isHeard = [Bool](repeating: false, count: sentences.count)
        for cue in placed { isHeard[cue.sentence] = true }
        var index = 0
        while index < sentences.count {
            let first = index
            while index < sentences.count, !isHeard[index] { index += 1 }
            if index > first {
                let beginning = String(decoding: text[sentences[first]].prefix(60), as: UTF8.self)
                _ = Usage.say("  not heard: \(index - first) of \(sentences.count) sentences from \"\(beginning)\"\n")
            }
            index += 1
        }
    }

    private func stamp(_ milliseconds: Int) -> String {
        func digits(_ value: Int, _ count: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
        }
        let time = max(0, milliseconds)
        return digits(time / 3_600_000, 2) + ":" + digits(time / 60_000 % 60, 2) + ":" + digits(time / 1000 % 60, 2)
            + "."
            + digits(time % 1000, 3)
    }

    private func escaped(_ line: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        for byte in line {
            switch byte {
            case UInt8(ascii: "&"): bytes += Array("&amp;".utf8)
            case UInt8(ascii: "<"): bytes += Array("&lt;".utf8)
            case UInt8(ascii: ">"): bytes += Array("&gt;".utf8)
            default: bytes.append(byte)
            }
        }
        return bytes
    }
}
