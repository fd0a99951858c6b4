// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Posix
import Speaker
import Streams
import Wire

/// The order and manner of playback.
extension ConsoleHost {
    /// Says a text, or plays a recording of the library or at an address, over the playback.
    func announce(_ words: String) throws(ConsoleError) {
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

    /// The current item's gain and measured loudness, in hundredths of a decibel; nil if unknown.
    var loudness: (gain: Int?, measured: Int?) {
        let loudness = speaker.currentLoudness
        return (
            loudness?.gain(speaker.sound.changes.level, isRandom: speaker.queue.modes.isRandom), loudness?.measured
        )
    }

    /// - Parameter forBook: true for the current item's book only; a book with a speed of its own changes in any case. Requires a current
    ///   item.
    func setSpeed(_ speed: Speed, forBook: Bool) throws(ConsoleError) {
        if !speaker.setSpeed(speed, forBook: forBook, asked: turnBegan()) { throw Self.notSaved }
    }

    /// Removes the speed of the current item's book. Requires a current item.
    func forgetBookSpeed() throws(ConsoleError) {
        if !speaker.forgetBookSpeed(asked: turnBegan()) { throw Self.notSaved }
    }

    private static var notSaved: ConsoleError { ConsoleError(.system, "The book's speed could not be saved") }

    /// Returns the song of a network address. Throws if it cannot play, with the remedy.
    func stream(at address: String) throws(ConsoleError) -> SongDescription {
        guard speaker.streaming.port != nil else { throw ConsoleError(.permission, Streaming.isOff) }
        if let problem = StreamAddress.problem(address) { throw ConsoleError(.argument, "Bad address: " + problem) }
        guard let item = speaker.streaming.item(of: address) else {
            throw ConsoleError(.system, "The address could not be saved")
        }
        return names.song(item)
    }
}
