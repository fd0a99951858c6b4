// SPDX-License-Identifier: Apache-2.0
import Console
import Core
import Model
import Posix
import Speaker
import Streams

/// The order and manner of playback.
extension ConsoleAdapter {
    public func setModes(_ modes: PlayModes) throws(ConsoleError) { speaker.set { $0 = modes } }

    public func moveInQueue(_ positions: Range<Int>, to: Int) throws(ConsoleError) {
        speaker.edit { $0.move(positions, to: to) }
    }

    public func swapInQueue(_ one: Int, _ other: Int) throws(ConsoleError) { speaker.edit { $0.swap(one, other) } }

    public func shuffleQueue(_ positions: Range<Int>) throws(ConsoleError) { speaker.shuffle(positions) }

    public func prioritise(_ positions: Range<Int>, _ priority: Int) throws(ConsoleError) {
        speaker.edit { $0.prioritise(positions, UInt8(clamping: priority)) }
    }

    public func announce(_ words: String) throws(ConsoleError) {
        do throws(Speaker.AnnouncementRefusal) { try speaker.announce(words, path: names.path(of: words)) } catch {
            switch error {
            case .noVoice:
                throw ConsoleError(
                    .system, "The voice is off: hold play for ten seconds, or set \"enabled = yes\" under [voice]")
            case .noNetwork: throw ConsoleError(.permission, Streaming.isOff)
            case .tooMany: throw ConsoleError(.system, "Eight announcements are waiting already")
            }
        }
    }

    public func tell(wifi notice: Notice) { speaker.tell(wifi: notice) }

    public func set(_ sound: SoundChanges) { speaker.set(sound, asked: turnBegan()) }

    public var loudness: (gain: Int?, measured: Int?) {
        let loudness = speaker.currentLoudness
        return (
            loudness?.gain(speaker.sound.changes.level, isRandom: speaker.queue.modes.isRandom), loudness?.measured
        )
    }

    public func setSpeed(_ speed: Speed, forBook: Bool) throws(ConsoleError) {
        if !speaker.setSpeed(speed, forBook: forBook, asked: turnBegan()) { throw Self.notSaved }
    }

    public func forgetBookSpeed() throws(ConsoleError) {
        if !speaker.forgetBookSpeed(asked: turnBegan()) { throw Self.notSaved }
    }

    private static var notSaved: ConsoleError { ConsoleError(.system, "The book's speed could not be saved") }

    public func stream(at address: String) throws(ConsoleError) -> SongDescription {
        guard speaker.streaming.port != nil else { throw ConsoleError(.permission, Streaming.isOff) }
        if let problem = StreamAddress.problem(address) { throw ConsoleError(.argument, "Bad address: " + problem) }
        guard let item = speaker.streaming.item(of: address) else {
            throw ConsoleError(.system, "The address could not be saved")
        }
        return names.song(item)
    }
}
