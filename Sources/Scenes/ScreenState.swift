/// All that there is to show, as a value: what the speaker's console says in answer to `screenstate`, and what scenes draw. Equal values are
/// drawn alike.
public struct ScreenState: Equatable, Sendable {
    public enum Playback: Equatable, Sendable {
        case playing, paused, stopped
    }

    /// A sentence of the transcript, with its times.
    public struct Sentence: Equatable, Sendable {
        public var startMilliseconds: Int
        public var endMilliseconds: Int
        public var text: String

        public init(startMilliseconds: Int, endMilliseconds: Int, text: String) {
            self.startMilliseconds = startMilliseconds
            self.endMilliseconds = endMilliseconds
            self.text = text
        }
    }

    public var playback = Playback.stopped
    /// "" where nothing is chosen.
    public var title = ""
    public var artist = ""
    public var book = ""
    /// "" where the recording has no chapters.
    public var chapter = ""
    /// From 1; 0 where there is none.
    public var chapterNumber = 0
    public var chapterCount = 0
    public var isFavourite = false
    public var elapsedMilliseconds = 0
    public var durationMilliseconds: Int?
    public var speedPercent = 100
    public var volumePercent: Int?
    /// As it was told.
    public var sleep = SleepState.off
    /// What a person has to know before all else, such as that there is no sound card.
    public var trouble = ""
    /// What the speaker calls it.
    public var file = ""
    /// The speaker has a picture for it.
    public var hasPicture = false
    /// A picture's file, in states that are read from a file.
    public var artworkPath = ""
    /// Those around the one that is spoken.
    public var sentences: [Sentence] = []
    /// Which of the transcript's the first of them is.
    public var firstSentence = 0
    /// Of the whole transcript; nil where that was not told.
    public var sentenceCount: Int?
    /// 1…12 and 1…31; 0 where the day is not known, as on a board without a clock.
    public var month = 0
    public var day = 0

    /// By the clock of who looks; nil where there is none.
    public var minuteOfDay: Int?

    public init() {}

    /// The same but for what goes on by itself while it plays, and the heart.
    func isAlike(_ other: ScreenState) -> Bool {
        title == other.title && artist == other.artist && book == other.book && chapter == other.chapter
            && chapterNumber == other.chapterNumber && chapterCount == other.chapterCount
            && speedPercent == other.speedPercent
            && sleep.words == other.sleep.words
            && trouble == other.trouble && file == other.file && month == other.month && day == other.day
            && sentences.isEmpty == other.sentences.isEmpty
            && (durationMilliseconds == nil) == (other.durationMilliseconds == nil)
    }

    /// Where the ear is so many milliseconds on, if nothing but time has passed.
    public func elapsed(after milliseconds: Int) -> Int {
        let passed = playback == .playing ? milliseconds * speedPercent / 100 : 0
        return min(elapsedMilliseconds + passed, durationMilliseconds ?? .max)
    }

    /// The one that is spoken, or the last one that was: an index of `sentences`.
    public var currentSentence: Int? {
        var current: Int?
        for (index, sentence) in sentences.enumerated() where sentence.startMilliseconds <= elapsedMilliseconds {
            current = index
        }
        return current ?? (sentences.isEmpty ? nil : 0)
    }
}
