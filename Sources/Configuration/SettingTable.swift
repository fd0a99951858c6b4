// SPDX-License-Identifier: Apache-2.0
import Controls
import Core
import Posix

/// The settings: one row for each, section by section. `ButtonName`, `KnobName` and `Gesture` name the rest of [buttons] and [gestures].
extension SettingSection {
    var settings: [Setting] {
        switch self {
        case .audio: Setting.ofAudio
        case .playing: Setting.ofPlaying
        case .night: Setting.ofNight
        case .people: Setting.ofPeople
        case .voice: Setting.ofVoice
        case .library: Setting.ofLibrary
        case .state: Setting.ofState
        case .playlists: Setting.ofPlaylists
        case .buttons: []
        case .gestures: Setting.ofGestures
        case .haptics: Setting.ofHaptics
        case .lcd: Setting.ofLCD
        case .light: Setting.ofLight
        case .network: Setting.ofNetwork
        case .bridge: Setting.ofBridge
        case .bluetooth: Setting.ofBluetooth
        case .transcripts: Setting.ofTranscripts
        case .screen: Setting.ofScreen
        case .console: Setting.ofConsole
        }
    }
}

extension Setting {
    static let ofAudio: [Setting] = [
        .init(
            "device",
            .text(expected: "an ALSA device, such as default") {
                if $1.isEmpty { return false }
                $0.audio.device = $1
                return true
            }, "default", rank: .first, form: "NAME",
            "The ALSA device. \"aplay -L\" lists them. Name cards by CARD=, because their numbers change from boot to boot: plughw:CARD=sndrpihifiberry, plughw:CARD=Device (most USB DACs), default:CARD=vc4hdmi0 (HDMI of a Raspberry Pi)."
        ),
        .init(
            "mixer",
            .text(expected: "an element") {
                $0.audio.mixer = $1
                return true
            }, "", rank: .first, form: "ELEMENT",
            "The card's own volume control, such as Digital or PCM. \"amixer -D hw:CARD=NAME scontrols\" lists them. Empty: the volume is made in software."
        ),
        .init(
            "buffer_ms", .number(50, 10_000) { $0.audio.bufferMilliseconds = $1 }, "2000", rank: .last,
            "The milliseconds of sound queued at the card. A long buffer wakes the processor less often. Buttons are quick with any length, because the speaker takes back what is queued. The audio thread wakes every 500 ms, or four times a buffer that is shorter than a second."
        ),
        .init(
            "priority", .number(0, 99) { $0.audio.priority = $1 }, "50", rank: .last,
            "The audio thread's real-time priority; 0 for none. Above the service's LimitRTPRIO=, which is 95, it plays without."
        ),
        .init(
            "cut", .choice("auto rewind drop") { $0.audio.cut = [.automatic, .rewind, .drop][$1] }, "auto", rank: .last,
            "The way to take back queued sound at the press of a button: rewind is quickest, drop works with any device, auto rewinds if the device can."
        ),
        .init(
            "idle_close", .number(0, 3600) { $0.audio.idleCloseSeconds = $1 }, "10",
            "The speaker closes the card after so many seconds without sound, so that other programs can use it and the DAC sleeps. 0 keeps it open, for a DAC that pops when it is opened. A paused station keeps it open, too."
        ),
        .init("period_ms", .former("it follows from buffer_ms") { _, _ in }),
    ]

    static let ofPlaying: [Setting] = [
        .init(
            "rewind", .flag { $0.playing.rewindsAfterPause = $1 }, "yes",
            "With yes, the speaker goes on after a pause from the start of the sentence, and from further back after a longer pause: one sentence more after a minute, three after an hour, five after a day, but at most 10, 20, 30 or 60 seconds. Without a transcript it goes back 0, 2, 10 or 30 seconds. If you choose another place during the pause, you hear that place. With no, it goes on from where it stopped."
        ),
        .init(
            "next", .choice("chapter file") { $0.playing.stepsByChapter = $1 == 0 }, "chapter",
            "The step of next and previous, from buttons and remotes. With chapter, they go by the chapters of a file that has them; within a chapter, previous goes to its start first. With file, and in files without chapters, they go by whole files."
        ),
        .init(
            "next_book", .flag { $0.playing.flowsIntoNextBook = $1 }, "no",
            "With yes, the library's next book plays when one ends. With no, all is silent, and the next press of play begins it. A queue of your own, or one in random order, goes on in either case."
        ),
        .init(
            "after_power_cut",
            .choice("auto play pause") { $0.playing.afterPowerCut = [.automatic, .play, .pause][$1] }, "auto",
            "The first thing to do when the power comes back. With auto, the speaker plays on if the cut was no longer than half an hour and the clock is known: from a clock chip, or because the network had set it before the speaker started."
        ),
        .init(
            "like_mpd",
            .flag {
                $0.playing.resumes = !$1
                $0.playing.keepsPause = !$1
            }, "no",
            "With yes, as with MPD: an item begins anew whenever you go to it, also after stop, and next and previous end a pause. With no, an item goes on where you left it, and next and previous keep a pause. After a restart the speaker goes on where it was in either case."
        ),
        .init(
            "resume",
            .former("like_mpd = yes is its no") { reader, value throws(ConfigurationError) in
                reader.result.playing.resumes = try reader.isYes(value)
            }),
        .init(
            "keep_pause",
            .former("like_mpd = yes is its no") { reader, value throws(ConfigurationError) in
                reader.result.playing.keepsPause = try reader.isYes(value)
            }),
    ]

