// SPDX-License-Identifier: Apache-2.0
/// A place that sound goes to, as the `outputs` command tells it.
public struct OutputDescription: Sendable {
    /// The PCM's name: "hw:CARD=sndrpihifiberry".
    public var name: String
    /// "alsa", or what plays in its stead.
    public var plugin: String
    /// True if sound may go to it.
    public var isEnabled: Bool

    public init(name: String, plugin: String, isEnabled: Bool) {
        self.name = name
        self.plugin = plugin
        self.isEnabled = isEnabled
    }
}
