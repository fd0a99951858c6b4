import Console
import Posix
import Workers

extension ConsoleAdapter {
    public func files(in uri: String) -> Awaited<[FileDescription]> {
        // A path of this machine's is told by nobody.
        guard let worker, !names.root.isEmpty, !uri.begins(with: "/") else { return Awaited(.success([])) }
        let answer = Awaited<[FileDescription]>()
        let reading = FolderReading(names.path(of: uri))
        let job = Job(.pressed) {
            reading.step() ? .done : .again
        } finish: { [self] outcome in
            let hangs = ConsoleError(.system, "The disk does not answer")
            answer.settle(outcome == .done ? .success(reading.files) : .failure(hangs))
            didCome()
        }
        do throws(Job.Refusal) { try worker.take(job) } catch { return Awaited(.success([])) }
        return answer
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
