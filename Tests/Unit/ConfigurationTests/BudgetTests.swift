// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Configuration

@Suite struct BudgetTests {
    private func parse(_ text: String) throws(ConfigurationError) -> Budget {
        try Budget(parsing: Array(text.utf8), file: "pi.ini")
    }

    private func refusal(_ text: String) -> String {
        do throws(ConfigurationError) {
            _ = try parse(text)
            return "accepted"
        } catch { return error.message }
    }

    @Test func everyFigureCanBeBounded() throws {
        var text = "[budget]\n"
        for (number, figure) in ProfileFigure.allCases.enumerated() { text += "\(figure.row.key) = \(number).25\n" }
        let budget = try parse(text)
        for (number, figure) in ProfileFigure.allCases.enumerated() {
            let bound = try #require(budget.bound(of: figure))
            #expect(bound.thousandths == number * 1000 + 250 && bound.line == number + 2)
        }
        #expect(Set(ProfileFigure.allCases.map(\.row.key)).count == ProfileFigure.allCases.count)
    }

    @Test func figuresLeftOutMayBeAnything() throws {
        let budget = try parse("; a comment\n[budget]\nunderruns = 0 ; none\n")
        #expect(budget.bound(of: .underruns)?.thousandths == 0)
        for figure in ProfileFigure.allCases where figure != .underruns { #expect(budget.bound(of: figure) == nil) }
    }

    @Test(arguments: [
        (
            "[budget]\nunderuns = 0\n",
            "pi.ini:2: unknown figure 'underuns', expected 'underruns' perhaps: one of cpu_percent"
        ),
        ("\n[budgets]\n", "pi.ini:2: section 'budgets', expected everything in [budget]"),
        ("pss_kib = 3\n", "pi.ini:1: section '', expected everything in [budget]"),
        ("[budget]\npss_kib = 3\npss_kib = 3\n", "pi.ini:3: 'pss_kib' again, expected it once: line 2 sets it already"),
        ("[budget]\npss_kib = -3\n", "pi.ini:2: pss_kib is '-3', expected a number from 0, with up to three decimals"),
        ("[budget]\nnonsense\n", "pi.ini:2: neither [section] nor key, expected KEY = VALUE"),
        ("[budget]\n", "pi.ini: no budget in it, expected figures under [budget]"),
        ("", "pi.ini: no budget in it, expected figures under [budget]"),
    ])
    func mistakesAreRefusedByFileAndLine(text: String, message: String) {
        #expect(refusal(text).hasPrefix(message))
    }

    @Test func numbers() {
        for (text, thousandths) in [
            ("0", 0), ("6", 6000), ("0.5", 500), ("12.25", 12250), ("3.141", 3141), ("007", 7000),
            ("1000000000000", 1_000_000_000_000_000),
        ] as [(String, Int64)] { #expect(Budget.thousandths(of: text) == thousandths) }
        for text in [
            "", ".", ".5", "5.", "1.2345", "1,5", "-1", "+1", " 1", "1e3", "0x1", "1.2.3", "٣", "99999999999999999999",
        ] {
            #expect(Budget.thousandths(of: text) == nil, "\(text)")
        }
    }

    @Test func aFileThatIsNotThere() {
        #expect(throws: ConfigurationError.self) { try Budget.load(path: "/nowhere/pi.ini") }
    }

    /// The budgets that ship: each can be read, and bounds at least what a board may never do.
    @Test func budgetsOfTheBoards() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../board/budgets")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".ini") }
        #expect(files.count >= 6)
        for file in files {
            let budget = try Budget.load(path: folder.appending(path: file).path)
            #expect(budget.bound(of: .memory)?.thousandths ?? .max <= 3072 * 1000, "\(file)")
            #expect(budget.bound(of: .wakeUps)?.thousandths ?? .max <= 6000, "\(file)")
            #expect(budget.bound(of: .underruns)?.thousandths == 0, "\(file)")
            #expect(budget.bound(of: .majorFaults)?.thousandths == 0, "\(file)")
            #expect(budget.bound(of: .readAheadMinimum)?.thousandths ?? 0 >= 1000, "\(file)")
        }
    }

    /// Damaged files are refused with a line number, or read; and the values read are those in the file.
    @Test func damagedFiles() {
        var random = SeededGenerator(seed: 20)
        let samples = [
            "[budget]\npss_kib = 3072\nmajor_faults = 0\n; why\nwakeups_per_second = 6.5\n",
            "\u{FEFF}[ budget ]\r\ncpu_percent: 3 ; share\r\n\r\nsound_p99_ms=60\r\n",
        ].map { Array($0.utf8) }
        var read = 0
        for _ in 0..<20_000 {
            var bytes = samples[Int(random.next() % 2)]
            for _ in 0...random.next() % 3 {
                let place = Int(random.next() % UInt64(bytes.count))
                switch random.next() % 4 {
                case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(UInt8(truncatingIfNeeded: random.next() % 128), at: place)
                default: bytes.replaceSubrange(place..., with: bytes[(place / 2)...])
                }
            }
            do throws(ConfigurationError) {
                let result = expectCost(inputBytes: bytes.count) {
                    Result { () throws(ConfigurationError) in try Budget(parsing: bytes, file: "x") }
                }
                let budget = try result.get()
                read += 1
                let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
                for figure in ProfileFigure.allCases {
                    guard let bound = budget.bound(of: figure) else { continue }
                    #expect(bound.thousandths >= 0 && bound.thousandths <= 10_000_000_000_000_000)
                    let line = String(decoding: lines[bound.line - 1], as: UTF8.self)
                    #expect(line.contains(figure.row.key), "\(line)")
                }
            } catch { #expect(error.message.hasPrefix("x:") && error.line <= bytes.count + 1) }
        }
        #expect(read > 500)
    }
}
