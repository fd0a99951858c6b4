// SPDX-License-Identifier: Apache-2.0
import Model
import Speaker
import Wire

/// Devices.
extension ConsoleHost {
    /// The outputs of the sound, with numbers from 0.
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

    /// Switches the output with this number, which exists, on or off. Without any the speaker pauses. Saved over a restart.
    func setOutput(_ id: Int, enabled: Bool) throws(ConsoleError) {
        // Only one output has the sound: without headphones it goes to the card.
        if id == 1 || enabled { speaker.useHeadphones(id == 1 && enabled) }
        if enabled || id == 0 && speaker.headphonesInUse == nil { speaker.setOutputEnabled(enabled) }
    }

    /// Throws MPD's error if a remote control has switched the card off. A button switches it on again.
    func checkOutput() throws(ConsoleError) {
        if !speaker.player.isOutputEnabled { throw ConsoleError(.unknown, "All audio outputs are disabled") }
    }
}
