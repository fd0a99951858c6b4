// SPDX-License-Identifier: Apache-2.0
import Model
import TestSupport
import Testing

@testable import Transcript

/// Written as a well-behaved writer would, read back, equal.
@Suite struct RoundTripTests {
    private func pad(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private func clock(_ time: Int, _ separator: String) -> String {
        "\(pad(time / 3_600_000, 2)):\(pad(time / 60_000 % 60, 2)):\(pad(time / 1000 % 60, 2))\(separator)\(pad(time % 1000, 3))"
    }

    private func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    @Test(arguments: 0..<60) func subRip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let segments = generator.segments(count: 80)
        var text = ""
        for (index, segment) in segments.enumerated() {
            let words = segment.text.split(separator: " ").reduce("") { text, word in
                text.isEmpty ? String(word) : text + (Bool.random(using: &generator) ? "\n" : " ") + word
            }
            text +=
                "\(index + 1)\n\(clock(segment.startMilliseconds, ",")) --> \(clock(segment.endMilliseconds, ","))\n\(words)\n\n"
        }
        #expect(Array(try parse(text)) == segments)
    }

    @Test(arguments: 0..<60) func webVTT(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let segments = generator.segments(count: 80)
        var text = "WEBVTT\n\n"
        for segment in segments {
            if Bool.random(using: &generator) { text += "NOTE \(generator.text())\n\n" }
            if Bool.random(using: &generator) { text += "id \(generator.text())\n" }
            text += "\(clock(segment.startMilliseconds, ".")) --> \(clock(segment.endMilliseconds, ".")) line:0\n"
            text += "<v Speaker>\(escaped(segment.text))</v>\n\n"
        }
        #expect(Array(try parse(text)) == segments)
    }

    @Test(arguments: 0..<60) func lyrics(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let segments = generator.segments(count: 80, unit: 10)
        let offset = Int.random(in: -400...400, using: &generator) * 10
        var marks: [String] = ["[ti:\(generator.text())]", "[offset:\(offset)]"]
        // The offset would move what comes first before the start of the audio.
        let shift = 5000
        for (index, segment) in segments.enumerated() {
            func stamp(_ time: Int) -> String {
                let time = time + shift + offset
                return "[\(pad(time / 60_000, 2)):\(pad(time / 1000 % 60, 2)).\(pad(time % 1000 / 10, 2))]"
            }
            marks.append(stamp(segment.startMilliseconds) + escaped(segment.text))
            let isFollowed =
                index + 1 < segments.count && segments[index + 1].startMilliseconds == segment.endMilliseconds
            if !isFollowed { marks.append(stamp(segment.endMilliseconds)) }
        }
        marks.shuffle(using: &generator)
        let parsed = try parse(marks.joined(separator: "\n"))
        let back = parsed.map {
            Segment(
                text: $0.text, startMilliseconds: $0.startMilliseconds - shift,
                endMilliseconds: $0.endMilliseconds - shift)
        }
        #expect(back == segments)
    }
}
