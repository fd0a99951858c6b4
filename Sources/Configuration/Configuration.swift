import Controls
import Core
import Posix

/// How the speaker is set up: `/etc/nightstand.conf`, with a default for every key. `SettingTable.swift` has all
/// keys.
public struct Configuration: Sendable {
    public struct Audio: Equatable, Sendable {
        /// Any PCM name that ALSA knows: `default`, `plughw:CARD=sndrpihifiberry`, `null`.
        public var device = "default"
        /// The card's mixer element that the volume drives, such as `Digital`; "" for the volume in software.
        public var mixer = ""
        /// How much sound is queued: 50…10000 ms.
        public var bufferMilliseconds = 2000
        /// How often the audio thread wakes: a quarter of a buffer that is shorter than two periods of 500 ms.
        public var periodMilliseconds: Int { bufferMilliseconds < 1000 ? bufferMilliseconds / 4 : 500 }
        /// SCHED_FIFO priority of the audio thread, 1…99; 0 for none.
        public var priority = 50
        public var cut = QueueCut.automatic
        /// The card is closed after so many seconds without a sound, 0…3600; 0 keeps it open.
        public var idleCloseSeconds = 10
    }

    /// What becomes of queued sound when a button is pressed.
    public enum QueueCut: Equatable, Sendable {
        /// Rewind if the device can, else drop.
        case automatic
        case rewind
        case drop
    }

    public enum CharacterROM: Equatable, Sendable {
        case a00, a02
    }

    public struct LCD: Equatable, Sendable {
        /// "" if there is none.
        public var device = ""
        /// Cells in a row, 8…40.
        public var width = 16
        /// Rows: 1, 2 or 4.
        public var height = 2
        public var rom = CharacterROM.a00
        /// Its light is off at night, but for a moment after a press.
        public var isOffAtNight = true
    }

    /// A lamp that becomes brighter before an alarm.
    public struct Light: Equatable, Sendable {
        /// Nil where there is none.
        public var pwm: PWM?
        public var riseMinutes = 30
    }

    public struct Console: Equatable, Sendable {
        /// A serial tty, "" if there is none.
        public var serialDevice = ""
        public var baud = 115_200
        /// A Unix socket, "" if there is none.
        public var socketPath = "/run/nightstand/socket"
        /// Where remotes of the network come, nil if nowhere.
        public var listen: InternetAddress?
        /// The file with the passwords, "" if there are none.
        public var passwordPath = ""
        /// What remotes of the network may do without a password; nil where it is not written.
        public var defaultPermissions: Permissions?
    }

    /// How it plays.
    public struct Playing: Equatable, Sendable {
        /// After a pause on from the start of the sentence, and further back the longer it was.
        public var rewindsAfterPause = true
        /// Next and previous go by chapter where a file has chapters, and by file elsewhere.
        public var stepsByChapter = true
        /// What is gone to goes on where it was left; where not, it begins anew, as MPD has it.
        public var resumes = true
        /// Next and previous keep a pause; where not, they play, as MPD has it.
        public var keepsPause = true
        /// Where a book ends, the library's next one is played.
        public var flowsIntoNextBook = false
        public var afterPowerCut = AfterPowerCut.automatic

        /// Whether what played when the power was cut plays on by itself.
        public enum AfterPowerCut: Equatable, Sendable { case automatic, play, pause }
    }

    /// What is otherwise at night.
    public struct Night: Equatable, Sendable {
        /// When that is; nil for never.
        public var hours: NightHours?
        /// What whoever begins to play falls asleep with.
        public var sleep = Sleep.off
        /// So loud it begins at the most; nil for as it was.
        public var startPercent: Int?
        /// And so loud it is made at the most.
        public var mostPercent = 100
        /// And so loud the voice is at the most.
        public var voicePercent = 100
    }

    /// Whoever reads and hears it.
    public struct People: Equatable, Sendable {
        /// Theirs, such as "de"; "" for English.
        public var language = ""
        /// The folder with its words.
        public var wordsPath = "/usr/share/nightstand/locale"
    }

    /// What is spoken.
    public struct Voice: Equatable, Sendable {
        /// Where not, nothing of it is there.
        public var isEnabled = false
        /// A program and its arguments, between spaces: it reads a sentence and writes its sound.
        public var command = "espeak-ng --stdout"
        /// As espeak-ng names it; "" for the program's own.
        public var language = ""
        /// Hz, of a program that writes samples and nothing before them.
        public var bareRate = 22_050
        public var says = VoiceManner.always
        /// A folder for what was said before; "" for none.
        public var cachePath = "/var/cache/nightstand-voice"
    }

