// SPDX-License-Identifier: Apache-2.0
import Core
import Foundation
import Model

@testable import Library

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

/// The warnings of a library.
final class Warnings {
    var all: [String] = []
}

extension Library {
    convenience init(_ folder: TemporaryFolder, _ warnings: Warnings = Warnings()) {
        self.init(stateFolder: folder.path) { warnings.all.append($0) }
    }

    /// The worker has written what was saved so far, and not folded it in.
    func writeLog() {
        guard let job = logJob() else { return }
        job.run()
        finish(job)
    }
}

/// A file in a folder of its own, if no path says otherwise: a work of its own.
func probe(
    _ number: Int, path: String? = nil, title: String = "", artist: String = "", album: String = "",
    durationMilliseconds: Int? = 100_000, fileBytes: Int64 = 5000, modified: Int64 = 1_700_000_000
) -> Probe {
    Probe(
        identity: ContentIdentity(hash: UInt64(number) &* 0x9E37_79B9_7F4A_7C15, audioBytes: Int64(number) + 1000),
        path: path ?? "/nowhere/books/\(number)/Chapter \(number).mp3", fileBytes: fileBytes,
        fileModifiedSeconds: modified,
        tags: TagList([(.title, title), (.artist, artist), (.album, album)]), durationMilliseconds: durationMilliseconds
    )
}

extension FileManager {
    func bytes(_ path: String) -> [UInt8] { [UInt8](contents(atPath: path)!) }
}

extension Library {
    /// Counted in all its portions.
    func counts() -> LibraryStatistics {
        let counting = Counting(self)
        while true { if let counts = counting.next() { return counts } }
    }

    /// The log has grown so long that it should be folded in.
    var isBehind: Bool { log?.isLong ?? false }

    /// As a scan does: the item at `path` if the file has not changed, which is there from then on.
    func knownItem(path: String, fileBytes: Int64, fileModifiedSeconds: Int64) -> Item.ID? {
        guard let known = knownFile(path: path, fileBytes: fileBytes, fileModifiedSeconds: fileModifiedSeconds) else {
            return nil
        }
        if !known.isPresent { setPresent([known.id], true) }
        return known.id
    }

    /// Ends a scan: files of the folder that were not found are missing. Returns their number.
    @discardableResult
    func sweep(_ folder: String? = nil, found: Set<Item.ID> = [], nowSeconds: Int64 = 1_800_000_000) -> Int {
        let gone = itemIDs(inFolder: folder).filter { !found.contains($0) }
        batch { for id in gone { setPresent(id, false, nowSeconds: nowSeconds) } }
        return gone.count
    }
}
