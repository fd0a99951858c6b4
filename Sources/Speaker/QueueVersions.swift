// SPDX-License-Identifier: Apache-2.0
/// The version of the last change of each place of the queue. A client with an older version learns only the later changes, as in MPD.
///
/// An edit changes adjacent places, so neighbors of one version form one run.
struct QueueVersions {
    private struct Run {
        var start: Int
        var version: Int
    }

    /// The limit of runs. Beyond it the oldest neighbors are joined, and a client that is that far behind learns too much rather than too
    /// little.
    static let mostRuns = 64

    /// The runs, ordered by their starts, the first at 0. The last has no end.
    private var runs: [Run]

    /// - Parameter version: the first; earlier versions are unknown.
    init(version: Int) { runs = [Run(start: 0, version: version)] }

    /// Notes the places that the edit with this version, the highest so far, has changed.
    mutating func note(_ version: Int, _ places: Range<Int>) {
        if places.isEmpty { return }
        var noted: [Run] = []
        noted.reserveCapacity(runs.count + 2)
        for run in runs where run.start < places.lowerBound { noted.append(run) }
        noted.append(Run(start: places.lowerBound, version: version))
        if places.upperBound < Int.max {
            let behind = runs.last { $0.start <= places.upperBound }
            if let behind { noted.append(Run(start: places.upperBound, version: behind.version)) }
            for run in runs where run.start > places.upperBound { noted.append(run) }
        }
        runs = []
        for run in noted where runs.last?.version != run.version { runs.append(run) }
        while runs.count > QueueVersions.mostRuns { joinOldest() }
    }

    /// Joins the neighbors with the lowest later version.
    private mutating func joinOldest() {
        var oldest = 1
        for index in runs.indices.dropFirst() where later(index) < later(oldest) { oldest = index }
        runs[oldest - 1].version = later(oldest)
        runs.remove(at: oldest)
    }

    private func later(_ index: Int) -> Int { max(runs[index - 1].version, runs[index].version) }

    /// Returns the ranges of the first `count` places that may have changed since this version.
    func changed(since version: Int, count: Int) -> [Range<Int>] {
        var changed: [Range<Int>] = []
        for (index, run) in runs.enumerated() where run.version > version {
            let end = index + 1 < runs.count ? min(count, runs[index + 1].start) : count
            if run.start >= end { continue }
            if let last = changed.last, last.upperBound == run.start {
                changed[changed.count - 1] = last.lowerBound..<end
            } else {
                changed.append(run.start..<end)
            }
        }
        return changed
    }
}
