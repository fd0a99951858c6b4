import Core

/// What to show, as a value. The control thread fills one whenever something changes and hands it to a `Screen`; equal
/// values draw nothing.
public struct NowShowing: Equatable, Sendable {
    public enum State: Equatable, Sendable {
        case playing, paused, stopped
        /// The sound device is gone or not yet there.
        case waitingForDevice
        /// The folder with the items is gone, empty or not yet there.
        case waitingForLibrary
    }

    /// The transcript's current segment.
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

    public var title: String
    public var artist: String
    public var state: State
    /// At the moment of `show(_:at:)`; while playing the screen lets it run on by itself.
    public var positionMilliseconds: Int
    public var durationMilliseconds: Int?
    public var isFavourite: Bool
    /// nil between segments and where there is no transcript.
    public var transcript: Line?
    /// 0…100. A change of it is shown for two seconds.
    public var volumePercent: Int?
    /// Its words stand in the transcript's place as long as it is set; for a passing word use `Screen.announce`.
    public var trouble: Trouble?

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
