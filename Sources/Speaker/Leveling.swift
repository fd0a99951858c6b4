// SPDX-License-Identifier: Apache-2.0
import Core
import Ebur128
import Library
import Media
import Model
import Playback
import Posix
import Workers

/// Measures the loudness of played recordings without a value in their tags: some excerpts of each, and more of them while it plays.
/// Everything else goes first. Control thread.
final class Leveling {
    private let library: Library
    private let worker: any Performer
    private let audience: Audience
    /// Returns the track of an item, for playback.
    var track: (Item.ID) -> Track? = { _ in nil }
    /// Called when an item has a new measurement.
    var didMeasure: (Item.ID) -> Void = { _ in }
    private var wanted: [Item.ID] = []
    private var current: Job?
    private var round = 0
    /// The recordings that cannot be measured, or are sufficiently measured.
    private var done: [Item.ID] = []
    private var isMissing = false

    init(library: Library, worker: any Performer, audience: Audience) {
        self.library = library
        self.worker = worker
        self.audience = audience
    }

    /// Measures these items, the first one first.
    func want(_ items: [Item.ID]) {
        wanted = items.filter { !done.contains($0) }
        goOn()
    }

    /// Stops measuring.
    func stop() {
        wanted = []
        current?.cancel()
    }

    private func goOn() {
        guard current == nil, !isMissing, let id = wanted.first else { return }
        let known = library.loudness(id)
        guard !known.isTagged, let track = track(id), track.source.path != nil, !isEnough(known, track) else {
            return next(id)
        }
        // Continue after the earlier rounds.
        round = min(
            LoudnessMeasure.rounds - 1,
            known.measuredMilliseconds / (Loudness.wholeMilliseconds / LoudnessMeasure.rounds - 1000))
        let measure = LoudnessMeasure(track, round: known.measured == nil ? 0 : round)
        current = try? worker.perform(.background, key: "loudness") {
            measure.step()
        } finish: { [self] outcome in
            current = nil
            if outcome == .done { take(measure, of: id) } else { goOn() }
        }
    }

    private func take(_ measure: LoudnessMeasure, of id: Item.ID) {
        if let missing = measure.missing {
            isMissing = true
            return audience.warn(
                "Recordings that do not say how loud they are cannot be brought to one level: \(missing.message)")
        }
        guard let found = measure.loudness, measure.milliseconds > 0 else { return next(id) }
        var loudness = library.loudness(id)
        loudness.measured = LoudnessMeter.ofBoth(
            loudness.measured ?? 0, loudness.measuredMilliseconds, found, measure.milliseconds)
        loudness.measuredMilliseconds += measure.milliseconds
        library.save(loudness, of: id)
        didMeasure(id)
        // Start the next round if there is more to measure.
        goOn()
    }

    /// Returns whether the measurement covers the whole item, or enough of it.
    private func isEnough(_ known: Loudness, _ track: Track) -> Bool {
        guard known.measured != nil else { return false }
        // An unknown length is measured once.
        let length = min(track.durationMilliseconds ?? 0, Loudness.wholeMilliseconds)
        return known.measuredMilliseconds >= length * 9 / 10
    }

    private func next(_ id: Item.ID) {
        wanted.removeAll { $0 == id }
        done.append(id)
        if done.count > 64 { done.removeFirst() }
        goOn()
    }
}
