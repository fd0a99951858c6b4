// SPDX-License-Identifier: Apache-2.0
import Core
import Model

/// The household's own rules.
public struct PlayingRules: Equatable, Sendable {
    /// True if playback resumes at the start of the sentence after a pause, and further back after a longer one.
    public var rewindsAfterPause: Bool
    /// True if next and previous go by chapter in files with chapters.
    public var stepsByChapter: Bool
    /// The lowest level of headings for next and previous in a talking book, 1 to 6; a listener chooses it in the menu.
    var headingLevel = SpeakerSetting.lowestHeading
    /// True if a book starts again at its end; a listener chooses it in the menu.
    var repeatsBook = false
    /// True if an item resumes at its place; false if it starts anew.
    public var resumes: Bool
    /// True if next and previous keep a pause; false if they play.
    public var keepsPause: Bool

    /// True if the library's next book plays at a book's end; false for silence.
    public var flowsIntoNextBook: Bool

    public var afterPowerCut: AfterPowerCut

    /// True if the speaker offers a stick that is plugged in.
    public var takesSticks = true

    /// The night's rules; nil if the night is like the day.
    public var night: Night?

    /// The rules of the night.
    public struct Night: Equatable, Sendable {
        public var hours: NightHours
        /// The sleep timer that starts by itself with playback at night.
        public var sleep: Sleep
        /// The highest volume at the start of playback.
        public var startPercent: Int
        /// The highest volume that a listener can set.
        public var mostPercent: Int
        /// The voice's highest volume, at any volume of the recording.
        public var voicePercent: Int

        public init(
            hours: NightHours, sleep: Sleep = .off, startPercent: Int = 100, mostPercent: Int = 100,
            voicePercent: Int = 100
        ) {
            self.hours = hours
            self.sleep = sleep
            self.startPercent = startPercent
            self.mostPercent = mostPercent
            self.voicePercent = voicePercent
        }
    }

    /// The choice between resuming and silence after a power cut.
    public enum AfterPowerCut: Equatable, Sendable {
        case play
        case pause
        /// Playback resumes if the cut was short. With an unknown clock, the length of the cut is unknown.
        case playIfShort

        /// The longest cut after which a listener may still be there.
        static let shortSeconds: Int64 = 1800
    }

    public init(
        rewindsAfterPause: Bool = true, stepsByChapter: Bool = true, resumes: Bool = true, keepsPause: Bool = true,
        flowsIntoNextBook: Bool = false, afterPowerCut: AfterPowerCut = .playIfShort
    ) {
        self.rewindsAfterPause = rewindsAfterPause
        self.stepsByChapter = stepsByChapter
        self.resumes = resumes
        self.keepsPause = keepsPause
        self.flowsIntoNextBook = flowsIntoNextBook
        self.afterPowerCut = afterPowerCut
    }
}
