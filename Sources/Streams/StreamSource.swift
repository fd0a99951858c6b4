// SPDX-License-Identifier: Apache-2.0
import CPosix
import Media
import Posix
import Synchronization

/// A stream's present bytes. Feed and worker threads; never waits for a network.
final class StreamSource: ByteSource {
    private let channel: StreamChannel
    private let opened: StreamChannel.Opened
    /// The byte at which this source starts in a live stream, which has no other beginning.
    private let start: Int64

    init(_ channel: StreamChannel, _ opened: StreamChannel.Opened) {
        self.channel = channel
        self.opened = opened
        guard opened.isLive else {
            start = 0
            return
        }
        let front = channel.frontBytes
        start = max(min(channel.liveStart, front), front - opened.ringBytes)
    }

    var isSeekable: Bool { !opened.isLive }

    var byteCount: Int64? {
        guard !opened.isLive, channel.state == StreamState.whole else { return nil }
        return channel.frontBytes
    }

    func readyBytes(at offset: Int64, most: Int) -> Int? {
        let place = StreamPage.held(offset) + start
        let state = channel.state
        let there = reach(place) - place
        // At the end of the present bytes, reading reports the error.
        if state != StreamState.flowing {
            return there > 0 ? Int(min(there, Int64(most))) : state == StreamState.whole ? 0 : 1
        }
        if isEnough(there, at: place) { return Int(min(there, Int64(most))) }
        want(place)
        // Read the state first, so that a change in between is not missed.
        let isOver = channel.state != StreamState.flowing
        let now = reach(place) - place
        return (isOver ? now > 0 : isEnough(now, at: place)) ? Int(min(now, Int64(most))) : nil
    }

    func available(at offset: Int64, most: Int) -> Int {
        let place = StreamPage.held(offset) + start
        let there = reach(place) - place
        // Reading reports the error, or the end.
        if there <= 0 && channel.state != StreamState.flowing { return most }
        return Int(min(max(0, there), Int64(most)))
    }

    /// Returns the end of the present bytes from a place on. In a live stream they have no holes.
    private func reach(_ place: Int64) -> Int64 { opened.isLive ? channel.frontBytes : channel.reach(from: place) }

    /// Returns whether enough bytes are there: a second, or more after repeated waits, or everything up to the end.
    private func isEnough(_ there: Int64, at place: Int64) -> Bool {
        if channel.isEnough(there) { return true }
        guard !opened.isLive, let length = channel.lengthBytes else { return false }
        return place + there >= length
    }

    /// Asks for missing bytes. Look again afterwards, so that an arrival in between is not missed.
    private func want(_ place: Int64) {
        let page = channel.shared.page
        let isJump = !opened.isLive && place > 0 && channel.reach(from: place - 1) < place
        let isNew = isJump && page.pointee.jump.exchange(place, ordering: .relaxed) != place
        page.pointee.wanted.store(place, ordering: .relaxed)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        if isNew { channel.jumpWake.signal() }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SourceError) -> Int {
        let place = StreamPage.held(offset) + start
        let there = reach(place) - place
        if there <= 0 {
            switch channel.state {
            case StreamState.whole: return 0
            case StreamState.failed: throw SourceError(channel.failure, mayPass: false)
            case StreamState.changed:
                throw SourceError(
                    PosixError(
                        code: ESTALE, operation: "read " + channel.name,
                        explanation: "the server has another recording there now"))
            default:
                if !opened.isLive, let length = channel.lengthBytes, place >= length { return 0 }
                want(place)
                throw .notThereYet(channel.name)
            }
        }
        let count = Int(min(there, Int64(buffer.count)))
        if count < buffer.count && channel.state == StreamState.flowing
            && (opened.isLive || place + there < channel.lengthBytes ?? .max)
        {
            want(place + there)
            throw .notThereYet(channel.name)
        }
        do throws(PosixError) {
            var done = 0
            while done < count {
                var at = place + Int64(done)
                var part = count - done
                if opened.isLive {
                    at %= opened.ringBytes
                    part = min(part, Int(opened.ringBytes - at))
                }
                let got = try opened.file.read(
                    into: UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + part]), at: at)
                done += got
                if got < part { break }
            }
            note(place + Int64(done))
            return done
        } catch { throw SourceError(PosixError(code: error.code, operation: "read " + channel.name)) }
    }

    private func note(_ place: Int64) {
        let page = channel.shared.page
        // Within a recording, playback may go back.
        if opened.isLive && !channel.letsGo { return }
        if !opened.isLive || place > page.pointee.consumed.load(ordering: .relaxed) {
            page.pointee.consumed.store(place, ordering: .releasing)
        }
    }
}
