// SPDX-License-Identifier: Apache-2.0
import Core

/// A stretch of a transcript with its times: a sentence, a line.
public struct Segment: Equatable, Sendable {
    /// On one line, without markup; its display wraps it.
    public var text: String
    /// When it begins to be spoken, in the file or in the chapter that is played of it.
    public var startMilliseconds: Int
    /// Just behind its end. At or before the start: not known.
    public var endMilliseconds: Int

    public init(text: String, startMilliseconds: Int, endMilliseconds: Int) {
        self.text = text
        self.startMilliseconds = startMilliseconds
        self.endMilliseconds = endMilliseconds
    }
}

/// The state of the speaker: the one truth that the LCD shows, that consoles are told and that panels draw. The speaker computes it on each
/// request, so nothing in it may be expensive.
public struct SpeakerStatus: Equatable, Sendable {
    public enum State: Equatable, Sendable {
        /// Or it would be, if what it waits for were there.
        case playing
        case paused
        case stopped

        /// As MPD calls it.
        public var word: String {
            switch self {
            case .playing: "play"
            case .paused: "pause"
            case .stopped: "stop"
            }
        }

        init(word: String) { self = word == "play" ? .playing : word == "pause" ? .paused : .stopped }
    }

    public enum Wait: String, Equatable, Sendable {
        /// The sound device is gone or not yet there.
        case device
        /// The file, or all of the library, is gone or not yet there.
        case library
        /// Bytes from a network are late, and all that had come are played.
        case network
    }

    /// An entry of the queue: its position (from 0) and its permanent number.
    public struct QueuePlace: Equatable, Sendable {
        public var position: Int
        public var id: Int
        /// 0…255.
        public var priority: UInt8

        public init(position: Int, id: Int, priority: UInt8 = 0) {
            self.position = position
            self.id = id
            self.priority = priority
        }
    }

    /// The decoder's output format.
    public struct AudioFormat: Equatable, Sendable {
        /// Frames per second.
        public var sampleRate: Int
        public var bits: Int
        public var channels: Int

        public init(sampleRate: Int, bits: Int, channels: Int) {
            self.sampleRate = sampleRate
            self.bits = bits
            self.channels = channels
        }
    }

    // MARK: The current item

    /// Where it is: as a path, and to consoles and panels as what they call it. "" where nothing is chosen.
    public var file = ""
    public var title = ""
    public var artist = ""
    /// The album.
    public var book = ""
    /// The title of the chapter that is heard; "" where it has none.
    public var chapter = ""
    /// From 1; 0 where there are no chapters.
    public var chapterNumber = 0
    public var chapterCount = 0
    public var isFavourite = false
    /// There is a picture for it.
    public var hasPicture = false
    /// The stretch of it that is played, where the entry of the queue is one chapter.
    public var bounds: Range<Int>?
    /// Kilobits per second of its compressed audio.
    public var bitrateKbps: Int?

    // MARK: Playing

    public var state = State.stopped
    /// Why nothing is heard.
    public var wait: Wait?
    /// The place of the ear now, or at the given moment: in the file, and to consoles and panels in the chapter, where that is played
    /// alone. So is the duration.
    public var positionMilliseconds = 0
    /// Nil if it is unknown.
    public var durationMilliseconds: Int?
    /// At which it is played: 1 for a live stream, at any setting.
    public var speed = Speed.own
    /// At which all is, and the current item's book, where one was set for it.
    public var speakerSpeed = Speed.own
    public var bookSpeed: Speed?
    public var sound = SoundChanges()
    /// The time saved by shorter silences: of the current item, and since the start.
    public var savedOfItemMilliseconds = 0
    public var savedMilliseconds = 0
    /// 0…100; nil where there is no volume to set.
    public var volumePercent: Int?
    /// The sleep timer's setting.
    public var sleep = Sleep.off
    /// Until all is silent; nil for a timer without minutes.
    public var sleepMilliseconds: Int?
    /// The alarm that rings, or rings next; nil where no alarm is set.
    public var alarm: AlarmStatus?
    public var audioFormat: AudioFormat?
    /// For how long what has come from a network and was not played yet will do; nil for what comes from none.
    public var bufferedMilliseconds: Int?
    /// Of what is offered in several qualities, which is fetched; nil for all else.
    public var rendition: String?

    // MARK: Words

    /// The present segment; nil between segments and where there is no transcript.
    public var segment: Segment?
    /// Told to panels: those around it, which of the transcript's the first of them is, and how many there are in all where that was told.
    public var segments: [Segment] = []
    public var firstSegment = 0
    public var segmentCount: Int?
    /// The transcript is still looked for: sound does not wait for it.
    public var isTranscriptBeingRead = false
    /// The stretch that is repeated, in milliseconds of the item; nil for none.
    public var repeatedStretch: Range<Int>?

    // MARK: The queue

    public var modes = PlayModes()
    /// Counts up with every change of the queue, from 1; at most 31 bits.
    public var queueVersion = 1
    public var queueLength = 0
    /// The entry played, paused in, or stopped on.
    public var current: QueuePlace?
    /// The entry that comes after it.
    public var next: QueuePlace?

    // MARK: The speaker

