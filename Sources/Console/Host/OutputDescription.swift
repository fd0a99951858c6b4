// SPDX-License-Identifier: Apache-2.0
/// A place that sound goes to, as the `outputs` command tells it.
struct OutputDescription: Sendable {
    /// The PCM's name: "hw:CARD=sndrpihifiberry".
    var name: String
    /// "alsa", or what plays in its stead.
    var plugin: String
    /// True if sound may go to it.
    var isEnabled: Bool
}
