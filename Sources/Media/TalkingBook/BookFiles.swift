// SPDX-License-Identifier: Apache-2.0
import CPosix
import Core
import Expat
import Posix

/// The files of a talking book: those beside its index, and for an EPUB those in its folders or its archive. Names count without case and
/// without folders; the first file with a name counts.
public struct BookFiles {
    private static let most = 20_000
    private static let mostDepth = 3

    private let folder: String
    /// The names, relative to the folder.
    let names: [String]
    /// The indices by the last path component in lower case.
    private var places: [String: Int] = [:]

    /// - Parameter path: the path of the book's index.
    public init(index path: String) throws(SourceError) {
        folder = path.pathFolder
        var names: [String] = []
        do throws(PosixError) {
            try BookFiles.add("", of: folder, EPUB.isPackage(path) ? BookFiles.mostDepth : 1, &names)
        } catch {
            guard error.code == ENOTDIR, let place = ArchivePath(path) else { throw SourceError(error) }
            let inner = place.entry.utf8.contains(UInt8(ascii: "/")) ? place.entry.pathFolder + "/" : ""
            for name in try ZIPDirectory(path: place.archive).names() where name.begins(with: inner) {
                names.append(name.dropping(bytes: inner.utf8.count))
            }
        }
        names.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        self.names = names
        for place in names.indices.reversed() { places[names[place].pathName.lowerCase] = place }
    }

    private static func add(
        _ prefix: String, of folder: String, _ depth: Int, _ names: inout [String]
    ) throws(PosixError) {
        let reader = try FolderReader(folder + "/" + prefix)
        var folders: [String] = []
        while true {
            let entries = try reader.next(most: 256)
            if entries.isEmpty { break }
            for entry in entries where names.count < most {
                if entry.kind != .folder {
                    names.append(prefix + entry.name)
                } else if entry.name.utf8.first != UInt8(ascii: ".") {
                    folders.append(prefix + entry.name + "/")
                }
            }
        }
        if depth == 1 { return }
        for inner in folders { try? add(inner, of: folder, depth - 1, &names) }
    }

    /// Returns the path of a file that the book names; nil if it does not exist.
    public func path(of file: String) -> String? { place(of: file).map { path(at: $0) } }

    func name(of file: String) -> String? { place(of: file).map { names[$0].pathName } }

    private func place(of file: String) -> Int? { places[file.lowerCase] }

    private func path(at place: Int) -> String {
        folder.utf8.last == UInt8(ascii: "/") ? folder + names[place] : folder + "/" + names[place]
    }

    /// Adds name, length and time of all files that the book is read from.
    public func stamp(_ hash: inout StableHash) {
        for (place, name) in names.enumerated() where TalkingBook.isPiece(name) || TalkingBook.isText(name) {
            hash.add(name)
            guard let status = try? FileStatus(path: path(at: place)) else { continue }
            hash.add(status.bytes)
            hash.add(status.modifiedSeconds)
        }
    }
}

/// The mark of an EPUB in a folder or an archive: META-INF/container.xml, which names its package.
public enum EPUB {
    private static let mostBytes: Int64 = 1 << 16
    /// The most folders between an audio file and the book's own folder.
    private static let mostFolders = 4

    /// The folder that every EPUB has.
    public static var mark: String { "META-INF" }

    static func isPackage(_ path: String) -> Bool { path.pathExtension == "opf" }

    /// Returns the path of the package in a folder or an archive; nil if it is no EPUB.
    public static func package(of root: String) -> String? {
        guard let source = try? FileSource(path: root + "/" + mark + "/container.xml"),
            let length = source.byteCount, length <= mostBytes,
            let bytes = try? source.bytes(at: 0, count: Int(length))
        else { return nil }
        guard let start = bytes.firstRange(of: Array("full-path".utf8))?.upperBound else { return nil }
        let rest = bytes[start...].drop { $0 <= 0x20 || $0 == UInt8(ascii: "=") }
        guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        let path = String(pathBytes: rest.dropFirst().prefix { $0 != quote })
        let isWithin = !path.parts(between: "/", keepingEmpty: true).contains {
            $0.isEmpty || $0.utf8.first == UInt8(ascii: ".")
        }
        return isWithin && isPackage(path) ? root + "/" + path : nil
    }

