// SPDX-License-Identifier: Apache-2.0
import Controls
import Core
import Foundation
import Posix
import TestSupport
import Testing

@testable import Configuration

@Suite struct ConfigurationTests {
    private func parse(_ text: String) throws(ConfigurationError) -> Configuration {
        try Configuration(parsing: Array(text.utf8), file: "n.conf")
    }

    private func expectDefaults(_ configuration: Configuration) {
        let defaults = Configuration()
        #expect(configuration.audio == defaults.audio && configuration.playing == defaults.playing)
        #expect(configuration.night == defaults.night && configuration.people == defaults.people)
        #expect(configuration.voice == defaults.voice && configuration.transcripts == defaults.transcripts)
        #expect(configuration.haptics.strengthPercent == defaults.haptics.strengthPercent)
        #expect(configuration.haptics.pwmHertz == defaults.haptics.pwmHertz && !configuration.haptics.isThere)
        #expect(configuration.light == defaults.light && configuration.screen == defaults.screen)
        #expect(configuration.playlistsFolder == defaults.playlistsFolder && configuration.warnings.isEmpty)
        #expect(configuration.libraryPath == defaults.libraryPath)
        #expect(configuration.statePath == defaults.statePath)
        #expect(configuration.lcd == defaults.lcd)
        #expect(configuration.console == defaults.console)
        #expect(configuration.network == defaults.network)
        for button in ButtonName.allCases {
            for gesture in Gesture.allCases {
                #expect(configuration.gestures[button, gesture] == defaults.gestures[button, gesture])
            }
        }
        #expect(configuration.gestures.longMilliseconds == defaults.gestures.longMilliseconds)
        #expect(configuration.gestures.doubleMilliseconds == defaults.gestures.doubleMilliseconds)
        #expect(configuration.gestures.repeatMilliseconds == defaults.gestures.repeatMilliseconds)
        #expect(configuration.gestures.refuseMilliseconds == defaults.gestures.refuseMilliseconds)
    }

    /// The configuration accepts every rate that the kernel accepts.
    @Test func everyRateOfASerialLineIsTaken() throws {
        for baud in LineSpeed.bauds {
            #expect(try parse("[console]\nbaud = \(baud)").console.baud == baud)
        }
    }

    @Test func nothingAtAllIsAllDefaults() throws {
        for text in ["", "\n", "# only a comment", "[audio]\n[lcd]\n", "\u{FEFF}"] {
            let configuration = try parse(text)
            expectDefaults(configuration)
            #expect(configuration.buttons.isEmpty)
        }
    }

