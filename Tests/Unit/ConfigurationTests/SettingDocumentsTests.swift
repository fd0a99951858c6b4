// SPDX-License-Identifier: Apache-2.0
import Controls
import Foundation
import Testing

@testable import Configuration

/// The sample and the manual's settings, made from the table of settings.
enum SettingDocuments {
    static let sample = "board/nightstand.conf"
    static let manual = "board/package.d/nightstand.conf.5"

    static func url(_ path: String) -> URL {
        URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent(path)
    }

    static func contents(_ path: String) throws -> String { try String(contentsOf: url(path), encoding: .utf8) }

    // MARK: Rows

    /// A setting as both documents show it.
    struct Row {
        var key: String
        var value: String
        var rank = Setting.Rank.usual
        var form = ""
        var text = ""
    }

    static func rows(_ section: SettingSection) -> [Row] {
        let own = section.settings.filter { !$0.isFormer }.map {
            Row(key: $0.key, value: $0.standard, rank: $0.rank, form: form($0), text: $0.text + range($0))
        }
        return (section == .buttons ? buttons : section == .gestures ? gestures : []) + own
    }

    private static func form(_ setting: Setting) -> String {
        switch setting.kind {
        case .flag: "yes | no"
        case .number: "NUMBER"
        case .choice(let words, _): words.split(separator: " ").joined(separator: " | ")
        case .path: "PATH"
        case .secretPath: "FILE"
        case .text, .own, .former: setting.form
        }
    }

    /// The sentence that tells of the least and the largest number.
    private static func range(_ setting: Setting) -> String {
        if case .number(let least, let most, _) = setting.kind { return " From \(least) to \(most)." }
        return ""
    }

    /// As the README wires them.
    private static var buttons: [Row] {
        let lines = [17, 27, 22, 23, 24, 25, 5, 6, 26]
        return zip(ButtonName.allCases, lines).map { button, line in
            let isFirst = button.rawValue < 3
            let text = "The wiring of the README: three buttons, each from its pin to ground."
            return Row(
                key: button.name, value: "GPIO\(line),active-low,pull-up", rank: isFirst ? .first : .usual,
                text: button == .play ? text : "")
        } + KnobName.allCases.map { Row(key: $0.name, value: "") }
    }

    static var gestures: [Row] {
        let map = GestureMap()
        var rows: [Row] = []
        for button in ButtonName.allCases {
            for gesture in Gesture.allCases where map[button, gesture] != .none {
                rows.append(Row(key: "\(button.name).\(gesture.name)", value: map[button, gesture].text))
            }
        }
        for knob in KnobName.allCases {
            for turn in KnobName.Turn.allCases {
                rows.append(Row(key: "\(knob.name).\(turn.name)", value: map[knob, turn].text))
            }
        }
        return rows
    }

    // MARK: The sample

