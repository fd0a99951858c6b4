// SPDX-License-Identifier: Apache-2.0
import Core
import Model

/// The household's own rules.
public struct PlayingRules: Equatable, Sendable {
    /// After a pause it plays on from the start of the sentence, and from further back the longer it was.
    public var rewindsAfterPause: Bool
    /// Next and previous go by chapter where the file has chapters.
    public var stepsByChapter: Bool
    /// In a talking book they go by the headings of this level, 1 to 6, and above; a person chooses it in the menu.
    var headingLevel = SpeakerSetting.lowestHeading
    /// True begins a book anew at its end; a person chooses it in the menu.
    var repeatsBook = false
    /// True resumes at the place of an item; false begins anew.
    public var resumes: Bool
    /// Next and previous keep a pause; false plays.
    public var keepsPause: Bool

    /// At a book's end, true plays the next one of the library; false leaves silence.
    public var flowsIntoNextBook: Bool

    public var afterPowerCut: AfterPowerCut

    /// A stick that is plugged in is offered.
    public var takesSticks = true

    /// Nil where the night is as the day.
    public var night: Night?

    /// The rules of the night.
    public struct Night: Equatable, Sendable {
        public var hours: NightHours
        /// The sleep timer that starts by itself with playback at night.
        public var sleep: Sleep
        /// So loud it begins at the most.
        public var startPercent: Int
        /// And so loud it is made at the most.
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

    /// Whether playback resumes by itself after a power cut.
    public enum AfterPowerCut: Equatable, Sendable {
        case play
        case pause
        /// It does if the cut was short. With an unknown clock, the length of the cut is unknown.
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
