import Core
import Model

/// What the speaker is doing, as the `status` command tells it. A plain value, true for the moment it was asked.
public struct SpeakerStatus: Sendable {
    public enum State: Sendable {
        case playing
        case paused
        case stopped
    }

    /// An entry of the queue: where it stands (0 is the first) and the number that stays with it.
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

    /// What the decoder gives out.
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

    public var state = State.stopped
    public var modes = PlayModes()
    /// Of the current item.
    public var title: String?
    /// The chapter of it that is heard, where it has some and is played whole.
    public var chapter: String?
    /// 0 to 100; nil where there is no volume to set.
    public var volumePercent: Int?
    /// Counts up with every change of the queue, from 1; at most 31 bits.
    public var queueVersion = 1
    public var queueLength = 0
    /// The entry played, paused in, or stopped on.
    public var current: QueuePlace?
    /// The entry that comes after it.
    public var next: QueuePlace?
    /// What the ear hears now, from the start of the item, or of the chapter that its entry is.
    public var elapsedMilliseconds = 0
    /// Of the current item; nil where not known.
    public var durationMilliseconds: Int?
    /// Kilobits per second of the item's compressed audio.
    public var bitrateKbps: Int?
    public var audioFormat: AudioFormat?
    /// For how long what has come of it and was not played yet will do; nil for what comes from no network.
    public var bufferedMilliseconds: Int?
    /// Of what is offered in several qualities, which is fetched; nil for all else.
    public var rendition: String?
    /// The number of the library scan that is under way, as `update` gave it.
    public var updateJob: Int?
    /// Files of audio that it has come across so far.
    public var filesSeen: Int?
    /// What is wrong, in words; nil while all is well.
    public var error: String?

    /// At which the current item is played: 1 for what is live, whatever is set; at which all are; and of the current item's book, where
    /// one was set for it.
    public var currentSpeed = Speed.own
    public var speakerSpeed = Speed.own
    public var bookSpeed: Speed?
    public var sound = SoundChanges()
    /// What shorter silences have saved: of the current item, and since the start.
    public var savedOfItemMilliseconds = 0
    public var savedMilliseconds = 0
    public var sleep = Sleep.off
    /// Until all is silent; nil where nobody counts minutes.
    public var sleepMilliseconds: Int?
    /// The stretch that is repeated, in milliseconds of the current item; nil for none.
    public var repeatedStretch: Range<Int>?
    /// The current item's transcript is still looked for: sound does not wait for it.
    public var isTranscriptBeingRead = false
    /// What is said in some transcripts is not known yet.
    public var isReadingWords = false
    /// Addresses of http and https can be played.
    public var takesStreams = false

    public init() {}
}
