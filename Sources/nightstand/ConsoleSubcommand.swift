import CPosix
import Console
import Posix

/// `nightstand console COMMAND…`: one command for a running speaker, and its answer.
enum ConsoleSubcommand {
    /// Short ways to a command of the console.
    static func word(for subcommand: String) -> String? {
        switch subcommand {
        case "pause", "stop", "next", "previous", "status", "sleep", "speed", "say", "book": subcommand
        case "resume": "play"
        case "volume": "setvol"
        case "seek": "seekcur"
        default: nil
        }
    }

    /// Returns the exit code: 0, 1 with words on standard error where it was refused or nobody runs.
    static func run(_ words: [String], socketPath: String) -> Int32 {
        do throws(SpeakerConnection.Failure) {
            let line = words[0] + words.dropFirst().map { " " + Request.quoted($0) }.joined()
            switch try SpeakerConnection(socketPath: socketPath).ask(line) {
            case .done(let fields, _):
                var text = fields.map { $0.name + ": " + $0.value + "\n" }.joined()
                text.withUTF8 { bytes in _ = write(1, bytes.baseAddress, bytes.count) }
                return 0
            case .refused(_, let message), .lost(let message): Log.error(words[0] + ": " + message)
            }
        } catch {
            switch error {
            case .nobody:
                Log.error("no speaker is running (nobody answers at \(socketPath)); start it, or name its --socket")
            case .other(let message): Log.error(message)
            }
        }
        return 1
    }
}
