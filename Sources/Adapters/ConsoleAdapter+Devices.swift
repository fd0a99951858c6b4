// SPDX-License-Identifier: Apache-2.0
import Console
import Speaker

/// Devices.
extension ConsoleAdapter {
    public var outputs: [OutputDescription] {
        [OutputDescription(name: outputName, plugin: "alsa", isEnabled: speaker.player.isOutputEnabled)]
    }

    public func setOutput(_ id: Int, enabled: Bool) throws(ConsoleError) { speaker.setOutputEnabled(enabled) }

    /// A remote control that switched the card off is told so, as by MPD. A button switches it on again.
    func checkOutput() throws(ConsoleError) {
        if !speaker.player.isOutputEnabled { throw ConsoleError(.unknown, "All audio outputs are disabled") }
    }
}
