// SPDX-License-Identifier: Apache-2.0
import Console
import Model
import Speaker

/// Devices.
extension ConsoleAdapter {
    public var outputs: [OutputDescription] {
        let isEnabled = speaker.player.isOutputEnabled
        let isOnHeadphones = speaker.headphonesInUse != nil
        let card = OutputDescription(name: outputName, plugin: "alsa", isEnabled: isEnabled && !isOnHeadphones)
        guard let connected = speaker.headphones?.connected else { return [card] }
        return [
            card, OutputDescription(name: connected.name, plugin: "bluealsa", isEnabled: isEnabled && isOnHeadphones),
        ]
    }

    public func setOutput(_ id: Int, enabled: Bool) throws(ConsoleError) {
        // The sound has one place at a time: without headphones it goes to the card.
        if id == 1 || enabled { speaker.useHeadphones(id == 1 && enabled) }
        if enabled || id == 0 && speaker.headphonesInUse == nil { speaker.setOutputEnabled(enabled) }
    }

    public var headphones: HeadphoneList? { speaker.headphones }

    public func headphonesAre(_ list: HeadphoneList) { speaker.headphonesAre(list) }

    public func ask(_ request: HeadphoneRequest) throws(ConsoleError) {
        if !speaker.ask(request) { throw ConsoleError(.system, "nightstand-headphones.service does not run") }
    }

    /// A remote control that switched the card off is told so, as by MPD. A button switches it on again.
    func checkOutput() throws(ConsoleError) {
        if !speaker.player.isOutputEnabled { throw ConsoleError(.unknown, "All audio outputs are disabled") }
    }
}