    static let ofNight: [Setting] = [
        .init(
            "hours",
            .own { reader, value throws(ConfigurationError) in
                try reader.setNight(value)
            }, "", form: "HH:MM-HH:MM | sun LATITUDE LONGITUDE | never",
            "When it is night, such as 22:00-07:00, or sun 52.52 13.40: from sunset to sunrise at that latitude and longitude, in degrees north and east. It is the night of sound, LCD and panel. Only a board that knows the time has one. Empty: a panel's colors and light have a night from 22:00 to 07:00, and nothing else has."
        ),
        .init(
            "sleep",
            .own { reader, value throws(ConfigurationError) in
                guard let sleep = Sleep(word: value) else { throw reader.refusal(value, expected: Sleep.expected) }
                reader.result.night.sleep = sleep
            }, "off", form: "MINUTES | chapter | COUNT chapters | item | book | off",
            "The sleep timer that starts by itself when you begin to play at night, after ten silent minutes or more, if none is set."
        ),
        .init(
            "volume",
            .text(expected: "a whole number from 1 to 100, or nothing") {
                let percent = Int($1)
                guard $1.isEmpty || (1...100).contains(percent ?? 0) else { return false }
                $0.night.startPercent = percent
                return true
            }, "", form: "PERCENT",
            "Playing begins no louder than this then, 1 to 100 percent. Empty: as loud as it was."),
        .init(
            "loudest", .number(1, 100) { $0.night.mostPercent = $1 }, "100",
            "The loudest volume at night, in percent. A sound that goes on into the night becomes quieter if it is louder."
        ),
        .init(
            "voice", .number(1, 100) { $0.night.voicePercent = $1 }, "100",
            "At night the voice is no louder than with this volume, in percent."),
    ]

    static let ofPeople: [Setting] = [
        .init(
            "language",
            .text(expected: "one such as de or pt_BR, or nothing for English") {
                // It names a folder.
                let isName = $1.utf8.allSatisfy { byte in
                    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
                }
                if isName { $0.people.language = $1 }
                return isName
            }, "", rank: .first, form: "NAME",
            "The language of what is shown and spoken: de, es, fr, it, nl, pl or pt. de_AT gets the words of de. A choice in the menu or on a panel counts instead. The journal and the console are English. Empty: English."
        ),
        .init(
            "words", .path(canBeEmpty: false) { $0.people.wordsPath = $1 }, "/usr/share/nightstand/locale", rank: .last,
            "The folder with the words of all languages, in LANGUAGE/LC_MESSAGES/nightstand.mo."),
    ]

    static let ofVoice: [Setting] = [
        .init(
            "enabled", .flag { $0.voice.isEnabled = $1 }, "no", rank: .first,
            "With yes, the speaker talks: the answer to every button, the menu, and the reason why it does not play. \"By ear\" in nightstand.conf(5) lists every press."
        ),
        .init(
            "command",
            .text(expected: "a program, such as espeak-ng --stdout") {
                if $1.isEmpty { return false }
                $0.voice.command = $1
                return true
            }, "espeak-ng --stdout", form: "PROGRAM ARGUMENTS",
            "The program that speaks. It reads a sentence as one line, and writes a WAV, or bare 16-bit samples of one channel. espeak-ng is a package of Debian's. piper sounds more like a person, and takes seconds on a small board: piper --quiet --model FILE --output-raw. No argument can hold a space. The program runs with low priority, for at most 5 seconds, and the service must be allowed to read what it needs."
        ),
        .init(
            "language",
            .text(expected: "one that espeak-ng --voices lists, such as de") {
                if $1.utf8.contains(where: { $0 == 0x20 || $0 == 0x09 }) || $1.begins(with: "-") { return false }
                $0.voice.language = $1
                return true
            }, "", form: "NAME",
            "The voice's language, as \"espeak-ng --voices\" lists them; the program gets it as -v NAME. espeak-ng speaks the titles of a book in the language that the book's tags name. Empty: for espeak-ng that of [people], else the program's own."
        ),
        .init(
            "rate", .number(8000, 48_000) { $0.voice.bareRate = $1 }, "22050", rank: .last,
            "The samples a second of a program that writes bare samples: 16000 or 22050 for the voices of piper."),
        .init(
            "says", .choice("all menu by-day") { $0.voice.says = [.always, .menu, .byDay][$1] }, "all",
            "The amount of talk. With menu, only the menu and the answers to say; with by-day, everything, but at night as with menu."
        ),
        .init(
            "lower", .choice("12 18 24 silent") { $0.voice.lower = [12, 18, 24, nil][$1] }, "12",
            "The decibels by which a playing item is lower while the voice speaks. With silent, nothing sounds beside it."
        ),
        .init(
            "cache", .path(canBeEmpty: true) { $0.voice.cachePath = $1 }, "/var/cache/nightstand-voice", rank: .last,
            "The folder that keeps up to 4 MB of spoken sentences, so that they come at once the next time. Empty: none."
        ),
    ]

