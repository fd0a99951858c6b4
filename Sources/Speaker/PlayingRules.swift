import Core
import Model

/// What a household may have otherwise.
public struct PlayingRules: Equatable, Sendable {
    /// After a pause it plays on from the start of the sentence, and from further back the longer it was.
    public var rewindsAfterPause: Bool
    /// Next and previous go by chapter where the file has chapters.
    public var stepsByChapter: Bool
    /// In a talking book they go by the headings of this level, 1 to 6, and above; a person chooses it in the menu.
    var headingLevel = SpeakerSetting.lowestHeading
    /// What is gone to goes on where it was left; where not, it begins anew.
    public var resumes: Bool
    /// Next and previous keep a pause; where not, they play.
    public var keepsPause: Bool

    /// Where a book ends, the next one of the library is played; where not, all is silent.
    public var flowsIntoNextBook: Bool

    public var afterPowerCut: AfterPowerCut

    /// A stick that is plugged in is offered.
    public var takesSticks = true

    /// Nil where the night is as the day.
    public var night: Night?

    /// What is otherwise at night.
    public struct Night: Equatable, Sendable {
        public var hours: NightHours
        /// What whoever begins to play falls asleep with.
        public var sleep: Sleep
        /// So loud it begins at the most.
        public var startPercent: Int
        /// And so loud it is made at the most.
        public var mostPercent: Int
        /// And so loud the voice is at the most, whatever the volume.
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

    /// Whether what played when the power was cut plays on by itself.
    public enum AfterPowerCut: Equatable, Sendable {
        case play
        case pause
        /// It does if the cut was short. Where the clock is not known, nobody knows how long it was.
        case playIfShort

        /// So long a cut may be for somebody to be listening still.
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
