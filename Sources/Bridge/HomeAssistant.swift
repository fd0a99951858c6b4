// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Posix
import Text

/// The speaker for Home Assistant's MQTT discovery: one device, with an entity for each fact and each command.
public struct HomeAssistant {
    /// A topic, and the text that the broker keeps there.
    public typealias Kept = (topic: String, text: String)

    /// The speaker's id, of letters, digits, `_` and `-`: a part of topics and of the entities' permanent ids.
    public let id: String
    private let host: String
    private let version: String

    /// - Parameter host: this machine's name, which must differ for each speaker at a broker.
    public init(host: String, version: String) {
        self.host = host
        self.version = version
        let name = host.utf8.map { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") ? $0 : UInt8(ascii: "_") }
        id = "nightstand_" + String(decoding: name, as: UTF8.self)
    }

    // MARK: Out

    /// Returns `online` or `offline`.
    public func availability(_ isThere: Bool) -> Kept { (id + "/availability", isThere ? "online" : "offline") }

    /// The configuration of each entity.
    public var entities: [Kept] {
        let seconds = "\"device_class\":\"duration\",\"unit_of_measurement\":\"s\","
        let states = "\"device_class\":\"enum\",\"options\":[\"playing\",\"paused\",\"stopped\"],"
        return [
            entity("sensor", "state", "State", states + value("state")),
            entity("sensor", "title", "Title", value("title")),
            entity("sensor", "book", "Book", value("book")),
            entity("sensor", "position", "Position", seconds + value("position")),
            entity("sensor", "duration", "Duration", seconds + value("duration")),
            entity("number", "volume", "Volume", limits(to: 100, unit: "%") + command("volume") + value("volume")),
            entity(
                "number", "sleep", "Sleep timer",
                limits(to: Sleep.lengths.upperBound, unit: "min") + command("sleep") + value("sleep")),
            button("play", "Play"), button("pause", "Pause"), button("stop", "Stop"), button("next", "Next"),
            button("previous", "Previous"),
            entity(
                "event", "press", "Last press",
                "\"device_class\":\"button\",\"state_topic\":\"\(id)/press\",\"event_types\":["
                    + HomeAssistant.gestures.map { $0.json }.joined(separator: ",") + "],"),
            entity("notify", "announce", "Announce", command("announce")),
        ]
    }

    /// Returns all facts in one object; null for unknown ones.
    public func state(_ status: SpeakerStatus) -> Kept {
        let state = status.state == .playing ? "playing" : status.state == .paused ? "paused" : "stopped"
        // A timer by chapters has no minutes.
        let sleep = status.sleep == .off || status.sleepMilliseconds != nil ? status.sleepMinutes : nil
        return (
            id + "/state",
            "{\"state\":\"\(state)\",\"title\":\(text(status.title)),\"book\":\(text(status.book)),"
                + "\"position\":\(max(0, status.positionMilliseconds) / 1000),"
                + "\"duration\":\(json(status.durationMilliseconds.map { max(0, $0) / 1000 })),"
                + "\"volume\":\(json(status.volumePercent)),\"sleep\":\(json(sleep))}"
        )
    }

    private static let gestures = ["press", "long", "longer", "double", "triple", "hold", "right", "left"]

    /// Returns the event of a gesture such as "play long", which no broker retains; nil for other words: any client may send them to the
    /// speaker's channel.
    public func press(_ words: String) -> Kept? {
        let parts = words.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
        guard parts.count == 2, parts[0].utf8.count <= 32, HomeAssistant.gestures.contains(parts[1]),
            parts[0].utf8.allSatisfy({ $0.isLetter || $0 == UInt8(ascii: "-") })
        else { return nil }
        return (id + "/press", "{\"event_type\":\(parts[1].json),\"button\":\(parts[0].json)}")
    }

    private func json(_ number: Int?) -> String { number.map { "\($0)" } ?? "null" }

    /// Returns a JSON text of at most 255 characters, Home Assistant's limit.
    private func text(_ text: String) -> String {
        text.isEmpty ? "null" : String(String.UnicodeScalarView(text.unicodeScalars.prefix(255))).json
    }

    private func value(_ name: String) -> String {
        "\"state_topic\":\"\(id)/state\",\"value_template\":\"{{ value_json.\(name) }}\","
    }

    private func command(_ name: String) -> String { "\"command_topic\":\"\(id)/command/\(name)\"," }

    private func limits(to most: Int, unit: String) -> String {
        "\"min\":0,\"max\":\(most),\"step\":1,\"unit_of_measurement\":\"\(unit)\","
    }

    private func button(_ name: String, _ title: String) -> Kept {
        entity("button", name, title, "\"payload_press\":\"\(name)\"," + command("press"))
    }

    private func entity(_ component: String, _ name: String, _ title: String, _ own: String) -> Kept {
        let device = ("Nightstand " + host).json
        return (
            "homeassistant/\(component)/\(id)/\(name)/config",
            "{\"name\":\"\(title)\",\"unique_id\":\"\(id)_\(name)\"," + own
                + "\"availability_topic\":\"\(id)/availability\","
                + "\"device\":{\"identifiers\":[\"\(id)\"],\"name\":\(device),\"sw_version\":\(version.json)},"
                + "\"origin\":{\"name\":\"Nightstand\",\"sw_version\":\(version.json)}}"
        )
    }

    // MARK: In

    /// The topics of all commands.
    public var commands: String { id + "/command/+" }

    private static let mostTextBytes = 1000

    /// Returns the console's line for a command from the broker; nil for one that no entity sends.
    public func line(_ topic: String, _ payload: [UInt8]) -> String? {
        let prefix = id + "/command/"
        guard topic.begins(with: prefix), payload.count <= HomeAssistant.mostTextBytes else { return nil }
        let text = String(decoding: payload, as: UTF8.self)
        // A newline would be another command, and invalid UTF-8 gets longer in decoding.
        guard text.utf8.elementsEqual(payload), payload.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        switch String(Substring(topic.utf8.dropFirst(prefix.utf8.count))) {
        case "press" where text == "pause": return "pause 1"
        case "press": return ["play", "stop", "next", "previous"].contains(text) ? text : nil
        case "volume": return number(text, in: 0...100).map { "setvol \($0)" }
        case "sleep":
            return number(text, in: 0...Sleep.lengths.upperBound).map { $0 == 0 ? "sleep off" : "sleep \($0)" }
        case "announce": return payload.allSatisfy { $0 == 0x20 } ? nil : "announce " + text.quotedArgument
        default: return nil
        }
    }

    private func number(_ text: String, in range: ClosedRange<Int>) -> Int? {
        Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
}