    static let ofLibrary: [Setting] = [
        .init(
            "path", .path(canBeEmpty: false) { $0.libraryPath = $1 }, "/srv/nightstand", rank: .first,
            "The folder with the audio and its transcripts. Folders within it count, too."),
        .init(
            "sticks", .flag { $0.takesSticks = $1 }, "yes",
            "With yes, a USB stick or a card that you plug in is mounted in the library, in a folder with the stick's name, for reading only: FAT, exFAT, ext4 and NTFS. Its books are in the menu at once, and the next press of play starts the one that you heard last. The disk of the system, and one that fstab(5) names, are left alone. With no, you mount sticks yourself. A change counts from the next stick on."
        ),
    ]

    static let ofState: [Setting] = [
        .init(
            "path", .path(canBeEmpty: false) { $0.statePath = $1 }, "/var/lib/nightstand", rank: .last,
            "The folder for positions, favorites and everything else that the speaker remembers. It must survive a restart, and the service must be allowed to write there (see nightstand(1))."
        )
    ]

    static let ofPlaylists: [Setting] = [
        .init(
            "path", .path(canBeEmpty: true) { $0.playlistsFolder = $1 }, "", rank: .last,
            "The folder for the playlists that remotes make and change. The speaker writes .m3u8; it reads .m3u and .pls, too, and makes them .m3u8 when a remote changes them. The service must be allowed to write there (see nightstand(1)). Empty: playlists in the folder of [state]."
        )
    ]

    static let ofGestures: [Setting] = [
        .init(
            "long_ms", .number(200, 5000) { $0.gestures.longMilliseconds = $1 }, "500",
            "The milliseconds after which a press is a long press, or a hold begins. A longer press takes a second and a half, and at least half a second more than a long one."
        ),
        .init(
            "double_ms", .number(100, 2000) { $0.gestures.doubleMilliseconds = $1 }, "300",
            "The second press of a double press must begin within so many milliseconds."),
        .init(
            "repeat_ms", .number(50, 2000) { $0.gestures.repeatMilliseconds = $1 }, "200",
            "The milliseconds between the actions of a hold."),
        .init(
            "refuse_ms", .number(0, 3000) { $0.gestures.refuseMilliseconds = $1 }, "0",
            "A button pressed again within so many milliseconds after it came up does nothing: 500 for hands that tremble. Then it has no double presses within that time."
        ),
        .init("longer_ms", .former("it follows from long_ms") { _, _ in }),
    ]

    static let ofHaptics: [Setting] = [
        .init(
            "line",
            .own { reader, value throws(ConfigurationError) in
                try reader.setHapticLine(value)
            }, "", form: "LINE[,active-low]",
            "The GPIO line, written as for a button, of a vibration motor behind a transistor, or of a piezo that buzzes by itself. It tells a hand what a touch of the panel, a button or a knob has done. The speaker leaves out a pattern that cannot be felt at once. Empty: none."
        ),
        .init(
            "pwm",
            .own { reader, value throws(ConfigurationError) in
                reader.result.haptics.pwm = try reader.pwmChannel(value)
                reader.result.haptics.sourceLine = reader.line
            }, "", form: "CHIP/CHANNEL",
            "Instead of a line, a channel of /sys/class/pwm, such as pwmchip0/0 (on a Raspberry Pi with dtoverlay=pwm): then a light touch is weaker, and not only shorter. Write a folder elsewhere with its whole path. Empty: none."
        ),
        .init(
            "pwm_hz", .number(50, 100_000) { $0.haptics.pwmHertz = $1 }, "20000", rank: .last,
            "The periods a second of the PWM channel: above what a person hears for a motor, its own tone for a piezo."),
        .init(
            "strength", .number(10, 400) { $0.haptics.strengthPercent = $1 }, "100",
            "The length of its pulses, in percent: more for a heavy motor. With a PWM channel, their strength."),
        .init(
            "buttons", .flag { $0.haptics.hasButtons = $1 }, "yes",
            "With yes, the speaker's own buttons and knobs make it move, too."
        ),
    ]

