/// What the speaker was doing, so that it can go on after a power cut.
public struct SpeakerState: Equatable, Sendable {
    /// One place in the queue. The same item may stand there twice; its song id tells the places apart.
    public struct Entry: Equatable, Sendable {
        public var songID: Int
        public var itemID: Item.ID

        public init(songID: Int, itemID: Item.ID) {
            self.songID = songID
            self.itemID = itemID
        }
    }

    /// What is played, in this order.
    public var queue: [Entry]
    /// Which of the queue is playing, paused or chosen.
    public var currentSongID: Int?
    /// False where it was paused or stopped.
    public var isPlaying: Bool
    /// 0…100.
    public var volumePercent: Int
    /// The song id for the next entry added; never used before.
    public var nextSongID: Int
    /// Nobody has changed the queue: it is the whole library in its order, and follows it.
    public var queueIsLibrary: Bool

    public init(
        queue: [Entry] = [], currentSongID: Int? = nil, isPlaying: Bool = false, volumePercent: Int = 100,
        nextSongID: Int = 1, queueIsLibrary: Bool = false
    ) {
        self.queue = queue
        self.currentSongID = currentSongID
        self.isPlaying = isPlaying
        self.volumePercent = volumePercent
        self.nextSongID = nextSongID
        self.queueIsLibrary = queueIsLibrary
    }

    /// The queue as bytes: for each entry its song id and its item id less those of the entry before, zigzag and LEB128. Most
    /// entries take two bytes, so a long queue is read at start and written at a change in no time.
    static func encode(_ queue: [Entry]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(queue.count * 2)
        func append(_ difference: Int64) {
            var rest = UInt64(bitPattern: difference << 1 ^ difference >> 63)
            while rest >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(rest))
        }
        var song: Int64 = 0
        var item: Int64 = 0
        for entry in queue {
            append(Int64(entry.songID) &- song)
            append(entry.itemID &- item)
            song = Int64(entry.songID)
            item = entry.itemID
        }
        return bytes
    }

    /// As many whole entries as the bytes hold.
    static func decode(_ bytes: [UInt8]) -> [Entry] {
        var queue: [Entry] = []
        var at = 0
        func next() -> Int64? {
            var value: UInt64 = 0
            var shift: UInt64 = 0
            while at < bytes.count, shift < 64 {
                value |= UInt64(bytes[at] & 0x7F) << shift
                at += 1
                if bytes[at - 1] < 0x80 { return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1) }
                shift += 7
            }
            return nil
        }
        var song: Int64 = 0
        var item: Int64 = 0
        while let songDifference = next(), let itemDifference = next() {
            song &+= songDifference
            item &+= itemDifference
            queue.append(Entry(songID: Int(truncatingIfNeeded: song), itemID: item))
        }
        return queue
    }
}
