import CPosix
import Media
import Posix
import Synchronization

/// A stream's bytes, as far as they have come. Feed and worker threads; never waits for a network.
final class StreamSource: ByteSource {
    private let channel: StreamChannel
    private let opened: StreamChannel.Opened
    /// Of what is live, the byte that this source begins with: there is no other beginning.
    private let start: Int64

    init(_ channel: StreamChannel, _ opened: StreamChannel.Opened) {
        self.channel = channel
        self.opened = opened
        guard opened.isLive else {
            start = 0
            return
        }
        let front = channel.frontBytes
        start = max(min(channel.consumedBytes, front), front - StreamPacket.ringBytes)
    }

    var isSeekable: Bool { !opened.isLive }

    var byteCount: Int64? {
        let page = channel.shared.page
        guard !opened.isLive, page.pointee.state.load(ordering: .acquiring) == StreamState.whole else { return nil }
        return channel.frontBytes
    }

    func readyBytes(at offset: Int64, most: Int) -> Int? {
        let page = channel.shared.page
        // Never more than a bit less than the end of the numbers, whatever the other process says.
        let place = min(max(0, offset), Int64.max / 4) + start
        let state = page.pointee.state.load(ordering: .acquiring)
        let there = channel.frontBytes - place
        if state != StreamState.flowing {
            if there > 0 { return Int(min(there, Int64(most))) }
            // Read, it says what is wrong.
            return state == StreamState.whole ? 0 : 1
        }
        let needed = Int64(channel.secondBytes)
        if there >= needed { return Int(min(there, Int64(most))) }
        // Say so first and look again after, so that what comes in between is not missed.
        page.pointee.wanted.store(place + needed, ordering: .relaxed)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        let isThere =
            channel.frontBytes - place >= needed
            || page.pointee.state.load(ordering: .acquiring) != StreamState.flowing
        if !isThere { return nil }
        let now = channel.frontBytes - place
        return now > 0 ? Int(min(now, Int64(most))) : nil
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SourceError) -> Int {
        let page = channel.shared.page
        let place = min(max(0, offset), Int64.max / 4) + start
        let there = channel.frontBytes - place
        if there <= 0 {
            switch page.pointee.state.load(ordering: .acquiring) {
            case StreamState.whole: return 0
            case StreamState.failed: throw SourceError(channel.failure, mayPass: false)
            case StreamState.changed:
                throw SourceError(
                    PosixError(
                        code: ESTALE, operation: "read " + channel.name,
                        explanation: "the server has another recording there now"))
            default: throw .notThereYet(channel.name)
            }
        }
        let count = Int(min(there, Int64(buffer.count)))
        if count < buffer.count && page.pointee.state.load(ordering: .acquiring) == StreamState.flowing {
            throw .notThereYet(channel.name)
        }
        do throws(PosixError) {
            if !opened.isLive {
                let got = try opened.file.read(
                    into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: place)
                note(place + Int64(got))
                return got
            }
            var done = 0
            while done < count {
                let at = (place + Int64(done)) % StreamPacket.ringBytes
                let part = min(count - done, Int(StreamPacket.ringBytes - at))
                let got = try opened.file.read(
                    into: UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + part]), at: at)
                if got < part { break }
                done += got
            }
            note(place + Int64(done))
            return done
        } catch { throw SourceError(PosixError(code: error.code, operation: "read " + channel.name)) }
    }

    private func note(_ place: Int64) {
        let page = channel.shared.page
        if place > page.pointee.consumed.load(ordering: .relaxed) {
            page.pointee.consumed.store(place, ordering: .releasing)
        }
    }
}
