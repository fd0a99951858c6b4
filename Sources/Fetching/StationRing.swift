import CPosix
import Media
import Posix
import Streams

/// What has come of something that goes on for ever: the last of it, in memory that the speaker has mapped, without the words between. The
/// fetching process's only thread.
final class StationRing {
    let memory: FileDescriptor
    private let ringBytes: Int64
    /// Bytes of sound that have ever come.
    private(set) var front: Int64 = 0
    private var icy = IcyFilter(interval: 0)
    private var ogg = OggTitles()
    /// What the station calls itself; "" for nothing.
    private(set) var name = ""
    /// Nothing is taken since then: what is there has yet to be heard.
    private(set) var fullSince: MonotonicTime?

    /// Nil where there is no memory for it.
    /// - Parameter ringBytes: how much it keeps; within what `StreamPacket.ringBytes` says.
    init?(_ ringBytes: Int64) {
        let number = ns_shared_memory("nightstand-station", Int(ringBytes))
        if number < 0 { return nil }
        self.ringBytes = ringBytes
        memory = FileDescriptor(owning: number)
    }

    /// What it says between its sound, or else within it.
    var title: String { icy.title.isEmpty ? ogg.title : icy.title }

    /// A connection begins. True where the station has another name now.
    func begin(_ head: ResponseHead) -> Bool {
        icy = IcyFilter(interval: head.icyInterval)
        ogg = OggTitles()
        if head.icyName.utf8.elementsEqual(name.utf8) { return false }
        name = head.icyName
        return true
    }

    /// Whether so many bytes more would be written over what has yet to be heard. Then the server has to wait.
    func isFull(for count: Int, heard: Int64) -> Bool {
        if front + Int64(count) - heard <= ringBytes { return false }
        if fullSince == nil { fullSince = .now }
        return true
    }

    /// Whether there is room again, after it was full.
    func hasEmptied(heard: Int64) -> Bool {
        guard fullSince != nil, front - heard < ringBytes / 2 else { return false }
        fullSince = nil
        return true
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
