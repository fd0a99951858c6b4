// SPDX-License-Identifier: Apache-2.0
import CPosix
import Media
import Posix
import Streams

/// The sound of stations, and of recordings that the cache cannot hold: the last of it, in memory that the speaker has mapped, without the
/// words between. The fetching process's only thread.
final class SoundRing {
    /// After this time without a listener it hangs up on a station.
    private static let fullMilliseconds: Int64 = 20_000

    let memory: FileDescriptor
    private let ringBytes: Int64
    /// Of a recording: its progress. Nil of a station.
    private(set) var recording: PassingRecording?
    /// Bytes of sound that have ever come.
    private(set) var front: Int64 = 0
    private var icy = IcyFilter(interval: 0)
    private var ogg = OggTitles()
    /// The station's own name; "" for nothing.
    private(set) var name = ""
    /// Nothing is taken since then: the present bytes have yet to play.
    private var fullSince: MonotonicTime?
    /// Nothing more will come.
    private var isOver = false

    /// Nil where there is no memory for it.
    /// - Parameter ringBytes: its size; within what `StreamPacket.ringBytes` says.
    init?(_ ringBytes: Int64) {
        let number = ns_shared_memory("nightstand-station", Int(ringBytes))
        if number < 0 { return nil }
        self.ringBytes = ringBytes
        memory = FileDescriptor(owning: number)
    }

    /// The title between its sound, or else within it.
    var title: String { icy.title.isEmpty ? ogg.title : icy.title }

    /// A station's connection begins.
    func begin(_ head: ResponseHead) {
        icy = IcyFilter(interval: head.icyInterval)
        ogg = OggTitles()
        name = head.icyName
    }

    /// The ring holds a recording, and the coming bytes continue it.
    func begin(_ recording: PassingRecording) { self.recording = recording }

    /// Decides about an answer; nil for a station, which is judged by what it is.
    func judge(_ head: ResponseHead) -> FetchPlan.Body? { recording?.judge(head) }

    func finish() { isOver = true }

    /// As of a file: all that has ever come is there.
    var map: CacheMap {
        var map = CacheMap(address: "")
        map.spans.insert(0..<front)
        map.isWhole = isOver
        return map
    }

    // MARK: Room

    /// Returns whether so many bytes more would overwrite unplayed ones. Then the server has to wait.
    /// - Parameter consumed: the place that every speaker has read; nil where none is there.
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

    /// The first byte to protect. A station without a listener runs on.
    private func heard(_ consumed: Int64?) -> Int64 { consumed ?? (recording == nil ? front : 0) }

    // MARK: Bytes

    /// Takes what a connection brings, once there is room for it. True where the title is another now.
    func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let new = recording?.new(bytes) ?? bytes
        recording?.didTake(new.count)
        return write(new)
    }

    /// True where the title is another now.
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
