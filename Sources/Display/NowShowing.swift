import Core

/// All that there is to show, as a value. The control thread fills one whenever something changes and hands it to a `Screen`;
/// equal values draw nothing.
public struct NowShowing: Equatable, Sendable {
    public enum State: Equatable, Sendable {
        case playing, paused, stopped
        /// The sound device is gone or not yet there.
        case waitingForDevice
        /// The folder with the items is gone, empty or not yet there.
        case waitingForLibrary
    }

    /// What a screen shows beyond the one line; what nobody shows is not gathered.
    public struct Detail: OptionSet, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The segments before and after the current one.
        public static let neighbours = Detail(rawValue: 1 << 0)
        /// The page in focus: the queue or a list.
        public static let pages = Detail(rawValue: 1 << 1)
    }

    /// A segment of the transcript.
    public struct Line: Equatable, Sendable {
        public var text: String
        /// When it begins and ends to be spoken, on the clock of `positionMilliseconds`.
        public var startMilliseconds: Int
        public var endMilliseconds: Int

        public init(text: String, startMilliseconds: Int, endMilliseconds: Int) {
            self.text = text
            self.startMilliseconds = startMilliseconds
            self.endMilliseconds = endMilliseconds
        }
    }

    /// A part of the item with a name of its own.
    public struct Chapter: Equatable, Sendable {
        public var title: String
        /// The first is 0.
        public var index: Int
        public var count: Int

        public init(title: String, index: Int, count: Int) {
            self.title = title
            self.index = index
            self.count = count
        }
    }

    /// A stretch of the queue or of a list.
    public struct Rows: Equatable, Sendable {
        public struct Row: Equatable, Sendable {
            public var item: ItemID
            /// Of the queue's entry; nil in other lists.
            public var songID: Int?
            public var title: String
            public var durationMilliseconds: Int?

            public init(item: ItemID, songID: Int? = nil, title: String, durationMilliseconds: Int?) {
                self.item = item
                self.songID = songID
                self.title = title
                self.durationMilliseconds = durationMilliseconds
            }
        }

        /// Place of the first row in the whole list, from 0.
        public var firstIndex: Int
        /// Of the whole list.
        public var count: Int
        /// Of the whole list; nil if it is not in it.
        public var currentIndex: Int?
        public var rows: [Row]

        public init(firstIndex: Int, count: Int, currentIndex: Int?, rows: [Row]) {
            self.firstIndex = firstIndex
            self.count = count
            self.currentIndex = currentIndex
            self.rows = rows
        }
    }

    // MARK: The item

    /// Nil for none.
    public var item: ItemID?
    public var title: String
    public var artist: String
    public var album = ""
    /// Path of a picture, or "embedded" for the one within the file; nil for none.
    public var artwork: String?
    public var chapter: Chapter?
    public var isFavourite: Bool

    // MARK: Playing

    public var state: State
    /// At the moment of `show(_:at:)`; while playing the screen lets it run on by itself.
    public var positionMilliseconds: Int
    public var durationMilliseconds: Int?
    /// Of the pace at which the recording was spoken. A change of it is shown for two seconds.
    public var speed = Speed.own
    /// What the speaker is to fall silent with. A change of it is shown for two seconds.
    public var sleep = Sleep.off
    /// 0…100. A change of it is shown for two seconds.
    public var volumePercent: Int?

    // MARK: Words

    /// The transcript's current segment; nil between segments and if there is no transcript.
    public var transcript: Line?
    public var previousLine: Line?
    public var nextLine: Line?
    /// Its words stand in the transcript's place as long as it is set; for a passing word use `Screen.announce`.
    public var trouble: Trouble?
    /// For how long what has come from a network will play, where that is waited for; nil elsewhere. In whole tenths of a second.
    public var bufferedMilliseconds: Int?
    /// How many files a look through the library has found so far; nil where nobody waits for it.
    public var filesSeen: Int?

    // MARK: Pages

    /// What screens that have pages show.
    public var page = Command.Page.nowPlaying
    /// Of the page, where that is a list.
    public var rows: Rows?

    public init(
        title: String = "", artist: String = "", state: State = .stopped, positionMilliseconds: Int = 0,
        durationMilliseconds: Int? = nil, isFavourite: Bool = false, transcript: Line? = nil,
        volumePercent: Int? = nil, trouble: Trouble? = nil
    ) {
        self.title = title
        self.artist = artist
        self.state = state
        self.positionMilliseconds = positionMilliseconds
        self.durationMilliseconds = durationMilliseconds
        self.isFavourite = isFavourite
        self.transcript = transcript
        self.volumePercent = volumePercent
        self.trouble = trouble
    }

    /// The same with every number inside the bounds that arithmetic on it relies on: files lie about their lengths.
    var clamped: NowShowing {
        let longest = 500 * 3600 * 1000
        func clamp(_ milliseconds: Int) -> Int { min(max(0, milliseconds), longest) }
        var result = self
        result.durationMilliseconds = durationMilliseconds.map(clamp)
        result.positionMilliseconds = min(clamp(positionMilliseconds), result.durationMilliseconds ?? longest)
        result.volumePercent = volumePercent.map { min(max(0, $0), 100) }
        if let line = transcript {
            let start = clamp(line.startMilliseconds)
            result.transcript = Line(
                text: line.text, startMilliseconds: start, endMilliseconds: max(start, clamp(line.endMilliseconds)))
        }
        return result
    }
}
