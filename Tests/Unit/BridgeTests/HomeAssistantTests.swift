// SPDX-License-Identifier: Apache-2.0
import Foundation
import Model
import Testing

@testable import Bridge

@Suite struct HomeAssistantTests {
    private let home = HomeAssistant(host: "owl", version: "1")

    private func state(_ change: (inout SpeakerStatus) -> Void) throws -> [String: Any] {
        var status = SpeakerStatus()
        change(&status)
        let text = home.state(status).text
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test func anyHostNameIsPartOfATopic() throws {
        for host in ["", "owl", "böse/+#\"\u{1}", String(repeating: "x", count: 64)] {
            let home = HomeAssistant(host: host, version: "0.4.0+\"dev\"")
            for kept in home.entities {
                #expect(
                    !kept.topic.contains { "+#\u{1}\"".contains($0) } && kept.topic.split(separator: "/").count == 5)
                let value = try JSONSerialization.jsonObject(with: Data(kept.text.utf8)) as? [String: Any]
                #expect((value?["device"] as? [String: Any])?["name"] as? String == "Nightstand " + host)
            }
        }
    }

    @Test func unknownFactsAreNull() throws {
        let nothing = try state { _ in }
        for name in ["title", "book", "duration", "volume"] { #expect(nothing[name] is NSNull, "\(name)") }
        #expect(nothing["sleep"] as? Int == 0 && nothing["state"] as? String == "stopped")
        #expect(try state { $0.sleep = .chapter }["sleep"] is NSNull)
        #expect(try state { ($0.sleep, $0.sleepMilliseconds) = (.minutes(2), 60_001) }["sleep"] as? Int == 2)
    }

    @Test func longAndOddTitlesAreTaken() throws {
        let title = String(repeating: "\"\\\u{7}ö", count: 100)
        let shown = try state { $0.title = title }["title"] as? String
        #expect(shown.map { Array($0.unicodeScalars) } == Array(title.unicodeScalars.prefix(255)))
        #expect(try state { $0.positionMilliseconds = .min }["position"] as? Int == 0)
    }

    @Test func aPressIsAnEvent() {
        let event = home.press("volume-up hold")
        #expect(event?.topic == "nightstand_owl/press")
        #expect(event?.text == "{\"event_type\":\"hold\",\"button\":\"volume-up\"}")
        for words in [
            "", "play", "play now", "a\" long", "play press twice", String(repeating: "x", count: 33) + " press",
        ] {
            #expect(home.press(words) == nil, "\(words)")
        }
    }

    @Test(arguments: [
        ("press", "play", "play"), ("press", "pause", "pause 1"), ("volume", "0", "setvol 0"),
        ("sleep", "0", "sleep off"),
        ("sleep", "1440", "sleep 1440"), ("announce", "a \"b\" \\", "announce \"a \\\"b\\\" \\\\\""),
    ])
    func commandsAreLinesOfTheConsole(_ name: String, _ payload: String, _ line: String) {
        #expect(home.line("nightstand_owl/command/" + name, Array(payload.utf8)) == line)
        #expect(home.line("nightstand_fox/command/" + name, Array(payload.utf8)) == nil)
        #expect(home.line("nightstand_owl/command/" + name, Array((payload + "\n").utf8)) == nil)
    }
}
