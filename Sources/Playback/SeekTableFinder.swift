// SPDX-License-Identifier: Apache-2.0
import Media
import Workers

/// Walks through what plays, once, to learn its true length and how to begin anywhere in it. Control thread.
final class SeekTableFinder {
    private let worker: any Performer
    private var underWay: [MediaSource] = []

    init(worker: any Performer) { self.worker = worker }

    /// Does nothing if the track has a table, or a walk through its source is under way. `finish` gets nil where there is none to be had.
    func find(_ track: Track, finish: @escaping (SeekTable?) -> Void) {
        let source = track.source
        // A source from a network waits until it is complete.
        if track.seekTable != nil || !source.isWhole || underWay.contains(source) { return }
        let walk = SeekTableWalk(source)
        let job = Job(.background) {
            walk.step() ? .done : .again
        } finish: { [self] outcome in
            underWay.removeAll { $0 == source }
            if outcome != .stopped { finish(walk.result) }
        }
        do throws(Job.Refusal) {
            try worker.take(job)
            underWay.append(source)
        } catch {
            // Too much to do: the next playback starts the walk.
        }
    }
}