    static var sampleText: String {
        var lines = [
            "# Nightstand's configuration: /etc/nightstand.conf, or the file that --config names.",
            "#",
        ]
        lines += comment(
            "Every setting is here, switched off by a '#' and with its default. To change one, take the '#' away. A line is [section] or KEY = VALUE, in UTF-8. A section may come twice. A comment begins with '#' or ';' at the start of a line, and with a space and ';' behind a value. The speaker passes over a mistake and starts with the rest; \"nightstand check\" names them all. \"man nightstand.conf\" has the same words."
        )
        let parts: [(Setting.Rank, String)] = [
            (.first, "The twelve that people set"), (.usual, "What you may like to change"),
            (.last, "Leave these alone: they are right on nearly every board"),
        ]
        for (rank, title) in parts {
            lines += ["", "# ---- \(title) " + String(repeating: "-", count: 90 - title.count)]
            for section in SettingSection.allCases {
                let rows = rows(section)
                let wanted = rows.filter { $0.rank == rank }
                if wanted.isEmpty { continue }
                lines += ["", "[\(section.rawValue)]"]
                let isExplained = rank == .usual || !rows.contains { $0.rank == .usual }
                if isExplained && !section.text.isEmpty { lines += comment(section.text) + [""] }
                for row in wanted {
                    if !row.text.isEmpty {
                        if lines.last?.hasPrefix("[") == false, lines.last != "" { lines.append("") }
                        lines += comment(row.text + choices(row.form))
                    }
                    lines.append("#\(row.key) =" + (row.value.isEmpty ? "" : " " + row.value))
                }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The manual shows these beside the key.
    private static func choices(_ form: String) -> String {
        let isListed = form.contains(" | ") && form.lowercased() == form
        return isListed ? " (" + form.replacingOccurrences(of: " | ", with: ", ") + ")" : ""
    }

    private static func comment(_ text: String) -> [String] {
        text.split(separator: "\n").flatMap { paragraph -> [String] in
            if paragraph.hasPrefix("    ") { return ["# " + paragraph] }
            var lines: [String] = []
            var line = paragraph.hasPrefix("- ") ? "#  " : "#"
            for word in paragraph.split(separator: " ") {
                if line.count + 1 + word.count > 100 {
                    lines.append(line)
                    line = paragraph.hasPrefix("- ") ? "#    " : "#"
                }
                line += " " + word
            }
            return lines + [line]
        }
    }

    // MARK: The manual

    static var manualText: String {
        var lines: [String] = []
        for section in SettingSection.allCases {
            lines.append(".Ss [\(section.rawValue)]")
            let gestures = section == .gestures ? SettingDocuments.gestures : []
            lines += page(section.text)
            if !gestures.isEmpty {
                lines += [".Bl -tag -width Ds", ".It Ar BUTTON.GESTURE No = Ar COMMAND", ".Bd -literal"]
                lines += gestures.map { "\($0.key) = \($0.value)" } + [".Ed", ".El"]
            }
            lines.append(".Bl -tag -width Ds")
            if section == .buttons {
                lines.append(".It Ic " + ButtonName.allCases.map(\.name).joined(separator: " , ") + " No = Ar SOURCE")
                lines += [
                    "The buttons.",
                    ".It Ic " + KnobName.allCases.map(\.name).joined(separator: " , ") + " No = Ar SOURCE",
                ]
                lines.append("The knobs.")
            }
            for row in rows(section) where section != .buttons && !row.key.contains(".") {
                let form = row.form.split(separator: " ").map { word in
                    word == "|" ? "|" : (word.first!.isUppercase ? "Ar " : "Cm ") + word
                }
                lines.append(".It Ic \(row.key) No = " + form.joined(separator: " "))
                var text = row.text
                if row.value.isEmpty {
                    text = text.replacingOccurrences(of: "Empty: ", with: "Empty, the default: ")
                } else {
                    text += " Default: \(row.value)."
                }
                lines += page(text)
            }
            lines.append(".El")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A sentence a line; lists and examples as mdoc has them.
    private static func page(_ text: String) -> [String] {
        var lines: [String] = []
        var open = ""
        func enter(_ block: String, _ begin: String, _ end: String) -> [String] {
            defer { open = block }
            if block == open { return [] }
            let close = open == "list" ? [".El"] : open == "example" ? [".Ed"] : []
            return close + (begin.isEmpty ? [] : [begin])
        }
        for paragraph in text.split(separator: "\n") {
            if paragraph.hasPrefix("- "), let colon = paragraph.firstRange(of: ": ") {
                lines += enter("list", ".Bl -tag -width Ds", "")
                lines.append(".It Cm " + paragraph[..<colon.lowerBound].dropFirst(2))
                lines += sentences(String(paragraph[colon.upperBound...]))
            } else if paragraph.hasPrefix("    ") {
                lines += enter("example", ".Bd -literal -offset indent", "")
                lines.append(String(paragraph.dropFirst(4)))
            } else {
                let isFirst = lines.isEmpty
                lines += enter("", "", "")
                if !isFirst { lines.append(".Pp") }
                lines += sentences(String(paragraph))
            }
        }
        return lines + enter("", "", "")
    }

    private static func sentences(_ text: String) -> [String] {
        var lines = [""]
        var previous: Character = " "
        var characters = Array(text)[...]
        while let character = characters.popFirst() {
            let isEnd =
                character == " " && ".:;".contains(previous)
                && characters.first.map { $0.isUppercase || $0 == "\"" } == true
            if isEnd { lines.append("") } else { lines[lines.count - 1].append(character) }
            previous = character
        }
        return lines
    }
}

/// The documents say what the table says. NIGHTSTAND_DOCUMENTS=write writes them anew.
@Suite struct SettingDocumentsTests {
    private var isWriting: Bool { ProcessInfo.processInfo.environment["NIGHTSTAND_DOCUMENTS"] == "write" }

    @Test func theSampleSaysWhatTheTableSays() throws {
        let text = SettingDocuments.sampleText
        if isWriting {
            try text.write(to: SettingDocuments.url(SettingDocuments.sample), atomically: true, encoding: .utf8)
        }
        #expect(try SettingDocuments.contents(SettingDocuments.sample) == text)
    }

    @Test func theManualSaysWhatTheTableSays() throws {
        let page = try SettingDocuments.contents(SettingDocuments.manual)
        let start = try #require(page.range(of: "\n.Ss [audio]\n"))
        let end = try #require(page.range(of: "\n.Sh BY EAR\n"))
        let whole =
            page[..<start.lowerBound] + "\n" + SettingDocuments.manualText + page[page.index(after: end.lowerBound)...]
        if isWriting {
            try String(whole).write(
                to: SettingDocuments.url(SettingDocuments.manual), atomically: true, encoding: .utf8)
        }
        #expect(page == whole || isWriting)
    }

    @Test func twelveComeFirst() {
        let first = SettingSection.allCases.flatMap { SettingDocuments.rows($0) }.filter { $0.rank == .first }
        #expect(first.count == 12, "\(first.map(\.key))")
    }

    @Test func everySettingSaysWhatItIs() {
        for section in SettingSection.allCases {
            for setting in section.settings where !setting.isFormer {
                #expect(!setting.text.isEmpty, "\(setting.key)")
                #expect(!setting.standard.isEmpty || setting.text.contains("Empty: "), "\(section) \(setting.key)")
            }
        }
    }

    /// A message that sends a person to a setting names one that there is.
    @Test func messagesNameSettingsOfTheTable() throws {
        var found = 0
        let root = SettingDocuments.url("Sources")
        let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            var names = text.matches(of: /"[^"\n]*\[([a-z]+)\] ([a-z_]+)/).map { ($0.1, $0.2) }
            names += text.matches(of: /set ([a-z_]+) = [a-z]+ under \[([a-z]+)\]/).map { ($0.2, $0.1) }
            for (section, key) in names {
                // "[night] are" goes on with a sentence.
                guard let section = SettingSection(named: String(section)), !["in", "are"].contains(key) else {
                    continue
                }
                #expect(
                    ConfigurationReader.keys(of: section).contains(String(key)), "\(file.lastPathComponent): \(key)")
                found += 1
            }
        }
        #expect(found > 6)
    }
}