    /// The words of recordings whose text lies beside them.
    public struct Transcripts: Equatable, Sendable {
        public var areMade = true
        /// A folder of the process that makes them.
        public var cachePath = "/var/cache/nightstand-words"
    }

    /// What is played from a network.
    public struct Network: Equatable, Sendable {
        /// Where not, nothing is ever asked of anybody.
        public var isEnabled = false
        /// A folder of the fetching process's own.
        public var cachePath = "/var/cache/nightstand"
        public var cacheMegabytes = 1000
        /// How much of a station is kept in memory: so far it is ahead of the ear at most.
        public var stationKilobytes = 1024
        /// Where the fetching process listens.
        public var socketPath = "/run/nightstand-fetch/socket"
        /// The file with `HOST USER:PASSWORD`, "" if there is none.
        public var credentialsPath = ""
        /// Podcasts are asked for anew after so long; 0 for never by itself.
        public var refreshHours = 6
        /// So many of each podcast's newest episodes are fetched ahead, and stay until they were heard.
        public var keptEpisodes = 0
        /// The words of a recording at an address are asked for beside it.
        public var asksForWords = true
        /// What a podcast's feed names may be in the local network.
        public var allowsLocal = false
        /// Of what is offered in several qualities.
        public var quality = Quality.auto

        public enum Quality: Equatable, Sendable {
            /// What the network gives.
            case auto
            case low, high
            /// The best of up to so many kbit/s.
            case kilobits(Int)
        }
    }

    public static let defaultPath = "/etc/nightstand.conf"

    public var audio = Audio()
    public var playing = Playing()
    public var night = Night()
    public var people = People()
    public var voice = Voice()
    /// Where the items are: a folder.
    public var libraryPath = "/srv/nightstand"
    /// Where positions and favourites are kept: a folder.
    public var statePath = "/var/lib/nightstand"
    /// Where stored playlists are: a folder; "" for one beside the positions.
    public var playlistsFolder = ""
    /// Those that are wired, in the order of the file.
    public var buttons: [Button] = []
    /// Keys that are buttons too.
    public var keys: [Key] = []
    public var knobs: [Knob] = []
    public var gestures = GestureMap()
    public var haptics = Haptics()
    public var lcd = LCD()
    public var light = Light()
    public var console = Console()
    public var network = Network()
    public var transcripts = Transcripts()
    public var screen = Screen()
    /// What in the file cannot be used, in the file's order, and is as if it were not there; the first 100.
    public internal(set) var mistakes: [ConfigurationError] = []
    /// Keys of older versions, in the file's order: they say nothing, or what another key says now.
    public internal(set) var warnings: [ConfigurationError] = []

    public var playlistsPath: String { playlistsFolder.isEmpty ? statePath + "/playlists" : playlistsFolder }

    /// All defaults: no button, no LCD, no serial console.
    public init() {}

    /// Larger files than this are no configuration.
    static let mostBytes = 256 * 1024

    /// Reads the file named by `--config`, or if that is nil `/etc/nightstand.conf`, which may be missing. Mistakes within it are
    /// told in `mistakes`, and the rest holds: a bedside speaker is never dark for a word.
    /// - Throws: where the file that was named cannot be read.
    public static func load(path: String?) throws(ConfigurationError) -> Configuration {
        let file = path ?? defaultPath
        do throws(PosixError) {
            return Configuration(reading: try Files.readToEnd(file, limit: mostBytes), file: file)
        } catch {
            let mistake = ConfigurationError(file: file, line: 0, problem: error.reason)
            if path != nil { throw mistake }
            var configuration = Configuration()
            if Files.exists(file) { configuration.mistakes = [mistake] }
            return configuration
        }
    }

    /// - Parameter file: its name for messages.
    public init(reading bytes: [UInt8], file: String) {
        var reader = ConfigurationReader(file: file)
        INIFile.read(bytes, file: file) {
            reader.takeWhatCanBeUsed($0)
        } mistaken: {
            reader.note($0, in: $1)
        }
        self = reader.finish()
    }

    /// - Parameter file: its name for messages.
    /// - Throws: the first mistake.
    public init(parsing bytes: [UInt8], file: String) throws(ConfigurationError) {
        self.init(reading: bytes, file: file)
        if let first = mistakes.first { throw first }
    }
}
