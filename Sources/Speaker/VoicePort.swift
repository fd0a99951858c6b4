// SPDX-License-Identifier: Apache-2.0
import Media

/// The loudness of a sentence.
public struct VoiceLevel: Equatable, Sendable {
    /// In LUFS, in hundredths: as loud as what is heard beside it. Nil for as loud as the program that speaks has it.
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

/// Says what people are to hear. Control thread, and nothing waits.
public protocol VoicePort: AnyObject {
    /// Says a sentence, instead of what it was saying. The text between the characters 2 and 3 is in the language named between 1 and 2, by
    /// two letters.
    func say(_ text: String)
    /// Says a sentence behind the present one, and behind earlier announcements. A press that is answered, or asks for silence, ends the
    /// present one only.
    /// - Returns: false if too many wait.
    func announce(_ announcement: Announcement) -> Bool
    /// Says nothing more.
    func hush()
    /// True while a sentence is made or said.
    var isSpeaking: Bool { get }
}
