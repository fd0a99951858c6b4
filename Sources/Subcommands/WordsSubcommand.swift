// SPDX-License-Identifier: Apache-2.0
import CPosix
import Configuration
import Core
import Invocation
import Library
import Media
import Posix
import Transcript
import Wire

/// `nightstand words`: makes transcripts of the library's recordings with a text beside them, while nothing plays.
public enum WordsSubcommand {
    /// Returns the exit code: 0 if everything is made, or has to wait.
    public static func run(_ words: [String], configPath: String?) -> Int32 {
        guard let arguments = Arguments(words, options: [.config, .socket, .help]), arguments.operands.isEmpty else {
            return Usage.misused()
        }
        if arguments.has(.help) { return Usage.say(Usage.text) }
        do throws(ConfigurationError) {
            let configuration = try Configuration.load(path: arguments.value(.config) ?? configPath)
            if !configuration.transcripts.areMade { return 0 }
            var making = WordMaking(
                made: MadeWords(folder: configuration.transcripts.cachePath), library: configuration.libraryPath,
                socketPath: arguments.value(.socket) ?? configuration.console.socketPath)
            making.run()
            return 0
        } catch {
            Log.error(error.message)
            return ConfigurationError.exitCode
        }
    }
}

/// Goes through the library's folders, one recording and its text after the other.
private struct WordMaking {
    /// The hottest board that may work, in thousandths of a degree Celsius.
    private static let mostHeat = 75_000
    private static let thermometer = "/sys/class/thermal/thermal_zone0/temp"
    /// The time for which an unfinished alignment's record is kept.
    private static let recordSeconds: Int64 = 60 * 24 * 3600
    /// The limit of folder levels.
    private static let mostDepth = 16

    let made: MadeWords
    let library: String
    let socketPath: String
    private var hasStopped = false

    init(made: MadeWords, library: String, socketPath: String) {
        (self.made, self.library, self.socketPath) = (made, library, socketPath)
    }

    mutating func run() {
        forgetOldRecords()
        look(into: library, depth: 0)
    }

    /// Removes the records of recordings that are gone.
    private func forgetOldRecords() {
        guard let reader = try? FolderReader(made.folder) else { return }
        while let entries = try? reader.next(most: 256), !entries.isEmpty {
            for entry in entries where entry.name.pathExtension == "record" {
                let path = made.folder + "/" + entry.name
                guard let status = try? FileStatus(path: path) else { continue }
                let age = wallClockSeconds().subtractingSaturated(status.modifiedSeconds)
                if age > WordMaking.recordSeconds { AlignmentRecord.remove(path) }
            }
        }
    }

    /// Recordings, and the text that they read.
    private struct Reading {
        let audio: [String]
        let text: String
    }

    private mutating func look(into folder: String, depth: Int) {
        var names: [String] = []
        var folders: [String] = []
        do throws(PosixError) {
            let reader = try FolderReader(folder)
            while true {
                let entries = try reader.next(most: 256)
                if entries.isEmpty { break }
                for entry in entries where !entry.name.begins(with: ".") {
                    if entry.kind == .folder { folders.append(entry.name) } else { names.append(entry.name) }
                }
            }
        } catch { return }
        for reading in readings(names, in: folder) where !hasStopped { make(reading, in: folder) }
        if depth == WordMaking.mostDepth { return }
        for name in folders.sorted(by: { naturalKey($0).lexicographicallyPrecedes(naturalKey($1)) }) where !hasStopped {
            look(into: folder + "/" + name, depth: depth + 1)
        }
    }

    /// Returns the readings in a folder: each recording with the text of its name. If no name fits, all recordings read the only text.
    private func readings(_ names: [String], in folder: String) -> [Reading] {
        let texts = names.filter {
            ["txt", "html", "htm", "xhtml"].contains($0.pathExtension)
                || $0.pathExtension == "epub" && (try? TalkingBook.contents(ofArchive: folder + "/" + $0)) == nil
        }
        // A talking book has its words already.
        if texts.isEmpty || TalkingBook.index(in: names) != nil { return [] }
        let sidecars = Sidecars(folder: names)
        var audio = names.filter {
            MediaFormats.isAudio(suffix: $0.pathExtension) && sidecars.names(for: $0).isEmpty
        }
        audio.sort { naturalKey($0).lexicographicallyPrecedes(naturalKey($1)) }
        var readings: [Reading] = []
        var others: [String] = []
        for name in audio {
            let stem = name.pathStem.lowerCase
            if let text = texts.first(where: { $0.pathStem.lowerCase == stem }) {
                readings.append(Reading(audio: [name], text: text))
            } else {
                others.append(name)
            }
        }
        if readings.isEmpty, !others.isEmpty, texts.count == 1 {
            readings.append(Reading(audio: others, text: texts[0]))
        }
        return readings
    }

    private mutating func make(_ reading: Reading, in folder: String) {
        let text = folder + "/" + reading.text
        let audio = reading.audio.map { folder + "/" + $0 }
        let outputs = audio.compactMap { made.path(for: $0) }
        guard outputs.count == audio.count, let changed = try? FileStatus(path: text).modifiedSeconds else { return }
        // The last result holds until the text changes.
        let isDone = outputs.allSatisfy { output in
            [output, WordMaking.refusal(output)].contains {
                (try? FileStatus(path: $0)).map { $0.modifiedSeconds >= changed } ?? false
            }
        }
        if isDone { return }
        guard mayWork() else {
            hasStopped = true
            return
        }
        var alignment = BookAlignment(audio: audio, outputs: outputs, isKept: true)
        // One of several recordings may have nothing of the text.
        var reason = "nothing of the text is heard"
        do throws(BookAlignment.Failure) {
            try alignment.readText(text, language: nil)
            try alignment.run()
            Log.notice("words: made for \(audio.count == 1 ? audio[0] : folder)")
            // The speaker finds and shows the transcript from now on.
            _ = try? SpeakerConnection(socketPath: socketPath).ask("update")
        } catch {
            Log.warning("words: \(audio[0]): " + error.message)
            if !error.isFinal { return }
            reason = error.message
        }
        for output in outputs where !Files.exists(output) {
            try? Files.replace(WordMaking.refusal(output), with: Array((reason + "\n").utf8))
        }
    }

    /// Returns the file with the reason why there is no transcript.
    private static func refusal(_ output: String) -> String { output + ".none" }

    /// Returns whether nothing plays and the board is cool enough.
    private func mayWork() -> Bool {
        if let bytes = try? Files.readToEnd(WordMaking.thermometer, limit: 64),
            let heat = Int(String(decoding: bytes.prefix { (0x30...0x39).contains($0) }, as: UTF8.self)),
            heat > WordMaking.mostHeat
        {
            return false
        }
        guard let answer = try? SpeakerConnection(socketPath: socketPath).ask("status") else { return false }
        return answer.value("state") != "play"
    }
}