    static let ofLCD: [Setting] = [
        .init(
            "device", .path(canBeEmpty: true) { $0.lcd.device = $1 }, "", rank: .first,
            "The kernel's character LCD: /dev/lcd with the overlays hd44780-lcd and hd44780-i2c-lcd of a Raspberry Pi. Empty: no LCD."
        ),
        .init("width", .number(8, 40) { $0.lcd.width = $1 }, "16", rank: .first, "The cells in a row."),
        .init(
            "height", .choice("1 2 4") { $0.lcd.height = [1, 2, 4][$1] }, "2", rank: .first,
            "The rows. Width times height is at most 80, or 40 x 4."),
        .init(
            "rom",
            .text(expected: "A00 (Japanese) or A02 (European)") {
                switch $1 {
                case "A00", "a00": $0.lcd.rom = .a00
                case "A02", "a02": $0.lcd.rom = .a02
                default: return false
                }
                return true
            }, "A00", form: "A00 | A02",
            "The LCD's character set: A00 (Japanese, the common one) or A02 (European). Try the other if accents look wrong."
        ),
        .init(
            "off_at_night", .flag { $0.lcd.isOffAtNight = $1 }, "yes",
            "With yes, the LCD's light is off in the hours of [night]. It is on for ten seconds after each press, and while an alarm rings."
        ),
    ]

    static let ofLight: [Setting] = [
        .init(
            "pwm",
            .own { reader, value throws(ConfigurationError) in
                reader.result.light.pwm = try reader.pwmChannel(value)
            }, "", form: "CHIP/CHANNEL",
            "The channel of /sys/class/pwm that the lamp's driver is wired to, such as pwmchip0/1. It runs at 1000 periods a second, and the service must be allowed to write there. Empty: none."
        ),
        .init(
            "minutes", .number(1, 120) { $0.light.riseMinutes = $1 }, "30",
            "The minutes that the lamp takes to full brightness."
        ),
        .init("pwm_hz", .former("1000 suits every lamp") { _, _ in }),
    ]

    static let ofNetwork: [Setting] = [
        .init(
            "enabled", .flag { $0.network.isEnabled = $1 }, "no", rank: .first,
            "With yes, the speaker plays addresses of http and https (add http://... from any MPD remote). The service has no network of its own: \"systemctl enable --now nightstand-fetch.socket\" starts the process that has."
        ),
        .init(
            "cache", .path(canBeEmpty: false) { $0.network.cachePath = $1 }, "/var/cache/nightstand", rank: .last,
            "The folder in which the process with the network keeps what it has fetched, so that it plays without a network from then on. It does not keep stations."
        ),
        .init(
            "cache_mb", .number(16, 1_000_000) { $0.network.cacheMegabytes = $1 }, "1000",
            "The size of the cache of recordings from the network, in MB. The recording that you heard longest ago goes first. A longer recording does not play, and 64 MB of the disk stay free in any case."
        ),
        .init(
            "station_kb", .number(128, 65_536) { $0.network.stationKilobytes = $1 }, "1024", rank: .last,
            "The size of a station's buffer in memory, in KB: you can pause it for so long and miss nothing. 1024 KB are a minute of 128 kbit/s. A recording comes as a whole."
        ),
        .init(
            "socket", .path(canBeEmpty: false) { $0.network.socketPath = $1 }, "/run/nightstand-fetch/socket",
            rank: .last,
            "The socket on which the process with the network listens."),
        .init(
            "credentials", .secretPath { $0.network.credentialsPath = $1 }, "",
            "A file with accounts, one on each line: HOST USER:PASSWORD, where HOST may have a port after a colon. The process sends them over https alone; a line that begins with http:// allows http. Only the user nightstand-fetch may read the file (chmod 600). Empty: none."
        ),
        .init(
            "refresh_hours", .number(0, 720) { $0.network.refreshHours = $1 }, "6",
            "The hours after which the speaker asks the feeds of podcasts again. 0: only when you say refresh on the console."
        ),
        .init(
            "keep", .number(0, 50) { $0.network.keptEpisodes = $1 }, "0",
            "The number of each podcast's newest episodes that the speaker fetches ahead, with their words and pictures, so that they play without a network. Those that you heard to the end go first if the cache needs room."
        ),
        .init(
            "quality",
            .text(expected: "auto, low, high, or kbit/s from 8 to 2000") {
                switch $1 {
                case "auto": $0.network.quality = .auto
                case "low": $0.network.quality = .low
                case "high": $0.network.quality = .high
                default:
                    guard let number = Int($1), (8...2000).contains(number) else { return false }
                    $0.network.quality = .kilobits(number)
                }
                return true
            }, "auto", form: "auto | low | high | KBITS",
            "The quality to fetch if a station, a recording or an episode comes in several: auto, the best for which the network has something to spare; low or high, always the least or the best; a number, the best of up to so many kbit/s (8 to 2000). With auto the speaker begins with at most 64 kbit/s until it has measured the network."
        ),
        .init(
            "local", .flag { $0.network.allowsLocal = $1 }, "no",
            "With yes, a feed, a list or a redirection may lead to an address in the local network. An address there that you name yourself plays in any case, with everything that it names on the same host."
        ),
        .init(
            "words", .flag { $0.network.asksForWords = $1 }, "yes",
            "With yes, the speaker asks for the words of a recording at an address, http://HOST/NAME.mp3, beside it, as NAME.srt and NAME.vtt. Words within the recording come first, and a server without them is asked once."
        ),
    ]

