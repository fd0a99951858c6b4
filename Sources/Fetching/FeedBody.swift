import Expat
import Posix
import Streams

/// A podcast's feed that is read while it comes: its episodes are put into a file. What is damaged is read as far as it can be.
final class FeedBody {
    /// Unpacked. The longest feeds there are have 15 MB.
    private static let mostBytes = 32 << 20

    private var file: FeedFile
    private var reader: FeedReader
    private var stream: XMLStream
    /// What the first page says of the feed, once another one is read.
    private var feed: FeedRecord?
    private var bytes = 0
    private var hasEpisode = false
    /// It cannot be read from there on; what came before is taken.
    private var fault: String?
    /// Why the pages with older episodes are missing.
    var missing: String?

    /// - Parameters:
    ///   - folder: the cache's.
    ///   - base: where it was found.
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

    /// - Parameter isLast: nothing comes behind it.
    /// - Throws: where nothing of it can be taken.
    func take(_ piece: UnsafeRawBufferPointer, isLast: Bool = false) throws(XMLError) {
        bytes += piece.count
        if bytes > FeedBody.mostBytes {
            throw XMLError(message: "too large for a feed: more than \(FeedBody.mostBytes >> 20) MB")
        }
        // What comes behind a fault is left out.
        if fault != nil { return }
        do throws(XMLError) { try stream.take(piece, isLast: isLast) } catch {
            if !hasEpisode { throw error }
            fault = error.message
        }
    }

    /// Where it says that it has moved; "" for nowhere.
    var newAddress: String { fault == nil ? reader.newAddress : "" }

    /// The page with older episodes; "" for none, or where no more are taken.
    var nextAddress: String { fault == nil && !file.isEnough ? reader.nextAddress : "" }

    /// Goes on with another page of the same feed, once one has ended.
    func turnPage(base: String) throws(XMLError) {
        feed = feed ?? reader.feed
        let next = FeedReader(base: base) { [unowned(unsafe) self] in
            hasEpisode = true
            return file.add($0)
        }
        stream = try XMLStream(next)
        reader = next
    }

    /// The file of its records, once all has come.
    /// - Parameters:
    ///   - address: where it was looked for.
    ///   - movedTo: where it is for good; "" where it has not moved.
    func records(_ head: ResponseHead, address: String, movedTo: String) throws(PosixError) -> FileDescriptor {
        var feed = self.feed ?? reader.feed
        if feed[.title] == nil { feed[.title] = StreamAddress.host(address) }
        if !movedTo.isEmpty && StreamAddress.problem(movedTo) == nil { feed[.address] = movedTo }
        if let fault {
            // Asked for whole the next time.
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
