// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Wire

/// The speaker's state.
extension Session {
    func writeStatus(_ response: inout ResponseBuffer) {
        let status = host.status
        if let percent = status.volumePercent { response.field("volume", percent) }
        writeModes(status.modes, &response)
        response.field("speed", status.speed.text)
        if let sleep = status.sleepWord { response.field("sleep", sleep) }
        if let alarm = status.alarm { response.field("alarm", alarm.word) }
        response.field("partition", "default")
        response.field("playlist", status.queueVersion)
        response.field("playlistlength", status.queueLength)
        response.field("mixrampdb", shortest: status.modes.mixRampMillidecibels)
        response.field("state", status.state.word)
        if status.modes.mixRampDelayMilliseconds > 0 {
            response.field("mixrampdelay", shortest: status.modes.mixRampDelayMilliseconds)
        }
        if let current = status.current {
            response.field("song", current.position)
            response.field("songid", current.id)
        }
        // The title is for people. Programs use currentsong.
        if !status.file.isEmpty { response.field("title", status.title) }
        if status.state != .stopped {
            let elapsed = max(0, status.positionMilliseconds)
            let duration = status.durationMilliseconds ?? 0
            response.field(
                "time", "\(ResponseBuffer.roundedSeconds(elapsed)):\(ResponseBuffer.roundedSeconds(duration))")
            response.field("elapsed", milliseconds: elapsed)
            if let kbps = status.bitrateKbps { response.field("bitrate", kbps) }
            if status.durationMilliseconds != nil {
                response.field("duration", milliseconds: duration)
                if status.speed != .own {
                    let left = status.speed.clockMilliseconds(of: duration.subtractingSaturated(elapsed))
                    response.field("remaining", milliseconds: Int(clamping: left))
                }
            }
            if let format = status.audioFormat {
                response.field("audio", "\(format.sampleRate):\(format.bits):\(format.channels)")
            }
        }
        if let buffered = status.bufferedMilliseconds { response.field("buffer", milliseconds: buffered) }
        if let rendition = status.rendition { response.field("rendition", rendition) }
        if let job = status.updateJob { response.field("updating_db", job) }
        if let files = status.updateFiles { response.field("updating_db_files", files) }
        if let error = status.error { response.field("error", access.shown(error)) }
        if let next = status.next {
            response.field("nextsong", next.position)
            response.field("nextsongid", next.id)
        }
    }

    func writeCurrentSong(_ response: inout ResponseBuffer) {
        let status = host.status
        guard let current = status.current else { return }
        for song in host.queue.songs(current.position..<current.position + 1) {
            response.song(song, visibleTags)
        }
        if status.chapterNumber > 0 && status.bounds == nil {
            response.field("Chapter", SongNames.title(status.chapter, ofChapter: status.chapterNumber))
        }
    }

    func transcript(_ arguments: [String], _ response: inout ResponseBuffer) throws(ConsoleError) -> Portions {
        var neighbours = 2
        if let first = arguments.first { neighbours = try Argument.integer(first, in: 0...1000) }
        var place: Int?
        if arguments.count > 1 { place = try Argument.milliseconds(arguments[1]) }
        let status = host.status
        if status.current == nil { throw ConsoleError(.playerSync, "Nothing is playing") }
        guard let transcript = host.transcript(neighbours: neighbours, at: place) else {
            throw ConsoleError(
                .noExist,
                status.isTranscriptBeingRead ? "The transcript is being read" : "No transcript for this item"
            )
        }
        response.field("segments", transcript.count)
        if let current = transcript.currentIndex { response.field("current", current) }
        return .segments(transcript)
    }

    func writeCounters(_ word: String?, _ response: inout ResponseBuffer) throws(ConsoleError) {
        if let word, word != "raw" { throw Argument.wrong(word, "Expected nothing, or raw") }
        for line in host.counters(isRaw: word != nil) { response.field(line.name, line.value) }
    }
}
