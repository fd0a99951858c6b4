import Core

/// The sleep timer: `sleep`, `sleep 30`, `sleep chapter`, `sleep off`.
extension Session {
    func sleep(_ word: String?, _ response: inout ResponseBuffer) throws(ConsoleError) {
        guard let word else {
            if speaker.sleep == .off { response.field("sleep", Sleep.off.word) } else { tellSleep(&response) }
            return
        }
        guard let sleep = Sleep(word: word) else { throw Argument.wrong(word, "Expected " + Sleep.expected) }
        speaker.setSleep(sleep)
    }

    /// For how long it still plays, in seconds, or with what it ends; nothing where it does not end.
    func tellSleep(_ response: inout ResponseBuffer) {
        if let left = speaker.sleepMilliseconds {
            response.field("sleep", milliseconds: left)
        } else if speaker.sleep != .off {
            response.field("sleep", speaker.sleep.word)
        }
    }
}
