// SPDX-License-Identifier: Apache-2.0
import Expat
import Posix
import Streams

/// Reads a podcast's feed during its download: its episodes go into a file. It reads damaged feeds as far as it can.
final class FeedBody {
    /// The limit of an unpacked feed. The longest feeds there are have 15 MB.
    private static let mostBytes = 32 << 20

    private var file: FeedFile
    private var reader: FeedReader
    private var stream: XMLStream
    /// The first page's facts about the feed, while another one is read.
    private var feed: FeedRecord?
    private var bytes = 0
    private var hasEpisode = false
    /// The reason why the rest is unreadable; earlier records count.
    private var fault: String?
    /// The reason why the pages with older episodes are missing.
    var missing: String?

    /// - Parameters:
    ///   - folder: the cache's folder.
    ///   - base: the feed's address.
    init(folder: String, base: String) throws(XMLError) {
        do throws(PosixError) { file = try FeedFile(folder: folder) } catch {
            throw XMLError(message: "the cache cannot be used: " + error.message)
        }
        var add: (FeedRecord) -> Bool = { _ in false }
        reader = FeedReader(base: base) { add($0) }
        stream = try XMLStream(reader)
        add = { [unowned(unsafe) self] in
            hasEpisode = true
            return file.add($0)
        }
    }

    /// - Parameter isLast: true for the last piece.
    /// - Throws: if none of it is usable.
    func take(_ piece: UnsafeRawBufferPointer, isLast: Bool = false) throws(XMLError) {
        bytes += piece.count
        if bytes > FeedBody.mostBytes {
            throw XMLError(message: "too large for a feed: more than \(FeedBody.mostBytes >> 20) MB")
        }
        // Bytes behind a fault are ignored.
        if fault != nil { return }
        do throws(XMLError) { try stream.take(piece, isLast: isLast) } catch {
            if !hasEpisode { throw error }
            fault = error.message
        }
    }

    /// The feed's own new address; "" if it has not moved.
    var newAddress: String { fault == nil ? reader.newAddress : "" }

    /// The page with older episodes; "" for none, or at the limit of episodes.
    var nextAddress: String { fault == nil && !file.isEnough ? reader.nextAddress : "" }

    /// Continues with another page of the same feed, after the end of one.
    func turnPage(base: String) throws(XMLError) {
        feed = feed ?? reader.feed
        let next = FeedReader(base: base) { [unowned(unsafe) self] in
            hasEpisode = true
            return file.add($0)
        }
        stream = try XMLStream(next)
        reader = next
    }

    /// Returns the file of the records, once all has come.
    /// - Parameters:
    ///   - address: the requested address.
    ///   - movedTo: the permanent new address; "" if it has not moved.
    func records(_ head: ResponseHead, address: String, movedTo: String) throws(PosixError) -> FileDescriptor {
        var feed = self.feed ?? reader.feed
        if feed[.title] == nil { feed[.title] = StreamAddress.host(address) }
        if !movedTo.isEmpty && StreamAddress.problem(movedTo) == nil { feed[.address] = movedTo }
        if let fault {
            // It is requested whole the next time.
            feed[.notice] = "the feed is damaged, and was read as far as it can be: " + fault
            Log.notice(StreamAddress.shown(address) + ": damaged: " + fault)
        } else if let missing {
            feed[.notice] = "its older episodes are missing: " + missing
        } else {
            feed[.entityTag] = head.entityTag
            feed[.lastModified] = head.lastModified
            if stream.hasMended { Log.notice(StreamAddress.shown(address) + ": the feed is damaged, and was mended") }
        }
        return try file.finish(feed)
    }
}
