// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Speaker
import Text
import Wire

/// Outputs, and the things of which MPD can have several and the speaker has one: partitions, storages.
extension Session {
    /// MPD's limit: its 8 MiB for a client's output, less the room for the rest of an answer.
    private static let maximumBinaryBytes = 8192 * 1024 - 4096

    // MARK: Outputs

    func writeOutputs(_ response: inout ResponseBuffer) {
        for (id, output) in host.outputs.enumerated() {
            response.field("outputid", id)
            response.field("outputname", output.name)
            response.field("plugin", output.plugin)
            response.field("outputenabled", output.isEnabled ? 1 : 0)
        }
    }

    /// - Parameter isEnabled: nil to switch it over.
    func setOutput(_ argument: String, enabled isEnabled: Bool?) throws(ConsoleError) {
        let id = try output(argument)
        try host.setOutput(id, enabled: isEnabled ?? !host.outputs[id].isEnabled)
    }

    /// Refuses: an ALSA card has no attributes to set.
    func setOutputAttribute(_ argument: String) throws(ConsoleError) {
        _ = try output(argument)
        throw ConsoleError(.argument, "Unsupported attribute")
    }

    private func output(_ argument: String) throws(ConsoleError) -> Int {
        let id = try Argument.unsigned(argument)
        if id >= host.outputs.count { throw ConsoleError(.noExist, "No such audio output") }
        return id
    }

    // MARK: Headphones without a wire

    func headphones(_ words: [String], _ response: inout ResponseBuffer) throws(ConsoleError) {
        if words.isEmpty {
            guard let list = host.speaker.headphones else { return }
            response.field("scanning", list.isScanning ? 1 : 0)
            for one in list.all {
                response.field("headphones", one.address)
                response.field("name", one.name)
                response.field("state", one.state.rawValue)
                response.field("paired", one.isPaired ? 1 : 0)
            }
        } else if words.count >= 2, words[0] == "are" {
            let list = words.dropFirst(2).prefix(Headphones.most).compactMap { Headphones(words: $0) }
            host.speaker.headphonesAre(HeadphoneList(list, isScanning: words[1] == "scanning"))
        } else if let request = HeadphoneRequest(words: words.joined(separator: " ")) {
            if !host.speaker.ask(request) {
                throw ConsoleError(.system, "nightstand-headphones.service does not run")
            }
        } else {
            throw ConsoleError(.argument, "expected scan, or pair, connect, disconnect or forget and an address")
        }
    }

    // MARK: The Wi-Fi

    func tellWifi(_ words: [String]) throws(ConsoleError) {
        switch (words[0], words.count) {
        case ("open", 2): host.speaker.tell(wifi: .wifiOpen(words[1]))
        case ("joined", 1): host.speaker.tell(wifi: .wifiJoined)
        case ("closed", 1): host.speaker.tell(wifi: .wifiClosed)
        default: throw ConsoleError(.argument, "expected open NAME, joined or closed")
        }
    }

    // MARK: Partitions and storages

    func moveOutput(_ name: String) throws(ConsoleError) {
        if !host.outputs.contains(where: { $0.name == name }) { throw ConsoleError(.noExist, "No such output") }
    }

    func choosePartition(_ name: String) throws(ConsoleError) {
        if name != "default" { throw ConsoleError(.noExist, "partition does not exist") }
    }

    func makePartition(_ name: String) throws(ConsoleError) {
        let isName = name.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == .underscore || $0 == UInt8(ascii: "-") }
        if name.isEmpty || !isName { throw ConsoleError(.argument, "bad name") }
        if name == "default" { throw ConsoleError(.exists, "name already exists") }
        // MPD's wording at its largest number of partitions; the one card allows one.
        throw ConsoleError(.unknown, "too many partitions")
    }

    func deletePartition(_ name: String) throws(ConsoleError) {
        if name == "default" { throw ConsoleError(.unknown, "cannot delete the default partition") }
        throw ConsoleError(.noExist, "no such partition")
    }

    /// - Parameter refusal: MPD's wording for a valid mount point.
    func refuseMount(_ path: String, _ refusal: String) throws(ConsoleError) {
        let isMountPoint = !path.isEmpty && !path.utf8.contains(UInt8(ascii: "/"))
        throw ConsoleError(.argument, isMountPoint ? refusal : "Bad mount point")
    }

    func writeMounts(_ response: inout ResponseBuffer) {
        response.field("mount", "")
        // A remote client must not see the folders of this machine.
        response.field("storage", path: access.isLocal ? host.names.root : "")
    }

    // MARK: Missing features

    mutating func limitBinary(_ argument: String) throws(ConsoleError) {
        let bytes = try Argument.unsigned(argument)
        if bytes > Session.maximumBinaryBytes { throw ConsoleError(.argument, "Number too large: \(argument)") }
        if bytes < 64 { throw ConsoleError(.argument, "Value too small") }
        binaryLimit = bytes
    }
}
