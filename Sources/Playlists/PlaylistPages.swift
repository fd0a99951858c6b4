// SPDX-License-Identifier: Apache-2.0
import Workers

/// A playlist that is read page by page, with a job for each. Control thread.
public final class PlaylistPages {
    /// The open playlist. The worker owns it while a job is under way.
    private final class Reader: @unchecked Sendable {
        let open: () throws(PlaylistError) -> PlaylistReading
        var reading: PlaylistReading?

        init(_ open: @escaping () throws(PlaylistError) -> PlaylistReading) { self.open = open }

        func next() throws(PlaylistError) -> PlaylistText? {
            let reading: PlaylistReading
            if let begun = self.reading { reading = begun } else { reading = try open() }
            self.reading = reading
            var text = PlaylistText()
            while text.isEmpty {
                if reading.isOver { return nil }
                try reading.read(into: &text)
            }
            return text
        }
    }

    private let worker: any Performer
    private let reader: Reader

    init(_ worker: any Performer, open: @escaping () throws(PlaylistError) -> PlaylistReading) {
        self.worker = worker
        reader = Reader(open)
    }

    /// Reads the next entries, at least one; nil behind the last. Do not call it before the previous page has come.
    public func next(finish: @escaping (Result<PlaylistText?, PlaylistError>) -> Void) {
        let reader = reader
        let answer = Box<PlaylistText?>()
        let job = Job(.pressed) {
            answer.fill { () throws(PlaylistError) in try reader.next() }
            return .done
        } finish: { _ in
            finish(answer.result)
        }
        do throws(Job.Refusal) { try worker.take(job) } catch { finish(.failure(.hangs)) }
    }
}