    static let ofBridge: [Setting] = [
        .init(
            "broker",
            .text(expected: "the name or the address of a host") {
                $0.bridge.host = $1
                return $1.utf8.count < 256
            }, "", form: "HOST",
            "The name or the address of the MQTT broker, such as homeassistant.local. Empty: none."),
        .init(
            "port", .number(1, 65_535) { $0.bridge.port = UInt16(clamping: $1) }, "8883",
            "The broker's port. Without TLS it is 1883 at most brokers."),
        .init(
            "tls", .flag { $0.bridge.usesTLS = $1 }, "yes",
            "With no, everybody in your network can read what the speaker and the broker tell each other, and the password."
        ),
        .init(
            "authority", .path(canBeEmpty: true) { $0.bridge.authorityPath = $1 }, "",
            "The file with the certificate of the authority that signed the broker's, in PEM. Empty: one of those that the system trusts."
        ),
        .init(
            "credentials", .secretPath { $0.bridge.credentialsPath = $1 }, "",
            "A file with the broker's account on its first line: USER:PASSWORD. Only the user nightstand-bridge may read it (chmod 600). Empty: none."
        ),
    ]

    static let ofBluetooth: [Setting] = [
        .init(
            "enabled", .flag { $0.bluetooth.isEnabled = $1 }, "no",
            "With yes, nightstand-headphones.service finds, pairs and connects headphones. It needs Debian's packages bluez and bluez-alsa-utils."
        )
    ]

    static let ofTranscripts: [Setting] = [
        .init(
            "make", .choice("idle never") { $0.transcripts.areMade = $1 == 0 }, "idle",
            "With idle, the speaker finds the times of the words of a recording that has its text beside it (river.txt and river.mp3). It does so while nothing plays."
        ),
        .init(
            "cache", .path(canBeEmpty: false) { $0.transcripts.cachePath = $1 }, "/var/cache/nightstand-words",
            rank: .last,
            "The folder in which the speaker keeps the times of words."),
    ]

