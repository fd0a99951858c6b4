// SPDX-License-Identifier: Apache-2.0
import Controls
import Core
import Posix

/// The setup of the speaker: `/etc/nightstand.conf`, with a default for every key. `SettingTable.swift` has all keys.
public struct Configuration: Sendable {
    public struct Audio: Equatable, Sendable {
        /// Any PCM name that ALSA knows: `default`, `plughw:CARD=sndrpihifiberry`, `null`.
        public var device = "default"
        /// The card's mixer element that the volume drives, such as `Digital`; "" for the volume in software.
        public var mixer = ""
        /// The length of the sound buffer: 50…10000 ms.
        public var bufferMilliseconds = 2000
        /// The period of the audio thread: 500 ms, or a quarter of a buffer that is shorter than two of these.
        public var periodMilliseconds: Int { bufferMilliseconds < 1000 ? bufferMilliseconds / 4 : 500 }
        /// The SCHED_FIFO priority of the audio thread, 1…99; 0 for none.
        public var priority = 50
        public var cut = QueueCut.automatic
        /// The seconds without sound after which the speaker closes the card, 0…3600; 0 keeps it open.
        public var idleCloseSeconds = 10
    }

    /// The way to take back queued sound at the press of a button.
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
        /// The LCD's device; "" for none.
        public var device = ""
        /// The number of cells in a row, 8…40.
        public var width = 16
        /// The number of rows: 1, 2 or 4.
        public var height = 2
        public var rom = CharacterROM.a00
        /// True if the light is off at night, except for a moment after a press.
        public var isOffAtNight = true
    }

    /// A lamp that becomes brighter before an alarm.
    public struct Light: Equatable, Sendable {
        /// The lamp's channel; nil without a lamp.
        public var pwm: PWM?
        public var riseMinutes = 30
    }

    public struct Console: Equatable, Sendable {
        /// A serial tty, "" if there is none.
        public var serialDevice = ""
        public var baud = 115_200
        /// A Unix socket, "" if there is none.
        public var socketPath = "/run/nightstand/socket"
        /// The address for network clients; nil for none.
        public var listen: InternetAddress?
        /// The file with the passwords, "" if there are none.
        public var passwordPath = ""
        /// The rights of network clients without a password; nil if the file does not say.
        public var defaultPermissions: Permissions?
    }

    /// The settings of playback.
    public struct Playing: Equatable, Sendable {
        /// True if playback resumes at the start of the sentence after a pause, and further back after a longer one.
        public var rewindsAfterPause = true
        /// True if next and previous go by the chapters of a file that has them, else by file.
        public var stepsByChapter = true
        /// True if an item resumes where the listener left it; false to start it anew, as in MPD.
        public var resumes = true
        /// True if next and previous keep a pause; false to play, as in MPD.
        public var keepsPause = true
        /// True if the library's next book plays at the end of a book.
        public var flowsIntoNextBook = false
        public var afterPowerCut = AfterPowerCut.automatic

        /// The first thing to do when the power comes back.
        public enum AfterPowerCut: Equatable, Sendable { case automatic, play, pause }
    }

    /// The rules of the night.
    public struct Night: Equatable, Sendable {
        /// The hours of the night; nil for never.
        public var hours: NightHours?
        /// The sleep timer that starts with the first play of the night.
        public var sleep = Sleep.off
        /// The loudest volume to begin with, in percent; nil for any.
        public var startPercent: Int?
        /// The loudest volume, in percent.
        public var mostPercent = 100
        /// The loudest volume of the voice, in percent.
        public var voicePercent = 100
    }

    /// The language of the people at the speaker, and their words.
    public struct People: Equatable, Sendable {
        /// The people's language, such as "de"; "" for English.
        public var language = ""
        /// The folder with its words.
        public var wordsPath = "/usr/share/nightstand/locale"
    }

    /// The voice.
    public struct Voice: Equatable, Sendable {
        /// False if the speaker has no voice at all.
        public var isEnabled = false
        /// A program and its arguments, separated by spaces: it reads a sentence and writes its sound.
        public var command = "espeak-ng --stdout"
        /// The language as espeak-ng names it; "" for the program's own.
        public var language = ""
        /// The rate in Hz, for a program that writes samples without a header.
        public var bareRate = 22_050
        public var says = VoiceManner.always
        /// The decibels by which a playing item is lower under the voice; nil for silence.
        public var lower: Int? = 12
        /// The folder of the cache of spoken sentences; "" for none.
        public var cachePath = "/var/cache/nightstand-voice"
    }

    /// Transcripts made for recordings with a text beside them.
    public struct Transcripts: Equatable, Sendable {
        public var areMade = true
        /// The folder of the process that makes them.
        public var cachePath = "/var/cache/nightstand-words"
    }

    /// Addresses, stations and podcasts.
    public struct Network: Equatable, Sendable {
        /// False if the speaker must never ask a server.
        public var isEnabled = false
        /// The fetching process's own folder.
        public var cachePath = "/var/cache/nightstand"
        public var cacheMegabytes = 1000
        /// The size of a station's buffer in memory, which limits how far it can be ahead of playback.
        public var stationKilobytes = 1024
        /// The socket of the fetching process.
        public var socketPath = "/run/nightstand-fetch/socket"
        /// The file with `HOST USER:PASSWORD`, "" if there is none.
        public var credentialsPath = ""
        /// The interval of refreshing feeds, in hours; 0 for never by itself.
        public var refreshHours = 6
        /// The number of each podcast's newest episodes to fetch ahead and keep until the listener has heard them.
        public var keptEpisodes = 0
        /// True if the speaker looks for a recording's transcript beside its address.
        public var asksForWords = true
        /// True if a podcast's feed may name addresses in the local network.
        public var allowsLocal = false
        /// The quality to fetch, if there are several.
        public var quality = Quality.auto

        public enum Quality: Equatable, Sendable {
            /// The best that the network can carry.
            case auto
            case low, high
            /// The best quality up to this number of kbit/s.
            case kilobits(Int)
        }
    }

    /// The MQTT broker.
    public struct Bridge: Equatable, Sendable {
        /// The broker's name or address; "" for none.
        public var host = ""
        public var port: UInt16 = 8883
        public var usesTLS = true
        /// The file with the authority's certificate; "" for the system's authorities.
        public var authorityPath = ""
        /// The file with `USER:PASSWORD`, "" if there is none.
        public var credentialsPath = ""
    }

    /// Wireless headphones.
    public struct Bluetooth: Equatable, Sendable {
        public var isEnabled = false
    }

    public static let defaultPath = "/etc/nightstand.conf"

    public var audio = Audio()
    public var playing = Playing()
    public var night = Night()
    public var people = People()
    public var voice = Voice()
    /// The folder of the items.
    public var libraryPath = "/srv/nightstand"
    /// True if the speaker offers a new stick, which is mounted in that folder.
    public var takesSticks = true
    /// The folder of positions and favorites.
    public var statePath = "/var/lib/nightstand"
    /// The folder of stored playlists; "" for one beside the positions.
    public var playlistsFolder = ""
    /// The wired buttons, in the order of the file.
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
    public var bridge = Bridge()
    public var bluetooth = Bluetooth()
    public var transcripts = Transcripts()
    public var screen = Screen()
    /// The first 100 mistakes, in the file's order. A mistaken line has no other effect.
    public internal(set) var mistakes: [ConfigurationError] = []
    /// Keys of older versions, in the file's order: they have no effect, or that of another key.
    public internal(set) var warnings: [ConfigurationError] = []

    public var playlistsPath: String { playlistsFolder.isEmpty ? statePath + "/playlists" : playlistsFolder }

    /// Makes a configuration of defaults: no button, no LCD, no serial console.
    public init() {}

    /// The limit of a configuration file.
    static let mostBytes = 256 * 1024

    /// Reads the file of `--config`, or if that is nil `/etc/nightstand.conf`, which may be missing. `mistakes` lists its mistakes, and the
    /// rest is used: a bedside speaker must not stay dark because of one word.
    /// - Throws: if the named file cannot be read.
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