    /// Returns the path of the package of the unpacked EPUB around a file.
    public static func package(around path: String) -> String? {
        var folder = path
        for _ in 0..<mostFolders {
            let above = folder.pathFolder
            if above.utf8.count >= folder.utf8.count { return nil }
            folder = above
            if Files.exists(folder + "/" + mark), let package = package(of: folder) { return package }
        }
        return nil
    }

    /// Returns why an EPUB cannot be played; nil if it can. Only fonts may be encrypted.
    /// - Parameter package: the path of its package.
    static func protection(_ package: String) -> String? {
        var folder = package
        for _ in 0..<mostFolders {
            let above = folder.pathFolder
            if above.utf8.count >= folder.utf8.count || ArchivePath.isArchive(folder.pathName) { return nil }
            folder = above
            if (try? FileSource(path: folder + "/" + mark + "/container.xml")) == nil { continue }
            if (try? FileSource(path: folder + "/" + mark + "/license.lcpl")) != nil {
                return "is a protected EPUB (LCP): only a player that was given its key can read it"
            }
            guard let source = try? FileSource(path: folder + "/" + mark + "/encryption.xml"),
                let bytes = try? source.bytes(at: 0, count: Int(mostBytes))
            else { return nil }
            let isSound = [".mp3", ".m4a", ".mp4", ".smil", ".xhtml", ".html"].contains {
                bytes.firstRange(of: Array($0.utf8)) != nil
            }
            return isSound ? "is a protected EPUB (DRM): only a player that was given its key can read it" : nil
        }
        return nil
    }
}

/// Reads the texts of an EPUB in reading order, from its package.
private final class SpineReader: XMLReader {
    let refusal: String? = nil
    private(set) var spine: [String] = []
    private var files: [String] = []
    /// The file of each id.
    private var manifest: [String: Int] = [:]

    func begin(_ name: UnsafeBufferPointer<UInt8>, _ attribute: (StaticString) -> [UInt8]?) {
        switch BookText.local(name) {
        case "item":
            guard let id = attribute("id"), let link = BookLink(attribute("href")), id.count <= 256,
                files.count < BookIndex.mostFiles, ["xhtml", "html", "htm"].contains(link.file.pathExtension)
            else { return }
            manifest[String(decoding: id, as: UTF8.self)] = files.count
            files.append(link.file)
        case "itemref":
            guard let id = attribute("idref"), let place = manifest[String(decoding: id, as: UTF8.self)],
                spine.count < BookIndex.mostFiles
            else { return }
            spine.append(files[place])
        default: break
        }
    }

    func end() {}
    func text(_ bytes: UnsafeBufferPointer<UInt8>) {}
}

extension EPUB {
    /// Returns the unprocessed texts of an EPUB file, in reading order.
    /// - Parameter most: the limit of all bytes together; throws `EFBIG` for more.
    public static func texts(of path: String, most: Int) throws(PosixError) -> [[UInt8]] {
        guard let package = package(of: path) else { throw ZIPDirectory.refusal(path, "is no EPUB that can be read") }
        if let protection = protection(package) { throw ZIPDirectory.refusal(path, protection) }
        let reader = SpineReader()
        var texts: [[UInt8]] = []
        var left = most
        do throws(SourceError) {
            let files = try BookFiles(index: package)
            let bytes = try read(package, &left)
            do throws(XMLError) { try XMLStream(reader).take(bytes, isLast: true) } catch {
                if reader.spine.isEmpty {
                    throw SourceError(ZIPDirectory.refusal(package, error.message), mayPass: false)
                }
            }
            for name in reader.spine { if let path = files.path(of: name) { texts.append(try read(path, &left)) } }
        } catch { throw error.cause }
        return texts
    }

