// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix

/// The messages between the two processes on their socket: packets of one letter and text. A connection serves one stream; closing it ends
/// the request.
public enum StreamPacket {
    public static let mostBytes = 8192

    /// Speaker: wants the stream of a `StreamQuestion`. With the page, the descriptor to signal when `wanted` bytes are there, and one that
    /// the speaker signals after writing another `jump`.
    public static let get = UInt8(ascii: "G")
    /// Fetching: the file, with its descriptor, and with the bytes that are there already.
    public static let file = UInt8(ascii: "F")
    /// Fetching: a live stream's ring, with its descriptor; the file's length, within `ringBytes`, is the ring's.
    public static let ring = UInt8(ascii: "R")
    /// Fetching: more bytes have come, or all.
    public static let progress = UInt8(ascii: "P")
    /// Fetching: the reason why no bytes come at the moment, in words for people; empty once they come.
    public static let waiting = UInt8(ascii: "W")
    /// Fetching: the text of a `Trouble`, before those words.
    public static let reason = UInt8(ascii: "Y")
    /// Fetching: no more bytes will come, with the reason.
    public static let failed = UInt8(ascii: "E")
    /// Fetching: the recording has been replaced by another one.
    public static let changed = UInt8(ascii: "C")
    /// Fetching: a station's title of the playing item; its own name.
    public static let title = UInt8(ascii: "T")
    public static let station = UInt8(ascii: "N")
    /// Fetching: the rendition being fetched, in words for people.
    public static let rendition = UInt8(ascii: "Q")

    /// Speaker: wants a podcast's feed: its address, and the server's last ETag and Last-Modified, a line each.
    public static let feed = UInt8(ascii: "S")
    /// Speaker: the listener heard the file of this name, and the cache may evict it first.
    public static let heard = UInt8(ascii: "H")
    /// Fetching: the records of the feed, with their descriptor: see `FeedRecord`.
    public static let records = UInt8(ascii: "O")
    /// Fetching: the feed has not changed; with its new address, if it has moved permanently.
    public static let unchanged = UInt8(ascii: "U")

    /// The allowed lengths of a live stream's ring: from 2 s of 512 kbit/s on.
    public static let ringBytes: ClosedRange<Int64> = 128 << 10...64 << 20

    /// Returns the nearest allowed length.
    public static func held(ringBytes: Int64) -> Int64 {
        max(self.ringBytes.lowerBound, min(self.ringBytes.upperBound, ringBytes))
    }

    /// Sends a packet. Returns false if the other side is full or gone.
    @discardableResult
    public static func send(_ kind: UInt8, _ text: String = "", descriptors: [Int32] = [], to socket: Int32) -> Bool {
        var bytes = [kind]
        bytes += text.utf8.prefix(mostBytes - 1)
        return bytes.withUnsafeBytes { part in
            ns_send_packet(socket, part.baseAddress, part.count, descriptors, Int32(descriptors.count)) == part.count
        }
    }

    public enum Received {
        /// No packet for now.
        case nothing
        /// The other side closed.
        case end
        /// A packet, with descriptors that now belong to the receiver.
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
