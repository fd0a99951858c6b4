// SPDX-License-Identifier: Apache-2.0
import Posix
import Workers

/// The control thread's access to the stored playlists: each query and each change is a job for the worker. Control thread.
///
/// Changes run one after the other, so that none starts from a state that another has just replaced.
public final class PlaylistStore {
    /// The limit of waiting changes: with a disk that hangs, further ones are refused.
    private static let mostChangesWaiting = 64

    private let folder: PlaylistFolder
    private let worker: any Performer
    /// The pending changes; the first one is under way.
    private var changes: [Job] = []

    public init(folder: String, worker: any Performer) {
        self.folder = PlaylistFolder(folder)
        self.worker = worker
    }

    public func list(finish: @escaping (Result<[PlaylistFolder.Entry], PlaylistError>) -> Void) {
        let folder = folder
        let answer = Box<[PlaylistFolder.Entry]>()
        begin(
            Job(.pressed) {
                answer.fill { () throws(PlaylistError) in try folder.list() }
                return .done
            } finish: { _ in
                finish(answer.result)
            }
        ) { finish(.failure(.hangs)) }
    }

    /// Returns a stored playlist, for reading page by page.
    /// - Parameter other: a file to read if no playlist of that name is stored.
    public func pages(of name: String, otherwise other: (path: String, format: PlaylistFormat)? = nil) -> PlaylistPages
    {
        let folder = folder
        return PlaylistPages(worker) { () throws(PlaylistError) in
            do throws(PlaylistError) { return try folder.open(name) } catch {
                guard case .noSuchPlaylist = error, let other else { throw error }
                return try PlaylistReading(other.path, other.format)
            }
        }
    }

    /// Returns a playlist in another folder.
    public func pages(ofFile path: String, _ format: PlaylistFormat) -> PlaylistPages {
        PlaylistPages(worker) { () throws(PlaylistError) in try PlaylistReading(path, format) }
    }

    /// Reads a whole playlist.
    public func read(_ name: String, finish: @escaping (Result<PlaylistText, PlaylistError>) -> Void) {
        perform(finish) { (folder) throws(PlaylistError) in try folder.read(name) }
    }

    // MARK: Changes

    public typealias Finish = (Result<Void, PlaylistError>) -> Void

    public func change(_ name: String, _ edit: PlaylistFolder.Edit, finish: @escaping Finish) {
        perform(finish) { (folder) throws(PlaylistError) in try folder.change(name, edit) }
    }

    public func make(_ name: String, _ text: PlaylistText, finish: @escaping Finish) {
        perform(finish) { (folder) throws(PlaylistError) in try folder.make(name, text) }
    }

    public func remove(_ name: String, finish: @escaping Finish) {
        perform(finish) { (folder) throws(PlaylistError) in try folder.remove(name) }
    }

    public func rename(_ name: String, to new: String, finish: @escaping Finish) {
        perform(finish) { (folder) throws(PlaylistError) in try folder.rename(name, to: new) }
    }

    /// - Parameters:
    ///   - text: nil to remove it.
    ///   - modifiedSeconds: the time of the replaced file; 0 if there must be none. Any other file in its place is the error `exists`.
    ///   - finish: gets the modification time of the new file.
    public func replace(
        _ name: String, _ text: PlaylistText?, modifiedSeconds: Int64,
        finish: @escaping (Result<Int64, PlaylistError>) -> Void
    ) {
        perform(finish) { (folder) throws(PlaylistError) in
            try folder.replace(name, text, modifiedSeconds: modifiedSeconds)
        }
    }

    private func perform<Value>(
        _ finish: @escaping (Result<Value, PlaylistError>) -> Void,
        _ body: @escaping (PlaylistFolder) throws(PlaylistError) -> Value
    ) {
        if changes.count >= PlaylistStore.mostChangesWaiting { return finish(.failure(.hangs)) }
        let folder = folder
        let answer = Box<Value>()
        changes.append(
            Job(.pressed) {
                answer.fill { () throws(PlaylistError) in try body(folder) }
                return .done
            } finish: { [self] _ in
                changes.removeFirst()
                beginNext()
                // The caller may start another change at once.
                finish(answer.result)
            })
        if changes.count == 1 { beginNext() }
    }

    private func beginNext() {
        guard let next = changes.first else { return }
        // A refused job gets the answer of a stopped job: the disk hangs.
        begin(next) { next.answer(.stopped) }
    }

    private func begin(_ job: Job, refused: () -> Void) {
        do throws(Job.Refusal) { try worker.take(job) } catch { refused() }
    }
}

/// The worker's result for the control thread.
final class Box<Value>: @unchecked Sendable {
    /// The result; `hangs` until the step has run.
    private(set) var result: Result<Value, PlaylistError> = .failure(.hangs)

    func fill(_ body: () throws(PlaylistError) -> Value) {
        do throws(PlaylistError) { result = .success(try body()) } catch { result = .failure(error) }
    }
}