    @Test func everyKeyArrivesWhereItBelongs() throws {
        let configuration = try parse(
            """
            \u{FEFF}[audio]\r
            device = plughw:CARD=sndrpihifiberry,DEV=0 ; the DAC\r
            mixer: Digital
              buffer_ms=900
            \tidle_close = 20
            priority = 0
            cut = drop
            [library]
            path = /srv/Hörbücher; alle
            [state]
            path=/data/state
            [ buttons ]
            play = 17 , active-low , pull-up
            back = gpiochip0:27,debounce=0
            forward = /dev/gpiochip1:4,pull-down,debounce=1000
            volume-up =
            [gestures]
            forward.hold = forward 10
            play.double = next
            long_ms = 700
            [lcd]
            device = /dev/lcd
            width = 20
            height = 4
            rom = a02
            [network]
            enabled = yes
            cache = /data/cache
            cache_mb = 50
            station_kb = 256
            socket = /run/f
            credentials = /etc/servers
            quality = 96
            [bridge]
            broker = broker.local
            port = 1883
            tls = no
            authority = /etc/authority.pem
            credentials = /etc/broker
            [console]
            serial = /dev/ttyAMA0
            baud = 9600
            socket =
            [audio] ; again
            """)
        #expect(
            configuration.audio
                == Configuration.Audio(
                    device: "plughw:CARD=sndrpihifiberry,DEV=0", mixer: "Digital", bufferMilliseconds: 900,
                    priority: 0, cut: .drop, idleCloseSeconds: 20))
        #expect(configuration.libraryPath == "/srv/Hörbücher; alle")
        #expect(configuration.statePath == "/data/state")
        #expect(
            configuration.buttons == [
                Configuration.Button(
                    name: .play, line: "GPIO17", isActiveLow: true, bias: .pullUp, debounceMilliseconds: 8,
                    sourceLine: 13),
                Configuration.Button(
                    name: .back, line: "gpiochip0:27", isActiveLow: false, bias: .asIs, debounceMilliseconds: 0,
                    sourceLine: 14),
                Configuration.Button(
                    name: .forward, line: "gpiochip1:4", isActiveLow: false, bias: .pullDown,
                    debounceMilliseconds: 1000, sourceLine: 15),
            ])
        #expect(configuration.gestures[.forward, .hold] == .skip(milliseconds: 10_000))
        #expect(configuration.gestures[.forward, .long] == .none)
        #expect(configuration.gestures[.play, .double] == .next)
        #expect(configuration.gestures.longMilliseconds == 700)
        #expect(configuration.lcd == Configuration.LCD(device: "/dev/lcd", width: 20, height: 4, rom: .a02))
        #expect(
            configuration.bridge
                == Configuration.Bridge(
                    host: "broker.local", port: 1883, usesTLS: false, authorityPath: "/etc/authority.pem",
                    credentialsPath: "/etc/broker"))
        #expect(
            configuration.network
                == Configuration.Network(
                    isEnabled: true, cachePath: "/data/cache", cacheMegabytes: 50, stationKilobytes: 256,
                    socketPath: "/run/f", credentialsPath: "/etc/servers", quality: .kilobits(96)))
        #expect(
            configuration.console
                == Configuration.Console(serialDevice: "/dev/ttyAMA0", baud: 9600, socketPath: ""))
    }

    @Test func keysAndKnobs() throws {
        let configuration = try parse(
            """
            [buttons]
            play = GPIO17,active-low,pull-up | input:KEY_PLAYPAUSE|input:57@Logitech, Inc. K400,grab
            next = input:KEY_NEXTSONG
            volume = encoder:5, GPIO6,detents=2,active-low,pull-up | input:REL_DIAL@Dial
            jog = encoder:gpiochip0:7,8
            [gestures]
            volume.right = volume-up 3
            jog.left = previous
            """)
        #expect(configuration.buttons.map(\.line) == ["GPIO17"])
        #expect(
            configuration.keys == [
                .init(name: .play, input: .init(code: InputCode(.key, 164))),
                .init(
                    name: .play, input: .init(code: InputCode(.key, 57), device: "Logitech, Inc. K400", isGrabbed: true)
                ),
                .init(name: .next, input: .init(code: InputCode(.key, 163))),
            ])
        #expect(
            configuration.knobs == [
                .init(
                    name: .volume,
                    encoders: [
                        .init(lineA: "GPIO5", lineB: "GPIO6", isActiveLow: true, bias: .pullUp, quartersEach: 2)
                    ], axes: [.init(code: InputCode(.axis, 7), device: "Dial")], sourceLine: 4),
                .init(name: .jog, encoders: [.init(lineA: "gpiochip0:7", lineB: "GPIO8")], sourceLine: 5),
            ])
        #expect(configuration.gestures[.volume, .right] == .volume(step: 3))
        #expect(configuration.gestures[.volume, .left] == .volume(step: -2))
        #expect(configuration.gestures[.jog, .left] == .previous)
    }

    @Test func whoComesOverTheNetwork() throws {
        let console = try parse(
            "[console]\nlisten = [::]:6600\npassword = /etc/nightstand.passwords\ndefault_permissions = read, add\n"
        ).console
        #expect(console.listen == InternetAddress(parsing: "[::]:6600"))
        #expect(console.passwordPath == "/etc/nightstand.passwords")
        #expect(console.defaultPermissions == [.read, .add])
        #expect(try parse("[console]\ndefault_permissions = none").console.defaultPermissions == [])
        #expect(try parse("[console]\nlisten = 6600").console.listen?.bytes == [])
    }

    @Test func aShortBufferGetsPeriodsThatSuitIt() throws {
        #expect(try parse("[audio]\nbuffer_ms = 200\n").audio.periodMilliseconds == 50)
        #expect(try parse("[audio]\nbuffer_ms = 50\n").audio.periodMilliseconds == 12)
        #expect(try parse("[audio]\nbuffer_ms = 1000\n").audio.periodMilliseconds == 500)
    }

    @Test(
        arguments: [
            (
                "[console]\nlisten = speaker.local:6600", 2,
                "listen is 'speaker.local:6600', expected ADDRESS:PORT in numbers, such as 192.168.1.5:6600 or [::]:6600,"
            ),
            // The wrong value may be the password itself.
            (
                "[console]\npassword = secret@read", 2,
                "password is not a path, expected the path of a file, such as /etc/nightstand.password"
            ),
            (
                "[console]\ndefault_permissions = read,write", 2,
                "default_permissions: unknown permission, expected some of read, add, player, control, admin between"
            ),
            ("[lcd]\nrom = A\t0", 2, "rom is 'A 0', expected A00 (Japanese) or A02 (European)"),
            (
                "[buttons]\nplay = input:KEY_PLAYPAUS", 2,
                "unknown key 'KEY_PLAYPAUS', expected 'KEY_PLAYPAUSE' perhaps: a name such as KEY_PLAYPAUSE or a number"
            ),
            ("[buttons]\nplay = input:REL_DIAL", 2, "unknown key 'REL_DIAL', expected"),
            ("[buttons]\nplay = input:KEY_A@", 2, "no device behind '@', expected its name, as evtest shows it"),
            ("[buttons]\nplay = GPIO1 | ", 2, "nothing beside '|', expected a line or a key on both sides of it"),
            (
                "[buttons]\nplay = input:KEY_A\nnext = input:30", 3,
                "key KEY_A for 'next', expected another key: 'play' has it"
            ),
            (
                "[buttons]\nvolume = GPIO5", 2,
                "'GPIO5' for a knob, expected encoder:LINE,LINE and options behind commas"
            ),
            ("[buttons]\nvolume = encoder:GPIO5", 2, "an encoder on 'GPIO5', expected two lines: encoder:GPIO5,GPIO6"),
            ("[buttons]\nvolume = encoder:5,GPIO5", 2, "an encoder on one line, expected two: encoder:GPIO5,GPIO6"),
            (
                "[buttons]\nvolume = encoder:5,6,detents=3", 2,
                "detents is 3, expected 1, 2 or 4 changes of the lines each"
            ),
            (
                "[buttons]\nplay = 5\njog = encoder:5,6", 3,
                "line GPIO5 for 'a knob', expected another line: 'play' has it"
            ),
            (
                "[buttons]\njog = encoder:5,6\nplay = 6", 3,
                "line GPIO6 for 'play', expected another line: 'jog' has it in"
            ),
            ("[buttons]\nvolume = input:KEY_A", 2, "unknown axis 'KEY_A', expected one of REL_X, REL_Y, REL_HWHEEL"),
            ("[gestures]\nvolume.press = next", 2, "volume.press: unknown turn 'press', expected right or left"),
            // Keys and sections.
            (
                "[audio]\nbufer_ms = 5", 2,
                "unknown key 'bufer_ms' in [audio], expected 'buffer_ms' perhaps: one of device,"
            ),
            ("[audio]\nvolume = 5", 2, "unknown key 'volume' in [audio], expected one of device, mixer"),
            (
                "\n[adio]\n", 2,
                "unknown section 'adio', expected 'audio' perhaps: one of audio, playing, night, people, voice, library"
            ),
            ("[]", 1, "unknown section ''"),
            ("[audio", 1, "a section without ']', expected [section]"),
            ("[audio] device = x", 1, "text after ']', expected [section] on a line of its own"),
            ("device = x", 1, "'device' before any section, expected a section first"),
            ("[audio]\ndevice\n", 2, "neither [section] nor key, expected KEY = VALUE"),
            ("[audio]\n= x", 2, "unknown key ''"),
            ("[audio]\ncut = drop\n\n[lcd]\n[audio]\ncut = drop", 6, "'cut' again, expected it once: line 2 sets it"),
            ("[buttons]\nplai = 17", 2, "unknown key 'plai' in [buttons], expected 'play' perhaps"),
            ("[buttons]\nPlay = 17", 2, "expected 'play' perhaps"),
            // Numbers.
            ("[audio]\nbuffer_ms = 49", 2, "buffer_ms is '49', expected a whole number from 50 to 10000"),
            ("[audio]\nbuffer_ms = 10001", 2, "from 50 to 10000"),
            ("[audio]\nbuffer_ms = -1", 2, "buffer_ms is '-1'"),
            ("[audio]\nbuffer_ms = 2 s", 2, "buffer_ms is '2 s'"),
            ("[audio]\nbuffer_ms =", 2, "buffer_ms is ''"),
            ("[audio]\nbuffer_ms = 99999999999999999999999", 2, "from 50 to 10000"),
            ("[audio]\nbuffer_ms = ２０００", 2, "from 50 to 10000"),
            ("[audio]\npriority = 100", 2, "from 0 to 99"),
            ("[console]\nbaud = 115201", 2, "baud is '115201', expected one of 1200, 2400"),
            ("[lcd]\nwidth = 41", 2, "width is '41', expected a whole number from 8 to 40"),
            ("[lcd]\nheight = 3", 2, "height is '3', expected one of 1, 2, 4"),
            ("[lcd]\nheight = 4\nwidth = 24", 3, "an LCD of 24 x 4 cells"),
            // Words and paths.
            ("[audio]\ncut = rewnd", 2, "cut is 'rewnd', expected 'rewind' perhaps: one of auto, rewind, drop"),
            ("[audio]\ndevice =", 2, "device is '', expected an ALSA device"),
            ("[audio]\ndevice = \"default\"", 2, "'device' in quotation marks, expected the bare value"),
            ("[audio]\ndevice = default # my DAC", 2, "' #' within the value of 'device', expected ';'"),
            ("[lcd]\nrom = A01", 2, "rom is 'A01', expected A00 (Japanese) or A02 (European)"),
            ("[library]\npath = books", 2, "path is 'books', expected a path from the root"),
            ("[library]\npath =", 2, "path is '', expected a path from the root"),
            ("[state]\npath = ~/state", 2, "expected a path from the root"),
            ("[console]\nsocket = /" + String(repeating: "s", count: 107), 2, "a path of at most 107 bytes"),
            // Buttons.
            ("[buttons]\nplay = ,active-low", 2, "no GPIO line in '', expected a line such as GPIO17"),
            ("[buttons]\nplay = GPIO 17", 2, "no GPIO line in 'GPIO 17'"),
            ("[buttons]\nplay = active-low=1", 2, "no GPIO line in 'active-low=1'"),
            ("[buttons]\nplay = -1", 2, "line '-1', expected a BCM number from 0"),
            ("[buttons]\nplay = 17,active_low", 2, "unknown option 'active_low', expected 'active-low' perhaps"),
            ("[buttons]\nplay = 17,", 2, "unknown option ''"),
            ("[buttons]\nplay = 17,debounce=1001", 2, "debounce is '1001', expected a whole number from 0 to 1000"),
            ("[buttons]\nplay = 17,debounce", 2, "unknown option 'debounce'"),
            ("[buttons]\nplay = 17,pull-up,pull-down", 2, "a second pull, expected pull-up or pull-down"),
            (
                "[buttons]\nplay = 17\nback = GPIO17", 3,
                "line GPIO17 for 'back', expected another line: 'play' has it in line 2"
            ),
            (
                "[buttons]\nplay = gpiochip0:1\nback = /dev/gpiochip0:1,pull-up", 3,
                "expected another line: 'play' has it in line 2"
            ),
            // Gestures.
            (
                "[gestures]\nplay.long = favorite", 2,
                "play.long: unknown command 'favorite', expected 'favourite' perhaps"
            ),
            (
                "[gestures]\nlong_ms = 400\nnext.long = stop\n[buttons]\nplay = 17\n", 3,
                "a gesture of 'next', which is not under [buttons], expected"
            ),
            (
                "[gestures]\nlog_ms = 5", 2,
                "unknown key 'log_ms' in [gestures], expected BUTTON.GESTURE such as play.long, or 'long_ms' perhaps: one of long_ms,"
            ),
            ("[gestures]\nplay.tap = next", 2, "play.tap: unknown gesture 'tap'"),
            ("[gestures]\nlong_ms = 0", 2, "long_ms is '0', expected a whole number from 200 to 5000"),
            ("[gestures]\nplay.long = next\nplay.hold = next", 3, "play.hold: 'play.hold' beside 'play.long'"),
            // Foreign bytes.
            ("[audio]\ndevice = a\u{0}b", 2, "a byte that is no text, expected a plain text file in UTF-8"),
            ("[audio]\ndevice = \u{1B}[31m", 2, "a byte that is no text"),
            ("[audio]\rdevice = x\r", 1, "a byte that is no text"),
            ("[audio]\n; = x\ndevice ;= x", 3, "neither [section] nor key, expected KEY = VALUE"),
        ] as [(String, Int, String)])
    func mistakesAreRefusedWithFileLineAndWhatWasExpected(text: String, line: Int, message: String) {
        do throws(ConfigurationError) {
            _ = try parse(text)
            Issue.record("accepted: \(text)")
        } catch {
            #expect(error.message.hasPrefix("n.conf:\(line): "), "\(error.message)")
            #expect(error.message.contains(message), "\(error.message)")
        }
    }

    @Test func theFirstMistakeOfTheGrammarIsTheOneThatIsNamed() {
        for (text, line) in [("x\n[audio]\ndevice = \u{1}", 1), ("[audio]\n\u{1}\nx", 2)] {
            let error = #expect(throws: ConfigurationError.self) { try parse(text) }
            #expect(error?.line == line)
        }
    }

    @Test func blanksCommentsAndSigns() throws {
        for line in [
            "device=x y", "\tdevice\t=\tx y\t", "device = x y ; a comment", "device: x y", "device = x y\t;;",
            "device = x y\r",
        ] {
            #expect(try parse("\u{FEFF}# one\n  ; two\n\n [ audio ] ; three\n\(line)").audio.device == "x y", "\(line)")
        }
        #expect(try parse("[audio]\ndevice = x;y=z:1").audio.device == "x;y=z:1")
    }

    @Test func linesMayBeAsLongAsTheyLike() throws {
        let device = String(repeating: "x", count: 1880)
        let text = "[audio]\n# " + String(repeating: "long ", count: 10_000) + "\n   device = \(device)   \n"
        #expect(try parse(text).audio.device == device)
    }

    /// Any mistake under [console] keeps all ports closed, since it may be in the password. A mistake elsewhere opens and shuts nothing.
    @Test func aDoorWhoseLockIsMistakenStaysShut() {
        func listens(_ text: String) -> Bool {
            let configuration = Configuration(reading: Array(text.utf8), file: "n.conf")
            #expect(configuration.mistakes.count == 1, "\(text)")
            return configuration.console.listen != nil
        }
        let door = "[console]\nlisten = 6600\n"
        for wrong in [
            "pasword = /etc/x", "password /etc/x", "password = \"/etc/x\"", "default_permissions = all", "listen = 1",
        ] {
            #expect(!listens(door + wrong + "\n"), "\(wrong)")
            #expect(!listens("[console]\n" + wrong + "\nlisten = 6600\n") || wrong == "listen = 1", "\(wrong)")
        }
        #expect(listens(door + "[lcd]\nrom = A01\n") && listens("[lcd]\nno equals sign\n" + door))
    }

    // MARK: Files

    @Test func aMissingFileIsAnErrorOnlyWhereItWasNamed() throws {
        let error = #expect(throws: ConfigurationError.self) { try Configuration.load(path: "/nowhere/n.conf") }
        #expect(error?.message == "/nowhere/n.conf: No such file or directory")
        let folder = #expect(throws: ConfigurationError.self) { try Configuration.load(path: "/tmp") }
        #expect(folder?.message.hasPrefix("/tmp: ") == true)
        if !FileManager.default.fileExists(atPath: Configuration.defaultPath) {
            expectDefaults(try Configuration.load(path: nil))
        }
    }

    @Test func aFileTooLargeToBeAConfigurationIsRefused() throws {
        let path = NSTemporaryDirectory() + "nightstand-\(UUID().uuidString).conf"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(repeating: 0x23, count: Configuration.mostBytes + 1).write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: ConfigurationError.self) { try Configuration.load(path: path) }
        #expect(error?.message == path + ": File too large")
        try Data("[lcd]\nwidth = 20\n".utf8).write(to: URL(fileURLWithPath: path))
        #expect(try Configuration.load(path: path).lcd.width == 20)
    }

    // MARK: The sample

    /// With every key switched on.
    private static var sampleSwitchedOn: String {
        get throws {
            try SettingDocuments.contents(SettingDocuments.sample)
                .split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.hasPrefix("#") && !$0.hasPrefix("# ") ? String($0.dropFirst()) : String($0) }
                .joined(separator: "\n")
        }
    }

    @Test func theSampleAsItShipsIsAllDefaults() throws {
        let configuration = try parse(try SettingDocuments.contents(SettingDocuments.sample))
        expectDefaults(configuration)
        #expect(configuration.buttons.isEmpty)
    }

    @Test func theSampleSwitchedOnShowsEveryKeyWithItsDefault() throws {
        let text = try Self.sampleSwitchedOn
        let configuration = try parse(text)
        expectDefaults(configuration)
        #expect(configuration.buttons.map(\.name) == ButtonName.allCases)
        #expect(configuration.buttons.allSatisfy { $0.isActiveLow && $0.bias == .pullUp })
        #expect(configuration.buttons.allSatisfy { $0.debounceMilliseconds == 8 })
        let entries = try INIFile.entries(of: Array(text.utf8), file: "sample")
        var written: [String: [String]] = [:]
        for entry in entries {
            if case .value(let key, _) = entry.content { written[entry.section, default: []].append(key) }
        }
        for section in SettingSection.allCases where section != .gestures {
            #expect(written[section.rawValue]?.sorted() == ConfigurationReader.keys(of: section).sorted(), "\(section)")
        }
        let gestures = SettingDocuments.gestures.map(\.key) + ConfigurationReader.keys(of: .gestures)
        #expect(written["gestures"]?.sorted() == gestures.sorted())
        for key in SettingDocuments.gestures {
            #expect(throws: Never.self) { try parse("[gestures]\n\(key.key) = \(key.value)") }
        }
    }

    // MARK: Keys of older versions

    @Test func keysOfOlderVersionsAreTakenWithOneWarningEach() throws {
        func read(_ text: String, _ warnings: String...) throws -> Configuration {
            let configuration = try parse(text)
            #expect(configuration.warnings.map(\.message) == warnings.map { "n.conf:" + $0 })
            return configuration
        }
        let audio = try read(
            "[audio]\nperiod_ms = 20\n", "2: 'period_ms' is no longer needed: it follows from buffer_ms"
        ).audio
        #expect(audio.periodMilliseconds == 500)
        let speaker = try read("[speaker]\nafter_power_cut = play\n", "2: 'after_power_cut' is now under [playing]")
        #expect(speaker.playing.afterPowerCut == .play)
        let playing = try read(
            "[playing]\nresume = no\nkeep_pause = yes\n", "2: 'resume' is no longer needed: like_mpd = yes is its no",
            "3: 'keep_pause' is no longer needed: like_mpd = yes is its no"
        ).playing
        #expect(!playing.resumes && playing.keepsPause)
        let asMPD = try read("[playing]\nlike_mpd = yes").playing
        #expect(!asMPD.resumes && !asMPD.keepsPause && asMPD.stepsByChapter)
        let gestures = try read(
            "[gestures]\nlonger_ms = 700\nlong_ms = 1200",
            "2: 'longer_ms' is no longer needed: it follows from long_ms"
        ).gestures
        #expect(gestures.longerMilliseconds == 1700 && gestures.longMilliseconds == 1200)
        _ = try read(
            "[screen]\nscale = 100", "2: 'scale' is no longer needed: the panel's size says it; text_size is yours")
        _ = try read("[light]\npwm_hz = 200", "2: 'pwm_hz' is no longer needed: 1000 suits every lamp")
    }

    @Test func thereIsOneNight() throws {
        func hours(_ text: String) throws -> (all: NightHours?, panel: NightHours?) {
            let configuration = try parse(text)
            return (configuration.night.hours, configuration.screen.night)
        }
        let (late, early) = (NightHours(from: 23 * 60, to: 6 * 60), NightHours(from: 21 * 60, to: 5 * 60))
        #expect(try hours("") == (nil, NightHours(from: 22 * 60, to: 7 * 60)))
        #expect(try hours("[night]\nhours =") == (nil, NightHours(from: 22 * 60, to: 7 * 60)))
        #expect(try hours("[night]\nhours = never") == (nil, nil))
        #expect(try hours("[night]\nhours = 23:00-06:00") == (late, late))
        #expect(try hours("[screen]\nnight = 21:00-05:00") == (early, early))
        #expect(try hours("[screen]\nnight =") == (nil, nil))
        let (today, former) = ("[night]\nhours = 23:00-06:00\n", "[screen]\nnight = 21:00-05:00\n")
        for text in [today + former, former + today] {
            #expect(try hours(text) == (late, late), "the key of today counts")
        }
    }

    @Test func theNight() throws {
        func night(_ text: String) throws(ConfigurationError) -> Configuration.Night {
            try Configuration(parsing: Array(("[night]\n" + text).utf8), file: "x").night
        }
        let whole = try night("hours = 22:30-06:00\nsleep = 30\nvolume = 20\nloudest = 40\n")
        #expect(whole.hours == NightHours(from: 22 * 60 + 30, to: 6 * 60) && whole.sleep == .minutes(30))
        #expect(whole.startPercent == 20 && whole.mostPercent == 40 && whole.voicePercent == 100)
        #expect(try night("voice = 30\n").voicePercent == 30)
        let places: [(String, Int, Int)] = [
            ("52.52 13.40", 5_252_000, 1_340_000), ("-33.87 151", -3_387_000, 15_100_000), ("0 -0.5", 0, -50_000),
            ("90 -180", 9_000_000, -18_000_000), ("-0.00001 0.12345", -1, 12_345),
        ]
        for (text, latitude, longitude) in places {
            #expect(
                try night("hours = sun \(text)\n").hours?.sun
                    == NightHours.Place(latitude: latitude, longitude: longitude))
        }
        #expect(try night("hours =\nvolume =\n") == Configuration.Night())
        for wrong in [
            "hours = 22", "sleep = long", "sleep = 1441", "volume = 0", "volume = 101", "loudest =", "loudest = 0",
            "voice = 0", "hours = sun", "hours = sun 52.52", "hours = sun 91 0", "hours = sun 90.00001 0",
            "hours = sun 0 181", "hours = sun 1. 2", "hours = sun 1.123456 2", "hours = sun +1 2", "hours = sun 1 2 3",
            "hours = sun --1 2",
            "hours = sun 9999999999999999999999 1", "hours = sun .5 1",
        ] {
            #expect(throws: ConfigurationError.self, "\(wrong)") { try night(wrong) }
        }
    }

    @Test func theLightBeforeAnAlarm() throws {
        func whole(_ text: String) throws(ConfigurationError) -> Configuration {
            try Configuration(parsing: Array(text.utf8), file: "x")
        }
        #expect(try whole("").light.pwm == nil && whole("").lcd.isOffAtNight)
        let lamp = try whole("[lcd]\noff_at_night = no\n[light]\npwm = pwmchip0/1\nminutes = 20\n")
        #expect(lamp.light.pwm?.chip == "pwmchip0" && lamp.light.pwm?.channel == 1 && !lamp.lcd.isOffAtNight)
        #expect(lamp.light.riseMinutes == 20)
        for wrong in ["pwm = 1", "pwm = pwmchip0/x", "minutes = 0", "minutes = 121"] {
            #expect(throws: ConfigurationError.self, "\(wrong)") { try whole("[light]\n" + wrong) }
        }
    }

    @Test func peoplesLanguage() throws {
        func people(_ text: String) throws(ConfigurationError) -> Configuration.People {
            try Configuration(parsing: Array(("[people]\n" + text).utf8), file: "x").people
        }
        let none = try people("")
        #expect(none.language.isEmpty && none.wordsPath == "/usr/share/nightstand/locale")
        for language in ["de", "pt_BR", ""] { #expect(try people("language = \(language)").language == language) }
        #expect(try people("words = /srv/words").wordsPath == "/srv/words")
        for wrong in [
            "language = ../de", "language = de.UTF-8", "language = de fr", "language = -", "language = d\u{E9}",
            "language = /",
            "words =", "words = here",
        ] {
            #expect(throws: ConfigurationError.self, "\(wrong)") { try people(wrong) }
        }
    }

    @Test func withoutWordsItIsEnglish() throws {
        let configuration = try Configuration(
            parsing: Array("[people]\nlanguage = xx\nwords = /nowhere\n".utf8), file: "x")
        #expect(configuration.speakPeoplesLanguage() == "en")
        #expect(configuration.speakPeoplesLanguage(chosen: "yy") == "en")
        #expect(configuration.voiceLanguage("en") == "" && configuration.voiceLanguage("de_AT") == "de")
    }

    @Test func theVoice() throws {
        func whole(_ text: String) throws(ConfigurationError) -> Configuration {
            try Configuration(parsing: Array(("[voice]\n" + text).utf8), file: "x")
        }
        let piper = try whole(
            "enabled = yes\ncommand = piper --output-raw\nlanguage = de\nrate = 16000\nsays = by-day\ncache =\n")
        #expect(piper.voice.isEnabled && piper.voice.command == "piper --output-raw" && piper.voice.language == "de")
        #expect(piper.voice.bareRate == 16_000 && piper.voice.says == .byDay && piper.voice.cachePath.isEmpty)
        #expect(piper.gestures[.play, .triple] == .say && piper.gestures[.play, .longer] == .menu(.open))
        let beside = try whole("enabled = yes\n[screen]\nenabled = yes\n")
        #expect(beside.gestures[.play, .longer] == .menu(.open))
        #expect(try whole("").gestures[.play, .triple] == .none && whole("").gestures[.play, .longer] == .none)
        for wrong in [
            "enabled = maybe", "command =", "language = -x", "language = de en", "rate = 7999", "rate = 48001",
            "says = night", "cache = here",
        ] {
            #expect(throws: ConfigurationError.self, "\(wrong)") { try whole(wrong) }
        }
    }

    // MARK: Fuzz

    @Test(arguments: 0..<40) func damagedFilesAreReadOrRefusedWithALine(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let sample = Array(try Self.sampleSwitchedOn.utf8)
        // Without the prose, so that the damage hits keys and values.
        let lean = Array(
            try Self.sampleSwitchedOn.split(separator: "\n").filter { !$0.hasPrefix("# ") }
                .joined(separator: "\n").utf8)
        var accepted = 0
        for round in 0..<150 {
            var bytes = round % 10 == 0 ? sample : lean
            for _ in 0..<Int.random(in: 1...4, using: &generator) { damage(&bytes, using: &generator) }
            do throws(ConfigurationError) {
                let configuration = try parsed(bytes)
                accepted += 1
                let audio = configuration.audio
                #expect(audio.periodMilliseconds >= 5 && audio.periodMilliseconds * 2 <= audio.bufferMilliseconds)
                #expect((50...10_000).contains(audio.bufferMilliseconds) && (0...99).contains(audio.priority))
                #expect(configuration.libraryPath.hasPrefix("/") && configuration.statePath.hasPrefix("/"))
                #expect((8...40).contains(configuration.lcd.width) && [1, 2, 4].contains(configuration.lcd.height))
                #expect(Set(configuration.buttons.map(\.line)).count == configuration.buttons.count)
            } catch {
                #expect(error.line >= 1 && error.line <= bytes.count { $0 == 0x0A } + 1)
                #expect(error.message.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
                #expect(error.message.contains(", expected "))
            }
        }
        #expect(accepted > 0)
    }

    @Test(arguments: 0..<20) func noiseIsRefused(seed: Int) {
        var generator = SeededGenerator(seed: 7000 + UInt64(seed))
        let bytes = (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        #expect(throws: ConfigurationError.self) { try parsed(bytes) }
    }

    /// Time and memory are in proportion to the file, for any content.
    private func parsed(_ bytes: [UInt8]) throws(ConfigurationError) -> Configuration {
        let result = expectCost(CostBound(bytesPerByte: 100), inputBytes: bytes.count) {
            Result { () throws(ConfigurationError) in try Configuration(parsing: bytes, file: "n.conf") }
        }
        return try result.get()
    }

    /// Far larger than any real file: a comparison with all earlier lines would show.
    @Test(arguments: [
        "[audio]\n", "; a comment\n", "\n", "[", "x", "x = ", "[gestures]\nplay.click = ", ",", " ", ";", " #", "=\n",
        "\u{FEFF}",
        "[buttons]\nplay = 17,pull-up,", "debounce=", "\u{E9}", "[audio\n",
    ]) func hugeFilesCostTheirLength(piece: String) {
        for head in ["", "[audio]\ndevice = ", "[buttons]\nplay = 17", "[gestures]\nplay.", "[buttons]\npl"] {
            expectLinear(
                smallBytes: 4 << 10, "'\(head)'",
                make: {
                    Array(head.utf8) + Array(repeatElement(Array(piece.utf8), count: $0 / piece.utf8.count).joined())
                },
                work: { bytes in _ = try? Configuration(parsing: bytes, file: "n.conf") })
        }
    }

    private func damage(_ bytes: inout [UInt8], using generator: inout SeededGenerator) {
        guard !bytes.isEmpty else { return }
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        let length = min(Int.random(in: 1...30, using: &generator), bytes.count - place)
        switch Int.random(in: 0..<7, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.removeSubrange(place..<place + length)
        case 2: bytes.insert(contentsOf: bytes[place..<place + length], at: 0)
        case 3: bytes.insert(contentsOf: Array("=[];#,:. -\n09".utf8).shuffled(using: &generator).prefix(3), at: place)
        case 4: bytes.removeLast(bytes.count - place)
        case 5: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &generator))
        default:
            let digits = bytes.indices.filter { bytes[$0] >= 0x30 && bytes[$0] <= 0x39 }
            if let digit = digits.randomElement(using: &generator) {
                bytes[digit] = UInt8.random(in: 0x2F...0x3A, using: &generator)
            }
        }
    }
}
