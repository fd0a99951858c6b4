import Expat
import Posix
import Streams

/// A podcast's feed that is read while it comes: its episodes are put into a file. What is damaged is read as far as it can be.
final class FeedBody {
    /// Unpacked. The longest feeds there are have 15 MB.
    private static let mostBytes = 32 << 20

    private var file: FeedFile
    private let reader: FeedReader
    private let stream: XMLStream
    private var bytes = 0
    private var hasEpisode = false
    /// It cannot be read from there on; what came before is taken.
    private var fault: String?

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

    /// The file of its records, once all has come.
    /// - Parameters:
    ///   - address: where it was looked for.
    ///   - movedTo: where it is for good; "" where it has not moved.
    func records(_ head: ResponseHead, address: String, movedTo: String) throws(PosixError) -> FileDescriptor {
        var feed = reader.feed
        if feed[.title] == nil { feed[.title] = StreamAddress.host(address) }
        if !movedTo.isEmpty && StreamAddress.problem(movedTo) == nil { feed[.address] = movedTo }
        if let fault {
            // Asked for whole the next time.
            feed[.notice] = "the feed is damaged, and was read as far as it can be: " + fault
            Log.notice(StreamAddress.shown(address) + ": damaged: " + fault)
        } else {
            feed[.entityTag] = head.entityTag
            feed[.lastModified] = head.lastModified
            if stream.hasMended { Log.notice(StreamAddress.shown(address) + ": the feed is damaged, and was mended") }
        }
        return try file.finish(feed)
    }
}
