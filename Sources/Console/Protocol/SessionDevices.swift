import Model
import Text

/// Where the sound goes, and what MPD can have more than one of and the speaker has one of: partitions, storages.
extension Session {
    /// MPD's, of its 8 MiB for the output of a client without room for the rest of an answer.
    private static let maximumBinaryBytes = 8192 * 1024 - 4096

    // MARK: Outputs

    func writeOutputs(_ response: inout ResponseBuffer) {
        for (id, output) in speaker.outputs.enumerated() {
            response.field("outputid", id)
            response.field("outputname", output.name)
            response.field("plugin", output.plugin)
            response.field("outputenabled", output.isEnabled ? 1 : 0)
        }
    }

    /// - Parameter isEnabled: nil for the other of what it is.
    func setOutput(_ argument: String, enabled isEnabled: Bool?) throws(ConsoleError) {
        let id = try output(argument)
        try speaker.setOutput(id, enabled: isEnabled ?? !speaker.outputs[id].isEnabled)
    }

    /// An ALSA card has no attributes to set.
    func setOutputAttribute(_ argument: String) throws(ConsoleError) {
        _ = try output(argument)
        throw ConsoleError(.argument, "Unsupported attribute")
    }

    private func output(_ argument: String) throws(ConsoleError) -> Int {
        let id = try Argument.unsigned(argument)
        if id >= speaker.outputs.count { throw ConsoleError(.noExist, "No such audio output") }
        return id
    }

    // MARK: Partitions and storages

    /// What is refused, or only lets be what is so already, in MPD's words.
    func refuse(_ command: ProtocolCommand, _ argument: String) throws(ConsoleError) {
        let isDefault = argument == "default"
        let isName = argument.utf8.allSatisfy {
            $0.isLetter || $0.isDigit || $0 == .underscore || $0 == UInt8(ascii: "-")
        }
        let isMountPoint = !argument.isEmpty && !argument.utf8.contains(UInt8(ascii: "/"))
        let refusal: (code: ConsoleError.Code, message: String)? =
            switch command {
            case .moveoutput:
                speaker.outputs.contains { $0.name == argument } ? nil : (.noExist, "No such output")
            case .partition: isDefault ? nil : (.noExist, "partition does not exist")
            case .newpartition where argument.isEmpty || !isName: (.argument, "bad name")
            case .newpartition where isDefault: (.exists, "name already exists")
            // There is one card: what MPD says where it has as many as it may have.
            case .newpartition: (.unknown, "too many partitions")
            case .delpartition where isDefault: (.unknown, "cannot delete the default partition")
            case .delpartition: (.noExist, "no such partition")
            case .mount: (.argument, isMountPoint ? "Unrecognized storage URI" : "Bad mount point")
            case .unmount: (.argument, isMountPoint ? "Not a mount point" : "Bad mount point")
            default: (.unknown, "No neighbor plugin configured")
            }
        if let refusal { throw ConsoleError(refusal.code, refusal.message) }
    }

    func writeMounts(_ response: inout ResponseBuffer) {
        response.field("mount", "")
        // Whoever is elsewhere need not know the folders of this machine.
        response.field("storage", path: access.isLocal ? speaker.names.root : "")
    }

    // MARK: What is not there

    mutating func limitBinary(_ argument: String) throws(ConsoleError) {
        let bytes = try Argument.unsigned(argument)
        if bytes > Session.maximumBinaryBytes { throw ConsoleError(.argument, "Number too large: \(argument)") }
        if bytes < 64 { throw ConsoleError(.argument, "Value too small") }
        binaryLimit = bytes
    }
}