    static let ofScreen: [Setting] = [
        .init(
            "enabled", .flag { $0.screen.isEnabled = $1 }, "no",
            "With yes, a panel shows the player and the library (HDMI, DSI, DPI or SPI). A process of its own draws: \"systemctl enable --now nightstand-screen\" starts it. It needs what the package recommends: libfreetype6, libharfbuzz0b, libpng, libturbojpeg0, fonts-inter."
        ),
        .init(
            "device",
            .text(expected: "such as /dev/dri/card0 or /dev/fb1, or nothing") {
                guard $1.isEmpty || $1.begins(with: "/dev/") else { return false }
                $0.screen.device = $1
                return true
            }, "", form: "PATH",
            "The panel, such as /dev/dri/card1 or /dev/fb1. Empty: the first with something connected; a card with a late driver takes the place of /dev/fb0."
        ),
        .init(
            "output",
            .choice("auto flip update fb") {
                $0.screen.output = [.automatic, .flip, .update, .framebuffer][$1]
            }, "auto", rank: .last,
            "The way of pictures to the panel: flip shows two buffers in turn; update has one, and tells the driver what has changed; fb takes /dev/fb*, with 16, 24 or 32 bits in any order; auto takes what the driver does best."
        ),
        .init(
            "rotation", .choice("0 90 180 270") { $0.screen.rotation = [0, 90, 180, 270][$1] }, "0",
            "The angle at which the panel is mounted, in degrees clockwise. Touches turn with it."),
        .init(
            "layout", .choice("full simple") { $0.screen.isSimple = $1 == 1 }, "full",
            "With simple, only the player and the books, both very large, for old eyes and the half asleep: no search, no settings, no menus. Lines are at least 12 mm high and buttons 20 mm, if the panel says how large it is and has the room."
        ),
        .init(
            "text_size", .number(50, 400) { $0.screen.textPercent = $1 }, "100", "The size of letters, in percent."),
        .init(
            "theme", .choice("light dark auto") { $0.screen.theme = [.light, .dark, .byHour][$1] }, "auto",
            "light is light at any hour, and auto by day. At night, auto and dark are amber on black, without any blue and a quarter as bright. A dark panel shows the clock first when it wakes then."
        ),
        .init(
            "backlight",
            .text(expected: "a name in /sys/class/backlight, or nothing") {
                if $1.utf8.contains(UInt8(ascii: "/")) || $1.begins(with: ".") { return false }
                $0.screen.backlight = $1
                return true
            }, "", form: "NAME", "The panel's lamp, a name in /sys/class/backlight. Empty: the first."),
        .init(
            "brightness", .number(1, 100) { $0.screen.brightness = $1 }, "80",
            "The brightness of that lamp, in percent."),
        .init(
            "dim_brightness", .number(0, 100) { $0.screen.dimBrightness = $1 }, "10",
            "The brightness of the lamp once the panel has dimmed, in percent."),
        .init(
            "dim_seconds", .number(0, 86_400) { $0.screen.dimSeconds = $1 }, "60",
            "The seconds after the last touch until the panel dims. 0: never. A touch or a button wakes it, and a touch does nothing else."
        ),
        .init(
            "off_seconds", .number(0, 86_400) { $0.screen.offSeconds = $1 }, "0",
            "The seconds after the last touch until the panel goes dark. 0: never."),
        .init(
            "off_at_night", .flag { $0.screen.isOffAtNight = $1 }, "yes",
            "With yes, the panel goes dark at night when it dims by day."),
        .init(
            "reduce_motion", .flag { $0.screen.reducesMotion = $1 }, "no",
            "With yes, pictures fade into each other, and nothing moves across the panel."),
        .init(
            "reduce_transparency", .flag { $0.screen.reducesTransparency = $1 }, "no",
            "With yes, plain surfaces replace glass."),
        .init(
            "contrast", .choice("normal more") { $0.screen.hasMoreContrast = $1 == 1 }, "normal",
            "The contrast of text: 4.5:1 with normal, 7:1 with more."),
        .init(
            "low_power", .flag { $0.screen.savesPower = $1 }, "no",
            "With yes, there is no blur, and 15 pictures a second."),
        .init(
            "input", .flag { $0.screen.hasInput = $1 }, "yes", rank: .last,
            "With yes, touch panels, mice and keyboards work the panel."),
        .init(
            "calibration",
            .text(expected: "six numbers, such as 1 0 0 0 1 0, or nothing") {
                let numbers = $1.utf8.split(separator: 0x20).compactMap { Decimals.number(Array($0)) }
                if numbers.count != ($1.isEmpty ? 0 : 6) { return false }
                $0.screen.calibration = numbers
                return true
            }, "", rank: .last, form: "A B C D E F",
            "The place of a touch: A x + B y + C across and D x + E y + F down, of 0 to 1, as LIBINPUT_CALIBRATION_MATRIX has them. Empty: 1 0 0 0 1 0."
        ),
        .init(
            "fonts", .path(canBeEmpty: true) { $0.screen.fontsPath = $1 }, "", rank: .last,
            "A file that says which fonts are for which characters, before those of Debian. A line is RANGES [WEIGHT] FILE, such as\n    U+0600-06FF U+FB50-FDFF /fonts/Naskh.ttf\n    * bold /fonts/Own-Bold.otf\nSpaces separate ranges, and * is for all characters. WEIGHT is light, regular, medium, semibold or bold; regular if it is missing. The first line with a font that has the character counts; of lines with the same ranges, the one with the nearest weight. Empty: Inter (package fonts-inter), and Noto and Droid for what Inter lacks, if fonts-noto-core, fonts-noto-color-emoji and fonts-droid-fallback are installed."
        ),
        .init("scale", .former("the panel's size says it; text_size is yours") { _, _ in }),
        .init(
            "night",
            .former("the hours of [night] are those of the panel, too") { reader, value throws(ConfigurationError) in
                try reader.setFormerNight(value)
            }),
    ]

