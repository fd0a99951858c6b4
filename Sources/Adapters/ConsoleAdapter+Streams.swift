import Console
import Library
import Speaker
import Streams

extension ConsoleAdapter {
    public var takesStreams: Bool { speaker.streams != nil }

    public func stream(at address: String) throws(ConsoleError) -> SongDescription {
        guard takesStreams else { throw ConsoleError(.permission, Speaker.streamsAreOff) }
        if let problem = StreamAddress.problem(address) { throw ConsoleError(.argument, "Bad address: " + problem) }
        guard let item = speaker.streamItem(address) else {
            throw ConsoleError(.system, "The address could not be saved")
        }
        return names.song(item)
    }
}
