// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Media
import Model
import Posix
import Streams

/// Announcements over the playback, which is 12 dB quieter meanwhile.
extension Speaker {
    /// The reason against an announcement.
    public enum AnnouncementRefusal: Error {
        case noVoice
        case noNetwork
        case tooMany
    }

    /// Shows the board's notice about the Wi-Fi, which asks for a phone. The voice says it too, but not over the playback.
    public func tell(wifi notice: Notice) {
        audience.announce(notice)
        if !wantsToPlay { audience.answers?.announce(wifi: notice) }
    }

    /// Says a text, or plays the first half minute of a recording of the library or at an address, behind the earlier announcements. A
    /// recording at an address is fetched whole first.
    /// - Parameters:
    ///   - words: the text, the recording's path, or its address of http or https.
    ///   - path: the whole path that `words` would name in the library.
    public func announce(_ words: String, path: String) throws(AnnouncementRefusal) {
        guard let answers = audience.answers else { throw .noVoice }
        if StreamAddress.isOne(words) {
            guard let port = streaming.podcasts.port else { throw .noNetwork }
            port.fetch(words, name: words, feed: words, isDocument: false, isUrgent: true) { source, problem in
                guard let source else { return Log.notice("announce: \(StreamAddress.shown(words)): \(problem)") }
                if !answers.announce(.sound(source)) {
                    Log.notice("announce: \(StreamAddress.shown(words)): too many announcements wait")
                }
            }
            return
        }
        let isRecording = library.item(path: path).map { $0.isPresent && !$0.isStream } ?? false
        let announcement: Announcement = isRecording ? .sound(.file(path: path)) : .text(words)
        if !answers.announce(announcement) { throw .tooMany }
    }
}
