// SPDX-License-Identifier: Apache-2.0
import CPosix
import Media
import Posix
import Streams

/// The latest audio of stations, and of recordings that the cache cannot hold, without the titles between: in memory that the speaker has
/// mapped. The fetching process's only thread.
final class SoundRing {
    /// The time without a listener after which it closes a station's connection.
    private static let fullMilliseconds: Int64 = 20_000

    let memory: FileDescriptor
    private let ringBytes: Int64
    /// The progress of a recording; nil for a station.
    private(set) var recording: PassingRecording?
    /// The number of audio bytes that have ever come.
    private(set) var front: Int64 = 0
    private var icy = IcyFilter(interval: 0)
    private var ogg = OggTitles()
    /// The station's own name; "" for none.
    private(set) var name = ""
    /// The time since which it takes nothing: the present bytes have yet to play.
    private var fullSince: MonotonicTime?
    /// True if no more bytes will come.
    private var isOver = false

    /// nil without memory for it.
    /// - Parameter ringBytes: its size, within `StreamPacket.ringBytes`.
    init?(_ ringBytes: Int64) {
        let number = ns_shared_memory("nightstand-station", Int(ringBytes))
        if number < 0 { return nil }
        self.ringBytes = ringBytes
        memory = FileDescriptor(owning: number)
    }

    /// The title between the audio, or else within it.
    var title: String { icy.title.isEmpty ? ogg.title : icy.title }

    /// Starts a station's connection.
    func begin(_ head: ResponseHead) {
        icy = IcyFilter(interval: head.icyInterval)
        ogg = OggTitles()
        name = head.icyName
    }

    /// Starts a recording in the ring, which the coming bytes continue.
    func begin(_ recording: PassingRecording) { self.recording = recording }

    /// Decides about an answer; nil for a station, which its content decides.
    func judge(_ head: ResponseHead) -> FetchPlan.Body? { recording?.judge(head) }

    func finish() { isOver = true }

    /// The map as for a file: all bytes that have ever come count as present.
    var map: CacheMap {
        var map = CacheMap(address: "")
        map.spans.insert(0..<front)
        map.isWhole = isOver
        return map
    }

    // MARK: Room

    /// Returns whether more bytes would overwrite unplayed ones. Then the server has to wait.
    /// - Parameter consumed: the place up to which every speaker has read; nil without speakers.
    func isFull(for count: Int, consumed: Int64?) -> Bool {
        if front + Int64(count) - heard(consumed) <= ringBytes { return false }
        if fullSince == nil { fullSince = .now }
        return true
    }

    /// Returns whether there is room again, after it was full.
    func hasEmptied(consumed: Int64?) -> Bool {
        guard !isOver, fullSince != nil, front - heard(consumed) < ringBytes / 2 else { return false }
        fullSince = nil
        return true
    }

    /// Returns whether a station has had no listener for long.
    func isLeft(_ now: MonotonicTime) -> Bool {
        recording == nil && fullSince.map { now.milliseconds(since: $0) > SoundRing.fullMilliseconds } ?? false
    }

    /// Returns the first byte to protect. A station without a listener runs on.
    private func heard(_ consumed: Int64?) -> Int64 { consumed ?? (recording == nil ? front : 0) }

    // MARK: Bytes

    /// Takes a connection's bytes, once there is room for them. Returns true if the title has changed.
    func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let new = recording?.new(bytes) ?? bytes
        recording?.didTake(new.count)
        return write(new)
    }

    /// Writes audio. Returns true if the title has changed.
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var hasNewTitle = false
        let hasNewWords = icy.take(bytes) { sound in
            if ogg.take(sound) { hasNewTitle = true }
            var done = 0
            while done < sound.count {
                let at = front % ringBytes
                let part = min(sound.count - done, Int(ringBytes - at))
                let count = pwrite(memory.number, sound.baseAddress! + done, part, off_t(at))
                if count <= 0 { break }
                done += count
                front += Int64(count)
            }
        }
        return hasNewTitle || hasNewWords
    }
}
