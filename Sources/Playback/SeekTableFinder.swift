// SPDX-License-Identifier: Apache-2.0
import Media
import Workers

/// Walks over playing tracks, once each, to find their exact length and seek table. Control thread.
final class SeekTableFinder {
    private let worker: any Performer
    private var underWay: [MediaSource] = []

    init(worker: any Performer) { self.worker = worker }

    /// Does nothing if the track has a table, or a walk over its source is running. `finish` gets nil if there is no table.
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
            // The worker is full: the next playback starts the walk.
        }
    }
}
