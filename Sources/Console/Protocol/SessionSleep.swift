import Core
import Model

/// The sleep timer: `sleep`, `sleep 30`, `sleep chapter`, `sleep off`; and what interrupts: `interrupt begin 20`.
extension Session {
    func sleep(_ word: String?, _ response: inout ResponseBuffer) throws(ConsoleError) {
        guard let word else {
            return response.field("sleep", speaker.status.sleepWord ?? Sleep.off.word)
        }
        guard let sleep = Sleep(word: word) else { throw Argument.wrong(word, "Expected " + Sleep.expected) }
        try speaker.perform(.sleep(sleep))
    }

    func interrupt(_ arguments: [String]) throws(ConsoleError) {
        switch (arguments[0], arguments.count) {
        case ("end", 1): try speaker.perform(.interrupt(.end))
        case ("begin", 1): try speaker.perform(.interrupt(.begin(seconds: nil)))
        case ("begin", _):
            guard let seconds = Int(arguments[1]), Command.Interruption.lengths.contains(seconds) else {
                throw Argument.wrong(arguments[1], "Expected 1 to 3600 seconds")
            }
            try speaker.perform(.interrupt(.begin(seconds: seconds)))
        default: throw Argument.wrong(arguments[0], "Expected begin, begin SECONDS or end")
        }
    }
}
