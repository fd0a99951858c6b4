import Console
import Library
import Media
import Model
import Posix
import Speaker
import Workers

extension ConsoleAdapter {
    public func files(in uri: String) -> Awaited<[FileDescription]> {
        // A path of this machine's is told by nobody.
        guard let worker, !names.root.isEmpty, !uri.begins(with: "/") else { return Awaited(.success([])) }
        let reading = FolderReading(names.path(of: uri))
        return ask(worker, otherwise: [], reading.step) { reading.files }
    }

    public func comments(of uri: String) throws(ConsoleError) -> Awaited<[(name: String, text: String)]?> {
        let item = try item(uri)
        guard let worker, !item.isStream else { return Awaited(.success(nil)) }
        let reading = CommentReading(item.path)
        return ask(worker, otherwise: nil, reading.step) { reading.comments }
    }

    /// - Parameters:
    ///   - otherwise: where too much waits for the disk already.
    ///   - step: on the worker, until it returns true.
    private func ask<Value>(
        _ worker: any Performer, otherwise: Value, _ step: @escaping () -> Bool, found: @escaping () -> Value
    ) -> Awaited<Value> {
        let answer = Awaited<Value>()
        let job = Job(.pressed) {
            step() ? .done : .again
        } finish: { [self] outcome in
            let hangs = ConsoleError(.system, "The disk does not answer")
            answer.settle(outcome == .done ? .success(found()) : .failure(hangs))
            didCome()
        }
        do throws(Job.Refusal) { try worker.take(job) } catch { return Awaited(.success(otherwise)) }
        return answer
    }
}

/// What a file says of itself. The worker's, until it is done.
private final class CommentReading: @unchecked Sendable {
    private let path: String
    private(set) var comments: [(name: String, text: String)]?

    init(_ path: String) { self.path = path }

    func step() -> Bool {
        comments = MediaComment.read(path)?.map { ($0.name, $0.text) }
        return true
    }
}

/// What is in a folder, and how large. The worker's, until it is done.
private final class FolderReading: @unchecked Sendable {
    /// More are not told.
    private static let mostFiles = 4096

    private let path: String
    private var folder: FolderReader?
    private var hasBegun = false
    private(set) var files: [FileDescription] = []

    init(_ path: String) { self.path = path }

    /// - Returns: whether that was the last step. What cannot be read is left out.
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
