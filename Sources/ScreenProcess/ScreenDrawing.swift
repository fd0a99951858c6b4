// SPDX-License-Identifier: Apache-2.0
import CPosix
import Configuration
import Design
import Model
import PNG
import Pixels
import Posix
import Scenes
import Typography
import Wire

extension ScreenSubcommand {
    /// The options of `--png`, which draws screens for documents and tests.
    public struct PictureOptions {
        /// A file with lines as the console's `screenstate` writes them; nil for a running speaker, or for one without a recording.
        public var statePath: String?
        /// A name of `Gallery.names`.
        public var name: String?
        /// The progress from paused, 0, to playing, 1; nil for the state's own.
        public var part: String?
        /// The text size, in percent.
        public var textSize: String?
        /// The comfort settings, separated by commas.
        public var comfort: String?
        /// True prints the elements to standard output.
        public var tellsTree = false

        public init() {}
    }
}

extension ScreenSubcommand.PictureOptions {
    private static let mostStateBytes = 1 << 20

    /// Draws the picture into a file. Returns the exit code.
    func draw(to path: String, _ options: ScreenSubcommand.Options, width: Int, height: Int) -> Int32 {
        guard let percent = Int(textSize ?? "100"), (50...400).contains(percent) else {
            return ScreenSubcommand.misused("bad --text-size, expected 50 to 400 percent")
        }
        let name = name ?? "player"
        guard Gallery.names.contains(where: { $0 == name }) else {
            return ScreenSubcommand.misused(
                "bad --screen '\(name)', expected " + Gallery.names.joined(separator: ", "))
        }
        let part = part.map { strtof($0, nil) }
        if let part, !(0...1).contains(part) { return ScreenSubcommand.misused("bad --at, expected 0 to 1") }
        var wishes = Stage.Comfort()
        var theme: Theme = options.theme == "dark" ? .dark : options.theme == "night" ? .night : .light
        for word in (comfort ?? "").utf8.split(separator: UInt8(ascii: ",")) {
            switch String(Substring(word)) {
            case "reduced-motion": wishes.reducesMotion = true
            case "reduced-transparency": wishes.reducesTransparency = true
            case "increased-contrast": theme = theme.withMoreContrast()
            case "low-power": wishes.savesPower = true
            default:
                return ScreenSubcommand.misused("bad --comfort, expected words that --help lists, with commas between")
            }
        }
        do throws(ConfigurationError) {
            var fonts = ""
            if let config = options.configPath {
                let configuration = try Configuration.load(path: config)
                configuration.speakPeoplesLanguage()
                fonts = configuration.screen.fontsPath
            }
            let families = try ScreenFonts.families(fonts)
            guard let shown = shown(options.socketPath) else { return 1 }
            do throws(MissingLibrary) {
                let stage = try Stage(
                    width: width, height: height,
                    scale: PanelScale(width: width, height: height, textSize: Float(percent) / 100), theme: theme,
                    families: families)
                stage.comfort = wishes
                let gallery = Gallery(stage, lines: shown.lines) { Self.artwork($0, shown.picture, $1) }
                let surface =
                    part.map { part in
                        name == "player"
                            ? gallery.drawPlayer(part: Motion.easeInOut(part))
                            : gallery.draw(name, at: Int(part * Motion.content * 1000))
                    } ?? gallery.draw(name)
                for font in stage.missingFonts { Log.notice("screen: a text needs " + font) }
                if tellsTree { for element in gallery.elements { print(element.line) } }
                if theme.isNight, let surface { NightTone().write(surface.bounds, of: surface, to: surface) }
                guard let surface,
                    let bytes = try PNGLibrary().encode(
                        surface.pixels, width: surface.width, height: surface.height)
                else {
                    Log.error("screen: no memory for the picture")
                    return 1
                }
                do throws(PosixError) { try Files.replace(path, with: bytes) } catch {
                    Log.error(error.message)
                    return 1
                }
                return 0
            } catch { Log.error("screen: " + error.message) }
            return 1
        } catch {
            Log.error(error.message)
            return ConfigurationError.exitCode
        }
    }

    /// Returns the lines of `screenstate`, and the bytes of its `artwork` if that is no file. Logs the reason of a failure.
    private func shown(_ socketPath: String?) -> (lines: String, picture: [UInt8])? {
        guard let socketPath else {
            guard let statePath else { return ("", []) }
            do throws(PosixError) {
                let bytes = try Files.readToEnd(statePath, limit: Self.mostStateBytes)
                return (String(decoding: bytes, as: UTF8.self), [])
            } catch {
                Log.error(error.message)
                return nil
            }
        }
        do throws(SpeakerConnection.Failure) {
            let speaker = try SpeakerConnection(socketPath: socketPath)
            var lines = try speaker.ask("screenstate").lines
            let state = SpeakerStatus(lines: lines)
            let picture = state.hasPicture ? ScreenSource.picture(of: state.file, from: speaker) : []
            if !picture.isEmpty { lines += "artwork: " + state.file + "\n" }
            if let clock = ScreenSubcommand.clock {
                lines += "clock: \(clock.minuteOfDay / 60):\(clock.minuteOfDay % 60)\n"
            }
            // Use the viewer's date and time: the speaker may be in another time zone.
            var (now, parts) = (time(nil), tm())
            if localtime_r(&now, &parts) != nil {
                lines += "date: \(parts.tm_year + 1900)-\(parts.tm_mon + 1)-\(parts.tm_mday)\n"
            }
            return (lines, picture)
        } catch {
            Log.error("screen: " + error.message)
            return nil
        }
    }

    private static func artwork(_ path: String, _ picture: [UInt8], _ side: Int) -> Surface? {
        do throws(ArtworkReader.Failure) {
            if !picture.isEmpty { return try ArtworkReader().decode(picture, side: side) }
            return try ArtworkReader().read(path, side: side)
        } catch {
            Log.error("screen: the picture " + path + ": " + error.words)
            return nil
        }
    }
}
