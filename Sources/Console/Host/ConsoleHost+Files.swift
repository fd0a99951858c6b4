// SPDX-License-Identifier: Apache-2.0
import Library
import Media
import Model
import Posix
import Speaker
import Wire
import Workers

extension ConsoleHost {
    /// Lists the other files in a folder of the library, from the disk; the folder's songs may be among them.
    func files(in uri: String) -> Awaited<[FileDescription]> {
        // Clients must not list a path of this machine.
        guard let disk, !names.root.isEmpty, !uri.begins(with: "/") else { return Awaited(.success([])) }
        let reading = FolderReading(names.path(of: uri))
        return disk.ask(otherwise: [], reading.step, finish: didCome) { reading.files }
    }

    /// Returns the comments in a song's file; nil if its format has none, or it is unreadable.
    func comments(of uri: String) throws(ConsoleError) -> Awaited<[(name: String, text: String)]?> {
        let item = try item(uri)
        guard let disk, !item.isStream else { return Awaited(.success(nil)) }
        let reading = CommentReading(item.path)
        return disk.ask(otherwise: nil, reading.step, finish: didCome) { reading.comments }
    }
}

/// The disk reads for which consoles wait.
final class DiskReader {
    private let worker: any Performer
    let pictures: PictureShelf

    init(_ worker: any Performer, timers: any Timers) {
        self.worker = worker
        pictures = PictureShelf(worker, timers: timers)
    }

    /// - Parameters:
    ///   - otherwise: the result if too much waits for the disk already.
    ///   - step: runs on the worker, until it returns true.
    ///   - finish: called when the answer has come, from `found`.
    func ask<Value>(
        otherwise: Value, _ step: @escaping () -> Bool, finish: @escaping () -> Void, found: @escaping () -> Value
    ) -> Awaited<Value> {
        let answer = Awaited<Value>()
        let job = Job(.pressed) {
            step() ? .done : .again
        } finish: { outcome in
            let hangs = ConsoleError(.system, "The disk does not answer")
            answer.settle(outcome == .done ? .success(found()) : .failure(hangs))
            finish()
        }
        do throws(Job.Refusal) { try worker.take(job) } catch { return Awaited(.success(otherwise)) }
        return answer
    }
}

/// A reader of the comments in a file. The worker owns it, until its end.
private final class CommentReading: @unchecked Sendable {
    private let path: String
    private(set) var comments: [(name: String, text: String)]?

    init(_ path: String) { self.path = path }

    func step() -> Bool {
        comments = MediaComment.read(path)?.map { ($0.name, $0.text) }
        return true
    }
}

/// A reader of a folder's content, with sizes. The worker owns it, until its end.
private final class FolderReading: @unchecked Sendable {
    /// The limit of files in an answer.
    private static let mostFiles = 4096

    private let path: String
    private var folder: FolderReader?
    private var hasBegun = false
    private(set) var files: [FileDescription] = []

    init(_ path: String) { self.path = path }

    /// - Returns: true after the last step. Unreadable files are left out.
    func step() -> Bool {
        if !hasBegun { folder = try? FolderReader(path) }
        hasBegun = true
        guard let entries = try? folder?.next(most: 16), !entries.isEmpty, files.count < FolderReading.mostFiles else {
            return true
        }
        for entry in entries {
            guard let status = try? FileStatus(path: path + "/" + entry.name) else { continue }
            if !status.isDirectory && !status.isRegularFile { continue }
            files.append(
                FileDescription(
                    name: entry.name, bytes: status.isDirectory ? nil : status.bytes,
                    modifiedSeconds: status.modifiedSeconds))
        }
        return false
    }
}