    private static func read(_ path: String, _ left: inout Int) throws(SourceError) -> [UInt8] {
        let source = try FileSource(path: path)
        let length = source.byteCount ?? 0
        if length > Int64(left) { throw SourceError(PosixError(code: EFBIG, operation: "read \(path)")) }
        left -= Int(length)
        return try source.bytes(at: 0, count: Int(length))
    }
}

extension TalkingBook {
    /// Returns the path of the index in an archive; nil if the archive is no book.
    public static func index(inArchive path: String) -> String? {
        EPUB.package(of: path) ?? index(ofArchive: path, holding: (try? ZIPDirectory(path: path).names()) ?? [])
    }

    /// Returns the path of the index of a talking book that is no EPUB; nil if the archive's names contain none.
    private static func index(ofArchive path: String, holding names: [String]) -> String? {
        var best: (name: String, depth: Int)?
        for name in names where isIndex(name.pathName) {
            let depth = name.utf8.reduce(0) { $1 == UInt8(ascii: "/") ? $0 + 2 : $0 }
            // Prefer ncc.html to a package.
            let rank = name.pathExtension == "html" ? depth : depth + 1
            if rank < best?.depth ?? .max { best = (name, rank) }
        }
        return best.map { path + "/" + $0.name }
    }

    /// Returns the path of the index of an audio file's book; nil if it belongs to none.
    /// - Parameter names: the names beside the file.
    public static func index(ofAudio path: String, beside names: [String]) -> String? {
        if names.isEmpty, let place = ArchivePath(path) { return index(inArchive: place.archive) }
        return index(in: names).map { path.pathFolder + "/" + $0 } ?? EPUB.package(around: path)
    }

    /// Returns the path of the cover of an audio file's book; nil if the book names none. Worker thread.
    public static func cover(ofAudio path: String) -> String? {
        let names = (try? Files.names(inFolder: path.pathFolder)) ?? []
        guard let package = index(ofAudio: path, beside: names), EPUB.isPackage(package),
            let source = try? FileSource(path: package)
        else { return nil }
        let reader = PackageReader()
        guard let stream = try? XMLStream(reader) else { return nil }
        var offset: Int64 = 0
        while reader.index.cover.isEmpty, let piece = try? source.bytes(at: offset, count: 1 << 15), !piece.isEmpty {
            offset += Int64(piece.count)
            do throws(XMLError) { try stream.take(piece) } catch { break }
        }
        if reader.index.cover.isEmpty { return nil }
        return (try? BookFiles(index: package))?.path(of: reader.index.cover)
    }

    /// Returns the index of a book in an archive, and the names of its audio files; nil if the archive is no book.
    /// - Throws: if the archive cannot be read, or the book in it is encrypted.
    public static func contents(ofArchive path: String) throws(SourceError) -> (index: String, audio: [String])? {
        let directory = try ZIPDirectory(path: path)
        let names = try directory.names()
        let audio = names.filter { MediaFormats.isAudio(suffix: $0.pathExtension) }
        guard !audio.isEmpty, let index = EPUB.package(of: path) ?? index(ofArchive: path, holding: names) else {
            return nil
        }
        if directory.isEncrypted {
            throw SourceError(
                ZIPDirectory.refusal(path, "it is encrypted; pack it without a password"), mayPass: false)
        }
        return (index, audio)
    }
}

extension [UInt8] {
    /// Returns the first place of some bytes; nil if absent.
    func firstRange(of wanted: [UInt8]) -> Range<Int>? {
        guard let first = wanted.first, count >= wanted.count else { return nil }
        for at in 0...(count - wanted.count)
        where self[at] == first && self[at..<at + wanted.count].elementsEqual(wanted) {
            return at..<at + wanted.count
        }
        return nil
    }
}
