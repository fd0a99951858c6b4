import Core
import Model

/// The sleep timer: `sleep`, `sleep 30`, `sleep chapter`, `sleep off`.
extension Session {
    func sleep(_ word: String?, _ response: inout ResponseBuffer) throws(ConsoleError) {
        guard let word else {
            return response.field("sleep", speaker.status.sleepWord ?? Sleep.off.word)
        }
        guard let sleep = Sleep(word: word) else { throw Argument.wrong(word, "Expected " + Sleep.expected) }
        try speaker.perform(.sleep(sleep))
    }
}
