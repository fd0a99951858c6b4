// SPDX-License-Identifier: Apache-2.0
import Posix
import Workers

/// The stored playlists as the control thread has them: each question and each change is a job for the worker. Control thread.
///
/// Changes run one after the other, so that none starts from a state that another has just replaced.
public final class PlaylistStore {
    /// A disk that hangs: further changes are refused.
    private static let mostChangesWaiting = 64

    private let folder: PlaylistFolder
    private let worker: any Performer
    /// The changes to make, the first of them under way.
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

    /// A playlist that stands in another folder.
    public func pages(ofFile path: String, _ format: PlaylistFormat) -> PlaylistPages {
        PlaylistPages(worker) { () throws(PlaylistError) in try PlaylistReading(path, format) }
    }

    /// All of one.
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
    ///   - text: nil for none.
    ///   - modifiedSeconds: of the one that it takes the place of; 0 where there is to be none. Another file in its place is the error
    ///     `exists`.
    ///   - finish: gets the modification time of the new one.
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
                // The caller may ask for another at once.
                finish(answer.result)
            })
        if changes.count == 1 { beginNext() }
    }

    private func beginNext() {
        guard let next = changes.first else { return }
        // A refused job gets the answer of a job that was stopped: the disk hangs.
        begin(next) { next.answer(.stopped) }
    }

    private func begin(_ job: Job, refused: () -> Void) {
        do throws(Job.Refusal) { try worker.take(job) } catch { refused() }
    }
}

/// A result that the worker leaves for the second half on the control thread.
final class Box<Value>: @unchecked Sendable {
    /// `hangs` until the step has been run.
    private(set) var result: Result<Value, PlaylistError> = .failure(.hangs)

    func fill(_ body: () throws(PlaylistError) -> Value) {
        do throws(PlaylistError) { result = .success(try body()) } catch { result = .failure(error) }
    }
}
