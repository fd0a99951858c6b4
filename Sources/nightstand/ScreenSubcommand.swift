import Configuration
import Console
import Design
import Model
import PNG
import Pixels
import Posix
import Scenes
import Typography

/// `nightstand screen`: the process that draws.
enum ScreenSubcommand {
    struct Options {
        var width: Int
        var height: Int
        var isDark: Bool
        /// A file with lines as the console's `screenstate` writes them; nil for a speaker that has nothing to play.
        var statePath: String?
        /// Where a speaker listens whose state is drawn; nil for none.
        var socketPath: String?
        /// How far between paused and playing it is, 0…1; nil for what the state says.
        var part: Float?
        var textSize: Float
        /// Of `Gallery.names`.
        var name: String
        var comfort: Comfort
        /// The table of fonts; "" for those of Debian.
        var fontsPath: String
        /// What stands on it goes to standard output.
        var tellsTree: Bool
    }

    /// What a person asks of every screen.
    struct Comfort {
        var stage = Stage.Comfort()
        var hasMoreContrast = false

        /// Nil where a word is not known.
        init?(words: String) {
            for part in words.utf8.split(separator: UInt8(ascii: ",")) {
                switch String(Substring(part)) {
                case "reduced-motion": stage.reducesMotion = true
                case "reduced-transparency": stage.reducesTransparency = true
                case "increased-contrast": hasMoreContrast = true
                case "low-power": stage.savesPower = true
                default: return nil
                }
            }
        }
    }

    private static let mostStateBytes = 1 << 20

    /// Draws one picture into a file. Returns the exit code.
    static func draw(to path: String, _ options: Options) -> Int32 {
        var state = SpeakerStatus()
        var lines = ""
        var picture: [UInt8] = []
        if let socketPath = options.socketPath {
            do throws(SpeakerConnection.Failure) {
                let speaker = try SpeakerConnection(socketPath: socketPath)
                state = try ScreenSource.state(of: speaker)
                if state.hasPicture { picture = ScreenSource.picture(of: state.file, from: speaker) }
                state.hasPicture = !picture.isEmpty
            } catch {
                if case .other(let message) = error {
                    Log.error("screen: " + message)
                } else {
                    Log.error("screen: no speaker is running")
                }
                return 1
            }
        } else if let statePath = options.statePath {
            do throws(PosixError) {
                let bytes = try Files.readToEnd(statePath, limit: mostStateBytes)
                lines = String(decoding: bytes, as: UTF8.self)
            } catch {
                Log.error(error.message)
                return 1
            }
        }
        let families: [FontFamily]
        do throws(ConfigurationError) { families = try ScreenFonts.families(options.fontsPath) } catch {
            Log.error(error.message)
            return ServeSubcommand.badConfiguration
        }
        do throws(MissingLibrary) {
            let stage = try Stage(
                width: options.width, height: options.height,
                scale: PanelScale(width: options.width, height: options.height, textSize: options.textSize),
                theme: Theme(isDark: options.isDark, hasMoreContrast: options.comfort.hasMoreContrast),
                families: families)
            stage.comfort = options.comfort.stage
            let gallery =
                options.socketPath == nil
                ? Gallery(stage, lines: lines) { path, side in artwork(path, [], side) }
                : Gallery(stage, state: state) { path, side in artwork(path, picture, side) }
            guard let surface = surface(of: gallery, options) else { return 1 }
            for font in stage.missingFonts { Log.notice("screen: a text needs " + font) }
            if options.tellsTree { for element in gallery.elements { print(element.line) } }
            let library = try PNGLibrary()
            guard let bytes = library.encode(surface.pixels, width: surface.width, height: surface.height) else {
                Log.error("screen: no memory for the picture")
                return 1
            }
            do throws(PosixError) { try Files.replace(path, with: bytes) } catch {
                Log.error(error.message)
                return 1
            }
            return 0
        } catch {
            Log.error("screen: " + error.message)
            return 1
        }
    }

    private static func surface(of gallery: Gallery, _ options: Options) -> Surface? {
        guard let part = options.part else { return gallery.draw(options.name) }
        if options.name == "player" { return gallery.drawPlayer(part: Motion.easeInOut(part)) }
        return gallery.draw(options.name, at: Int(part * Motion.content * 1000))
    }

    private static func artwork(_ path: String, _ picture: [UInt8], _ side: Int) -> Surface? {
        do throws(ArtworkReader.Failure) {
            if !picture.isEmpty { return try ArtworkReader().decode(picture, side: side) }
            return try ArtworkReader().read(path, side: side)
        } catch {
            switch error {
            case .missing(let library): Log.error("screen: " + library.message)
            case .unreadable(let message): Log.error("screen: " + message)
            case .tooLarge: Log.error("screen: " + path + " is too large a picture")
            case .damaged: Log.error("screen: " + path + " is no JPEG or PNG that can be read")
            }
            return nil
        }
    }
}