    static let ofConsole: [Setting] = [
        .init(
            "serial", .path(canBeEmpty: true) { $0.console.serialDevice = $1 }, "",
            "A serial line with a console, such as /dev/serial0. Switch off a login on it first: \"systemctl disable --now serial-getty@serial0\". Empty: none."
        ),
        .init(
            "baud",
            .own { reader, value throws(ConfigurationError) in
                guard let baud = Int(value), LineSpeed.bauds.contains(baud) else {
                    let rates = LineSpeed.bauds.map { "\($0)" }.joined(separator: ", ")
                    throw reader.refusal(value, expected: "one of " + rates)
                }
                reader.result.console.baud = baud
            }, "115200", rank: .last, form: "RATE",
            "The speed of the serial line, a rate that the kernel takes from 1200 to 4000000."),
        .init(
            "socket",
            .own { reader, value throws(ConfigurationError) in
                try reader.check(path: value, canBeEmpty: true)
                // sockaddr_un has 108 bytes with the terminator.
                if value.utf8.count > 107 {
                    throw reader.error(reader.key + " is too long", expected: "a path of at most 107 bytes")
                }
                reader.result.console.socketPath = value
            }, "/run/nightstand/socket", rank: .last, form: "PATH",
            "The socket for \"nightstand console\" and for MPD remotes such as mpc. A program that may use it, or the serial line, may do everything. Empty: none."
        ),
        .init(
            "listen",
            .text(
                expected:
                    "ADDRESS:PORT in numbers, such as 192.168.1.5:6600 or [::]:6600, or a port alone for every address"
            ) {
                let address = InternetAddress(parsing: $1)
                $0.console.listen = address
                return $1.isEmpty || address != nil
            }, "", form: "ADDRESS:PORT",
            "The address to which MPD remotes come over the network, in numbers: 192.168.1.5:6600, [fe80::1%eth0]:6600, [::]:6600. A port alone means every address. The speaker waits for an address that is not there yet, and for a port that another program has. The service has no network: \"systemctl enable --now nightstand-remote.socket\" holds the port for it (see nightstand(1)), and then this key says nothing. Empty: nowhere."
        ),
        .init(
            "password", .secretPath { $0.console.passwordPath = $1 }, "",
            "A file with passwords for those remotes, one on each line: PASSWORD@PERMISSION,PERMISSION as with MPD. A password alone opens everything; empty lines, and lines that begin with #, say nothing. The user nightstand must be able to read the file, and no other user should. The speaker reads it at its start; if it cannot, or if the file has a mistake, it lets no remote in over the network. After a wrong password the next one from the same place waits, longer each time, up to 8 seconds. Empty: none.\nThe permissions:\n- read: To look at the player, the queue, the library and the transcripts.\n- add: To put into the queue.\n- player: To play, to arrange the queue, to set the volume.\n- control: The rights of player, and to change stored playlists, favorites, bookmarks, alarms and settings, to mark books as finished, to have the library updated, to open the menu and a screen of the panel.\n- admin: Outputs and stickers; with a password also forget, backup and restore."
        ),
        .init(
            "default_permissions",
            .own { reader, value throws(ConfigurationError) in
                do throws(PasswordFile.Mistake) {
                    reader.result.console.defaultPermissions =
                        value.isEmpty ? nil : value == "none" ? [] : try PasswordFile.permissions(value)
                } catch let mistake {
                    throw reader.error(reader.key + ": " + mistake.problem, expected: mistake.expected)
                }
            }, "", form: "none | PERMISSION,...",
            "The rights of those remotes without a password: none, or some of read, add, player, control and admin, with commas between them. Backup, restore, forget and the device's buttons always want a password. Empty: read, add and control, or nothing if there is a file with passwords."
        ),
    ]
}

