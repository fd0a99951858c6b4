import Core
import Model

/// The sleep timer: `sleep`, `sleep 30`, `sleep chapter`, `sleep off`.
extension Session {
    func sleep(_ word: String?, _ response: inout ResponseBuffer) throws(ConsoleError) {
        guard let word else {
            let status = speaker.status
            if status.sleep == .off { response.field("sleep", Sleep.off.word) } else { tellSleep(status, &response) }
            return
        }
        guard let sleep = Sleep(word: word) else { throw Argument.wrong(word, "Expected " + Sleep.expected) }
        try speaker.perform(.sleep(sleep))
    }

    /// For how long it still plays, in seconds, or with what it ends; nothing where it does not end.
    func tellSleep(_ status: SpeakerStatus, _ response: inout ResponseBuffer) {
        if let left = status.sleepMilliseconds {
            response.field("sleep", milliseconds: left)
        } else if status.sleep != .off {
            response.field("sleep", status.sleep.word)
        }
    }
}
