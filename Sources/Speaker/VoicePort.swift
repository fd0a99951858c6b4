// SPDX-License-Identifier: Apache-2.0
import Media

/// The loudness of a sentence.
public struct VoiceLevel: Equatable, Sendable {
    /// The loudness in hundredths of LUFS: that of the audio beside it. nil for the speech program's own loudness.
    public var loudness: Int?
    /// The factor in 1/65536.
    public var factor = 65_536

    public init() {}
}

/// A message over the playback: a text, or the first half minute of a recording.
public enum Announcement {
    case text(String)
    case sound(MediaSource)
}

/// The interface of the voice. Control thread, and nothing waits.
public protocol VoicePort: AnyObject {
    /// Says a sentence, instead of the present one. Text between the characters 2 and 3 is in the language between 1 and 2, by two letters.
    func say(_ text: String)
    /// Says a sentence behind the present one, and behind earlier announcements. The answer to a press, or a request for silence, ends only
    /// the present one.
    /// - Returns: false if too many wait.
    func announce(_ announcement: Announcement) -> Bool
    /// Stops speaking.
    func hush()
    /// True while the voice prepares or says a sentence.
    var isSpeaking: Bool { get }
}
