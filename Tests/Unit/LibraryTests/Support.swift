import Foundation
import Library

/// A folder that is gone after the test.
final class TemporaryFolder {
    let path: String

    init() {
        path = NSTemporaryDirectory() + "library-" + UUID().uuidString
        try! FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var database: String { path + "/nightstand.db" }
    var names: [String] { try! FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    /// Set-aside databases, without their logs.
    var setAside: [String] { names.filter { $0.contains(".damaged-") && !$0.hasSuffix("-wal") } }

    @discardableResult
    func write(_ name: String, _ bytes: [UInt8]) -> String {
        let file = path + "/" + name
        try! FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try! Data(bytes).write(to: URL(fileURLWithPath: file))
        return file
    }
}

/// What a library warned of.
final class Warnings {
    var all: [String] = []
}

extension Library {
    convenience init(_ folder: TemporaryFolder, _ warnings: Warnings = Warnings()) {
        self.init(stateFolder: folder.path) { warnings.all.append($0) }
    }
}

func probe(
    _ number: Int, path: String? = nil, title: String = "", artist: String = "", album: String = "",
    durationMilliseconds: Int? = 100_000, fileBytes: Int64 = 5000, modified: Int64 = 1_700_000_000
) -> Probe {
    Probe(
        identity: ContentIdentity(hash: UInt64(number) &* 0x9E37_79B9_7F4A_7C15, audioBytes: Int64(number) + 1000),
        path: path ?? "/nowhere/books/Chapter \(number).mp3", fileBytes: fileBytes, fileModifiedSeconds: modified,
        title: title, artist: artist, album: album, durationMilliseconds: durationMilliseconds)
}

extension FileManager {
    func bytes(_ path: String) -> [UInt8] { [UInt8](contents(atPath: path)!) }
}
