import Console
import Core
import Posix
import Speaker

extension ConsoleAdapter {
    public var currentSpeed: Speed { speaker.currentSpeed }
    public var speakerSpeed: Speed { speaker.speeds.speaker }
    public var bookSpeed: Speed? { speaker.speeds.book }

    public func setSpeed(_ speed: Speed, forBook: Bool) throws(ConsoleError) {
        if !speaker.setSpeed(speed, forBook: forBook, asked: turnBegan()) { throw Self.notSaved }
    }

    public func forgetBookSpeed() throws(ConsoleError) {
        if !speaker.forgetBookSpeed(asked: turnBegan()) { throw Self.notSaved }
    }

    private static var notSaved: ConsoleError { ConsoleError(.system, "The book's speed could not be saved") }
}
