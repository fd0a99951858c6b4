// SPDX-License-Identifier: Apache-2.0
import Media
import Posix
import Text

/// Matches the transcripts of a folder with its audio files.
///
/// For `book.mp3`, best first:
/// 1. `book.vtt`, `book.srt`, `book.lrc`, `book.json`;
/// 2. `book.mp3.vtt`, …: the names of players and whisper;
/// 3. `book.en.vtt`, `book.pt-BR.srt`, …: a language tag, unless there is an audio file of that name;
/// 4. `book.en.forced.srt`, …: plus a remark, such as forced, sdh or cc.
///
/// Extensions and tags are compared in any case, stems exactly (composed and decomposed accents are the same).
public struct Sidecars: Sendable {
    private struct Candidate {
        let name: String
        let format: TranscriptFormat
        /// The rank in the list above: 1, 3 or 5 for nothing, a language or a remark after the name. One more if the audio's own extension
        /// precedes it.
        let place: Int
    }

    private var candidates: [String: [Candidate]] = [:]

    /// Returns the names that may belong to an audio file, from a folder of possibly thousands. They begin with the same bytes, up to the
    /// first non-ASCII character, which may be encoded differently.
    public static func namesAlike(_ audioFileName: String, in names: [String]) -> [String] {
        let (stem, _) = split(audioFileName)
        var start = Array(stem.utf8.prefix { $0 < 0x80 })
        if start.count < stem.utf8.count, !start.isEmpty { start.removeLast() }
        return names.filter { $0.utf8.starts(with: start) }
    }

    /// - Parameter names: all names in the folder.
    public init(folder names: [String]) {
        var audio: Set<String> = []
        for name in names {
            let (stem, ending) = Sidecars.split(name)
            if MediaFormats.isAudio(suffix: ending.lowerCase) {
                audio.insert(name)
                audio.insert(stem)
            }
        }
        for name in names {
            guard let format = TranscriptFormat(fileName: name) else { continue }
            var (stem, _) = Sidecars.split(name)
            candidates[stem, default: []].append(Candidate(name: name, format: format, place: 1))
            if audio.contains(stem) { continue }
            var place = 3
            for _ in 0..<2 {
                let (shorter, tag) = Sidecars.split(stem)
                if shorter == stem { break }
                if Sidecars.isRemark(tag) {
                    place = 5
                } else if !Sidecars.isLanguage(tag) {
                    break
                }
                stem = shorter
                candidates[stem, default: []].append(Candidate(name: name, format: format, place: place))
            }
        }
    }

    /// Returns the transcripts of an audio file, best first; equal ranks keep the folder's order.
    public func names(for audioFileName: String) -> [String] {
        let (stem, ending) = Sidecars.split(audioFileName)
        var found = candidates[stem] ?? []
        if !ending.isEmpty {
            for candidate in candidates[audioFileName] ?? [] {
                found.append(Candidate(name: candidate.name, format: candidate.format, place: candidate.place + 1))
            }
        }
        func rank(_ index: Int) -> (Int, Int, Int) { (found[index].place, found[index].format.rawValue, index) }
        return found.indices.sorted { rank($0) < rank($1) }.map { found[$0].name }
    }

    /// Splits at the last dot that is not the first character.
    private static func split(_ name: String) -> (stem: String, ending: String) {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return (name, "") }
        return (String(name[..<dot]), String(name[name.utf8.index(after: dot)...]))
    }

    /// Returns true for two or three letters, perhaps with script, region and the like (`zh-Hant-TW`).
    private static func isLanguage(_ tag: String) -> Bool {
        var length = 0
        var isFirst = true
        for byte in tag.utf8 {
            if byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") {
                if length < 2 { return false }
                length = 0
                isFirst = false
            } else if byte.isLetter || (!isFirst && byte.isDigit) {
                length += 1
                if length > (isFirst ? 3 : 8) { return false }
            } else {
                return false
            }
        }
        return length >= 2
    }

    private static func isRemark(_ tag: String) -> Bool {
        switch tag.lowerCase {
        case "forced", "sdh", "cc", "hi", "default": true
        default: false
        }
    }
}
