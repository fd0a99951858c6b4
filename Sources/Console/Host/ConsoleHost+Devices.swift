// SPDX-License-Identifier: Apache-2.0
import Model
import Speaker
import Wire

/// Devices.
extension ConsoleHost {
    /// Places that sound goes to, with numbers from 0.
    var outputs: [OutputDescription] {
        let isEnabled = speaker.player.isOutputEnabled
        let isOnHeadphones = speaker.headphonesInUse != nil
        let card = OutputDescription(
            name: machinery.outputName, plugin: "alsa", isEnabled: isEnabled && !isOnHeadphones)
        guard let connected = speaker.headphones?.connected else { return [card] }
        return [
            card, OutputDescription(name: connected.name, plugin: "bluealsa", isEnabled: isEnabled && isOnHeadphones),
        ]
    }

    /// Lets sound go to the output with this number, which exists, or no longer. Without any it pauses. Kept over a restart.
    func setOutput(_ id: Int, enabled: Bool) throws(ConsoleError) {
        // The sound has one place at a time: without headphones it goes to the card.
        if id == 1 || enabled { speaker.useHeadphones(id == 1 && enabled) }
        if enabled || id == 0 && speaker.headphonesInUse == nil { speaker.setOutputEnabled(enabled) }
    }

    /// A remote control that switched the card off is told so, as by MPD. A button switches it on again.
    func checkOutput() throws(ConsoleError) {
        if !speaker.player.isOutputEnabled { throw ConsoleError(.unknown, "All audio outputs are disabled") }
    }
}
