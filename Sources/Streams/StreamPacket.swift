// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix

/// The messages between the two processes on their socket: packets of one letter and text. A connection is about one stream; closing it
/// ends the request.
public enum StreamPacket {
    public static let mostBytes = 8192

    /// Speaker: wants what a `StreamQuestion` says. With the page, and the descriptor to signal when `wanted` bytes are there; and one that the
    /// speaker signals when it has written another `jump`.
    public static let get = UInt8(ascii: "G")
    /// Fetching: the file, with its descriptor; it begins with what is there already.
    public static let file = UInt8(ascii: "F")
    /// Fetching: as `file`, but live: a ring, as long as the file, which is within `ringBytes`.
    public static let ring = UInt8(ascii: "R")
    /// Fetching: some more has come, or all.
    public static let progress = UInt8(ascii: "P")
    /// Fetching: why nothing comes at the moment, in words for a person; empty once it does.
    public static let waiting = UInt8(ascii: "W")
    /// Fetching: the same as the text of a `Trouble`, before it.
    public static let reason = UInt8(ascii: "Y")
    /// Fetching: nothing more will come, and why.
    public static let failed = UInt8(ascii: "E")
    /// Fetching: the recording is another one now.
    public static let changed = UInt8(ascii: "C")
    /// Fetching: a station's title of the playing item; its own name.
    public static let title = UInt8(ascii: "T")
    public static let station = UInt8(ascii: "N")
    /// Fetching: the rendition being fetched, in words for a person.
    public static let rendition = UInt8(ascii: "Q")

    /// Speaker: wants a podcast's feed: its address, and what the server said the last time (ETag, Last-Modified), a line each.
    public static let feed = UInt8(ascii: "S")
    /// Speaker: the listener heard the file of this name, and the cache may evict it first.
    public static let heard = UInt8(ascii: "H")
    /// Fetching: the feed is there, with the descriptor of its records: see `FeedRecord`.
    public static let records = UInt8(ascii: "O")
    /// Fetching: the feed is as it was; with its address, where that is another for good.
    public static let unchanged = UInt8(ascii: "U")

    /// Of what is live: from 2 s of 512 kbit/s on.
    public static let ringBytes: ClosedRange<Int64> = 128 << 10...64 << 20

    /// The nearest length that is one.
    public static func held(ringBytes: Int64) -> Int64 {
        max(self.ringBytes.lowerBound, min(self.ringBytes.upperBound, ringBytes))
    }

    /// False if the other side is full or gone.
    @discardableResult
    public static func send(_ kind: UInt8, _ text: String = "", descriptors: [Int32] = [], to socket: Int32) -> Bool {
        var bytes = [kind]
        bytes += text.utf8.prefix(mostBytes - 1)
        return bytes.withUnsafeBytes { part in
            ns_send_packet(socket, part.baseAddress, part.count, descriptors, Int32(descriptors.count)) == part.count
        }
    }

    public enum Received {
        /// Nothing for now.
        case nothing
        /// The other side closed.
        case end
        /// With descriptors that now belong to the receiver.
        case packet(kind: UInt8, text: String, descriptors: [Int32])
    }

    public static func receive(from socket: Int32) -> Received {
        var descriptors: [Int32] = [-1, -1, -1]
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: mostBytes) { room, got in
            count = ns_receive_packet(socket, room.baseAddress, room.count, &descriptors)
            got = max(0, count)
        }
        if count < 0 { return ns_errno() == EAGAIN || ns_errno() == EINTR ? .nothing : .end }
        descriptors.removeAll { $0 < 0 }
        if count == 0 {
            for descriptor in descriptors { close(descriptor) }
            return .end
        }
        return .packet(
            kind: bytes[0], text: String(decoding: bytes[1..<count], as: UTF8.self),
            descriptors: descriptors)
    }
}
