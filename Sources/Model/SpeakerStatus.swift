// SPDX-License-Identifier: Apache-2.0
import Core

/// A stretch of a transcript with its times: a sentence, a line.
public struct Segment: Equatable, Sendable {
    /// The text on one line, without markup; the display wraps it.
    public var text: String
    /// The start of the spoken words, in the file or in the chapter that plays.
    public var startMilliseconds: Int
    /// The time just behind the end. At or before the start: unknown.
    public var endMilliseconds: Int

    public init(text: String, startMilliseconds: Int, endMilliseconds: Int) {
        self.text = text
        self.startMilliseconds = startMilliseconds
        self.endMilliseconds = endMilliseconds
    }
}

/// The state of the speaker, for the LCD, the consoles and the panels. The speaker computes it on each request, so nothing in it may be
/// expensive.
public struct SpeakerStatus: Equatable, Sendable {
    public enum State: Equatable, Sendable {
        /// The speaker plays, or would if the awaited device, file or bytes were there.
        case playing
        case paused
        case stopped

        /// The state in MPD's words.
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
        /// Bytes from a network are late, and all present ones have played.
        case network
    }

    /// An entry of the queue: its position (from 0) and its permanent number.
    public struct QueuePlace: Equatable, Sendable {
        public var position: Int
        public var id: Int
        /// The priority, 0…255.
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

    /// The path of the current item; for consoles and panels its name there; "" if nothing is chosen.
    public var file = ""
    public var title = ""
    public var artist = ""
    /// The album.
    public var book = ""
    /// The title of the audible chapter; "" if it has none.
    public var chapter = ""
    /// The number of the audible chapter, from 1; 0 without chapters.
    public var chapterNumber = 0
    public var chapterCount = 0
    public var isFavourite = false
    /// True if there is a picture.
    public var hasPicture = false
    /// The stretch that plays, if the queue's entry is one chapter.
    public var bounds: Range<Int>?
    /// The kilobits per second of the compressed audio.
    public var bitrateKbps: Int?

    // MARK: Playing

    public var state = State.stopped
    /// The reason why nothing is heard.
    public var wait: Wait?
    /// The audible position now, or at the given moment: in the file; for consoles and panels in the chapter, if only that plays. The
    /// duration likewise.
    public var positionMilliseconds = 0
    /// The duration; nil if unknown.
    public var durationMilliseconds: Int?
    /// The speed of playback: 1 for a live stream, at any setting.
    public var speed = Speed.own
    /// The speaker's speed, and the own speed of the current item's book, if it has one.
    public var speakerSpeed = Speed.own
    public var bookSpeed: Speed?
    public var sound = SoundChanges()
    /// The time saved by shorter silences: of the current item, and since the start.
    public var savedOfItemMilliseconds = 0
    public var savedMilliseconds = 0
    /// The volume, 0…100; nil if there is none to set.
    public var volumePercent: Int?
    /// The sleep timer's setting.
    public var sleep = Sleep.off
    /// The time until silence; nil for a timer without minutes.
    public var sleepMilliseconds: Int?
    /// The alarm that rings, or rings next; nil without an alarm.
    public var alarm: AlarmStatus?
    public var audioFormat: AudioFormat?
    /// The playing time of the buffered bytes of a stream; nil for other items.
    public var bufferedMilliseconds: Int?
    /// The rendition being fetched, if there are several qualities; nil otherwise.
    public var rendition: String?

    // MARK: Words

    /// The present segment; nil between segments and without a transcript.
    public var segment: Segment?
    /// The segments around it, for panels, with the index of the first and the number in the whole transcript, if known.
    public var segments: [Segment] = []
    public var firstSegment = 0
    public var segmentCount: Int?
    /// True while the transcript is being searched or read: sound does not wait for it.
    public var isTranscriptBeingRead = false
    /// The repeated stretch, in milliseconds of the item; nil for none.
    public var repeatedStretch: Range<Int>?

    // MARK: The queue

    public var modes = PlayModes()
    /// The number of changes of the queue, from 1; at most 31 bits.
    public var queueVersion = 1
    public var queueLength = 0
    /// The entry that plays, is paused, or was stopped.
    public var current: QueuePlace?
    /// The entry that comes after it.
    public var next: QueuePlace?

    // MARK: The speaker

    /// The position in the menu; nil while it is closed.
    public var menu: MenuStatus?
    /// The most urgent trouble for the listener; nil for none.
    public var trouble: Trouble?
    /// The name of the missing stick with the current recording; nil if no stick is away.
    public var missingStick: String?
    /// The name of the program that has the sound card; nil if unknown, or for none.
    public var guest: String?
    /// The fault, in the failed part's own words; nil while all is well.
    public var error: String?
    /// The number of files that a scan has found so far; nil without a waiting listener.
    public var filesSeen: Int?
    /// The scan under way: its number from `update`, and the number of audio files found.
    public var updateJob: Int?
    public var updateFiles: Int?
    /// True while some transcripts are not indexed yet.
    public var isReadingWords = false
    /// The language of texts and speech, such as "de"; "" if unknown.
    public var language = ""
    /// True if http and https addresses can be played.
    public var takesStreams = false

    // MARK: Where somebody looks

    /// The date, 1…12 and 1…31; 0 for an unknown day, as on a board without a clock.
    public var month = 0
    public var day = 0
    public var minuteOfDay: Int?
    /// True if the speaker has not answered for seconds: recent requests may have had no effect.
    public var isSilent = false

    public init() {}

    /// The name that belongs to the trouble.
    public var troubleName: String? { missingStick ?? guest }

    /// True if the position moves with time.
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

    /// Passes all lines for a panel, one for each fact. Its note follows its name in the help of `screenstate`.
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

    /// Takes a line of an answer. Unknown names are ignored, so that an older screen understands a newer speaker.
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

    /// The seconds for which it still plays, or the end with which it stops; nil without a sleep timer.
    public var sleepWord: String? {
        sleepMilliseconds.map(Seconds.text) ?? (sleep == .off ? nil : sleep.word)
    }

    private mutating func takeSleep(_ word: String) {
        sleepMilliseconds = Seconds.milliseconds(word)
        sleep = sleepMilliseconds == nil ? Sleep(word: word) ?? .off : .minutes(sleepMinutes)
    }

    /// The minutes until silence, including the present one; 0 if they are not counted.
    public var sleepMinutes: Int { sleepMilliseconds.map { max(0, $0).addingSaturated(59_999) / 60_000 } ?? 0 }
}