#if !hasFeature(Embedded)
    extension SettingSection {
        /// The manual's text before the settings of a section.
        var text: String {
            switch self {
            case .audio, .playing, .people, .library, .state, .playlists, .transcripts, .console: ""
            case .night: "For a board that knows the time of day. A sound that goes on into the night is not stopped."
            case .voice:
                "The voice follows the volume, but always stays audible. It lowers a playing item by 12 dB, or as \"lower\" says. The next press cuts it off."
            case .buttons:
                "A button takes one source, or several with | between them. A button that is not written is not there. jack is the switch in a socket for headphones, pressed while they are not in it. A source is a GPIO line, LINE[,active-low][,pull-up|,pull-down][,debounce=MS], or a key of a keyboard or remote control, input:KEY[@DEVICE][,grab], as in\n    play = GPIO17,active-low,pull-up | input:KEY_PLAYPAUSE | input:KEY_SPACE@Logitech K400\n- LINE: The line as the kernel names it (GPIO17; \"gpioinfo\" lists them), its BCM number (17), or chip and offset (gpiochip0:17). A line can have one use.\n- active-low: For a button between line and ground.\n- pull-up, pull-down: Switches on the board's own resistor. A button to ground needs pull-up, unless a resistor to 3.3 V is there.\n- debounce: The milliseconds for which a level must be stable to count, 0 to 1000; 8 if it is missing.\n- KEY: The key by the kernel's name (KEY_PLAYPAUSE) or number (164). \"sudo evtest\" shows both.\n- DEVICE: Only the device with exactly that name, as evtest shows it. Devices may come and go at any time.\n- grab: No other program gets what that device tells, such as a login at the screen, or what shuts the board down at KEY_POWER.\nKnobs are volume, and jog for what you like. A source is a rotary encoder on two GPIO lines, encoder:LINE,LINE[,detents=N][,active-low][,pull-up|,pull-down], or a wheel of an input device, input:AXIS[@DEVICE][,grab].\n- encoder: It turns to the right if the first line leads. Exchange the lines if left and right are the wrong way round.\n- detents: The number of changes of the lines from one detent to the next: 4 (most encoders, and if it is missing), 2 or 1.\n- AXIS: REL_DIAL, REL_WHEEL, REL_HWHEEL, REL_MISC, REL_X or REL_Y."
            case .gestures:
                "BUTTON.GESTURE = COMMAND says what a gesture does.\nGestures:\n- press: Acts as the button goes down, if it has nothing else or a hold that does the same. With long it acts as the button comes up, and with double it waits for the second press.\n- long: Acts once the button was down for half a second (long_ms).\n- longer: Acts after one and a half seconds; then long acts as the button comes up.\n- double: Two presses. If press is play-pause, double is sentence repeat or sentence loop, and there is no hold, nothing waits: the first press acts at once, and a second one plays the sentence.\n- triple: One press more, on top of what double has done; only if there is a double.\n- hold: Acts from half a second on, again and again.\nA button has long and longer, or hold, not both: writing one takes the other's default away. A press that does something else takes the default's double away.\nCommands:\n- none, play-pause, play, pause, stop, next, previous: As they say.\n- forward SECONDS, back SECONDS: 1 to 3600.\n- volume-up PERCENT, volume-down PERCENT: 1 to 100; 5 if it is missing.\n- speed-up PERCENT, speed-down PERCENT: 5 to 100 in steps of 5; 10 if it is missing.\n- favourite: Keeps the item, or forgets it.\n- bookmark: Keeps the sentence being spoken, or forgets it.\n- sleep: Press by press 15, 30, 45 and 60 minutes, the end of the chapter, and off.\n- sleep MINUTES, sleep chapter, sleep 3 chapters, sleep item, sleep book, sleep off: Sets the timer at once.\n- sentence next, previous, repeat, loop, a, b or off: Goes by sentences. loop repeats one again and again, and off; a and b are the ends of a stretch to repeat.\n- menu: Opens the menu, or leaves it. In it back, forward and each knob go up and down, play chooses, and play.long goes back.\n- menu next, previous, choose, back or leave: One step in it.\n- interrupt SECONDS, interrupt end: For a doorbell's line. The sound pauses, and goes on after 1 to 3600 seconds.\n- alarm snooze, alarm end: To what rings.\n- say: With a voice: the title, the time, and the time that is left.\n- describe: From now on each button says what it would do, and does nothing; a second time ends that.\n- lock: From now on the buttons do nothing but say that they are locked; a second time ends that. An alarm hears them all the same.\n- screen NAME: Opens a page of the panel: \(ScreenName.list).\nWith a voice play.longer is menu and play.triple is say; else play.longer is screen library with a panel, and menu with an LCD. KNOB.right and KNOB.left are what each detent of a knob does. The defaults:"
            case .haptics: "A motor or a piezo that a hand feels."
            case .lcd: "A character LCD."
            case .light: "A lamp that becomes brighter before an alarm, and shines until the alarm ends."
            case .network: "Stations, podcasts and recordings from the internet."
            case .bridge:
                "An MQTT broker, by which Home Assistant finds the speaker, shows what it plays, and plays, pauses and announces. The speaker has no network of its own: \"systemctl enable --now nightstand-bridge\" starts the process that has."
            case .bluetooth:
                "Headphones without a wire. The menu has Headphones, and there New headphones: each that is near is said and shown, and play connects it. Connected headphones have the sound and a volume of their own; when they go, the sound pauses. An alarm rings at the card. \"systemctl enable --now nightstand-headphones\" starts the process that drives them."
            case .screen:
                "A choice at the panel counts instead of these settings, until you delete /var/lib/nightstand-screen/settings. By buttons: a longer press of play shows the library, and a frame shows where you are. Forward and back go on, play chooses, and play held shows what can be done. Hold forward, or turn the jog, and it goes faster and faster, then letter by letter. After the last comes the first. Back held leads back, and back held longer leads to the tabs. Without that frame, as after a touch, the buttons do what they always do. What you have deleted comes back if you choose Undo within five seconds."
            }
        }
    }
#endif
