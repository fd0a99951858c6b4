// SPDX-License-Identifier: Apache-2.0
/// An output of the sound, for the `outputs` command.
struct OutputDescription: Sendable {
    /// The PCM's name: "hw:CARD=sndrpihifiberry".
    var name: String
    /// The output's plugin: "alsa", or its substitute.
    var plugin: String
    /// True if sound may go to it.
    var isEnabled: Bool
}