    /// The position in the menu; nil while it is not open.
    public var menu: MenuStatus?
    /// The most urgent fact for a listener.
    public var trouble: Trouble?
    /// The name of the missing stick with the current recording; nil if no stick is away.
    public var missingStick: String?
    /// The name of the program that has the sound card; nil if it is unknown, or if none has.
    public var guest: String?
    /// The fault, in the failed part's own words; nil while all is well.
    public var error: String?
    /// The number of files that a scan has found so far; nil without a waiting listener.
    public var filesSeen: Int?
    /// The look that is under way: its number, as `update` gave it, and files of audio that it has come across.
    public var updateJob: Int?
    public var updateFiles: Int?
    /// True while some transcripts are not indexed yet.
    public var isReadingWords = false
    /// In which people read and hear what it says, such as "de"; "" if it is unknown.
    public var language = ""
    /// Addresses of http and https can be played.
    public var takesStreams = false

    // MARK: Where somebody looks

    /// 1…12 and 1…31; 0 where the day is not known, as on a board without a clock.
    public var month = 0
    public var day = 0
    public var minuteOfDay: Int?
    /// True if the speaker has not answered there for seconds: what it was told to do may not be so.
    public var isSilent = false

    public init() {}

    /// The name that belongs to the trouble.
    public var troubleName: String? { missingStick ?? guest }

    /// The position moves with time.
    public var isRunning: Bool { state == .playing && wait == nil }
}

extension SpeakerStatus {
    /// Takes the library's facts about the current item.
    public mutating func take(_ item: Item) {
        file = item.path
        title = item.title
        artist = item.artist
        book = item.album
        isFavourite = item.isFavourite
        hasPicture = item.artwork != nil
        durationMilliseconds = item.durationMilliseconds
        positionMilliseconds = item.resumeMilliseconds
        if let duration = item.durationMilliseconds, duration > 0 {
            bitrateKbps = Int(clamping: item.identity.audioBytes * 8 / Int64(duration))
        }
    }

    /// The lines for a panel: a line for each fact. Its note stands behind its name in the help of `screenstate`.
    private mutating func pass(_ lines: inout StatusLines) {
        lines.line("state", note: "play, pause, stop", state.word) { state = State(word: $0) }
        lines.line("wait", note: "device, library, network", wait?.rawValue) { wait = Wait(rawValue: $0) }
        lines.line("trouble", trouble?.text) { trouble = Trouble(text: $0) }
        lines.line("stick", note: "the missing one", missingStick) { missingStick = $0 }
        lines.line("guest", note: "the program that has the sound card", guest) { guest = $0 }
        lines.line("volume", volumePercent.map { "\($0)" }) { volumePercent = Int($0) }
        lines.line("speed", speed.text) { speed = Speed(text: $0) ?? .own }
        lines.line("sleep", sleepWord) { takeSleep($0) }
        lines.line("alarm", note: "06:40 waiting, ringing, snoozed", alarm?.word) { alarm = AlarmStatus(word: $0) }
        lines.text("language", &language)
        lines.text("file", &file, isPath: true)
        if file.isEmpty && lines.isWriting { return }
        lines.text("title", &title, isTold: true)
        lines.text("artist", &artist)
        lines.text("book", &book)
        lines.number("chapter_number", &chapterNumber)
        lines.number("chapter_count", &chapterCount)
        lines.text("chapter", &chapter)
        lines.flag("favourite", &isFavourite)
        lines.flag("picture", note: "1 if readpicture has one", &hasPicture)
        lines.line("elapsed", Seconds.text(positionMilliseconds)) {
            positionMilliseconds = Seconds.milliseconds($0) ?? 0
        }
        lines.line("duration", durationMilliseconds.map(Seconds.text)) {
            durationMilliseconds = Seconds.milliseconds($0)
        }
    }

    /// The lines for a screen, without the segments.
    public var lines: [StatusLine] {
        var (status, lines) = (self, StatusLines(.writing))
        status.pass(&lines)
        return lines.written
    }

    /// The names of all lines for a screen, in their order, each with its note.
    public static var lineNames: [String] {
        var (status, lines) = (SpeakerStatus(), StatusLines(.naming))
        status.pass(&lines)
        return lines.names
    }

    /// Takes in a line of an answer. Names that are not known are passed over, so that an older screen understands a newer speaker.
    public mutating func take(_ name: String, _ value: String) {
        // There are many of these.
        if name == "segment" {
            guard let told = Segment.read(value) else { return }
            if segments.isEmpty { firstSegment = told.index }
            segments.append(told.segment)
        } else if name == "segments" {
            segmentCount = Int(value)
        } else {
            var lines = StatusLines(.reading(name: name, value: value))
            pass(&lines)
        }
    }

    /// For how long it still plays, in seconds, or with what it ends; nil where it does not end.
    public var sleepWord: String? {
        sleepMilliseconds.map(Seconds.text) ?? (sleep == .off ? nil : sleep.word)
    }

    private mutating func takeSleep(_ word: String) {
        sleepMilliseconds = Seconds.milliseconds(word)
        sleep = sleepMilliseconds == nil ? Sleep(word: word) ?? .off : .minutes(sleepMinutes)
    }

    /// Until all is silent, the minute under way too; 0 where they are not counted.
    public var sleepMinutes: Int { sleepMilliseconds.map { max(0, $0).addingSaturated(59_999) / 60_000 } ?? 0 }
}
