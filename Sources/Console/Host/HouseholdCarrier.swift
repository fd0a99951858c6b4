// SPDX-License-Identifier: Apache-2.0
import CPosix
import Core
import Library
import Model
import Posix

/// Wakes the process that carries a household's records (`nightstand sync --stay`) by creating a file that nightstand-sync.path watches.
/// The speaker starts no process and waits for none. Control thread.
public final class HouseholdCarrier {
    /// The time after a press in which the listener may wait for the others' changes.
    private static let awakeMilliseconds: Int64 = 120_000
    private let library: Library
    private let timers: any Timers
    /// The path of that file, in a folder in memory; "" for none.
    private let path: String
    private var isCalled = false
    private var pressedAt: MonotonicTime?
    private var wasPlaying = false
    private var throughAt: MonotonicTime?
    private var waitUntil: MonotonicTime?
    private var lastRun = HouseholdRun()

    public init(_ library: Library, _ timers: any Timers, folder: String?) {
        self.library = library
        self.timers = timers
        path = folder.map { $0 + "/household" } ?? ""
        // An earlier run may have left it: it calls for a process that would find no speaker yet.
        if !path.isEmpty { _ = path.withPath { unlink($0) } }
    }

    /// Notes a press: the listener's changes should go out, and others' changes come in.
    public func didPress() {
        if !library.isOfHousehold { return }
        pressedAt = timers.now
        call()
    }

    /// Notes a change that other speakers may need.
    func didChange(_ changes: Changes, isPlaying: Bool) {
        if !library.isOfHousehold { return }
        let wasPlaying = wasPlaying
        self.wasPlaying = isPlaying
        if changes.contains(.favourites) || wasPlaying && !isPlaying { call() }
    }

    /// Calls the process, unless it was called already.
    func call() {
        if isCalled || path.isEmpty { return }
        isCalled = true
        // If this fails, the next run by a timer carries everything.
        _ = try? FileDescriptor.open(path, O_WRONLY | O_CREAT)
    }

    /// Notes that the process has come. Returns the seconds in which it should keep asking often for others' changes.
    func answer() -> Int {
        isCalled = false
        if !path.isEmpty { _ = path.withPath { unlink($0) } }
        guard let pressedAt else { return 0 }
        let left = HouseholdCarrier.awakeMilliseconds - timers.now.milliseconds(since: pressedAt)
        return Int(max(0, left) + 999) / 1000
    }

    func went(_ run: HouseholdRun) {
        lastRun = run
        if run.problem.isEmpty { throughAt = timers.now }
        waitUntil = timers.now.adding(milliseconds: Int64(min(run.waitSeconds, 86_400)) * 1000)
    }

    /// The last run's result, updated for the status now.
    var run: HouseholdRun {
        var run = lastRun
        run.sinceSeconds = throughAt.map { Int(clamping: timers.now.milliseconds(since: $0) / 1000) }
        run.waitSeconds = waitUntil.map { Int(clamping: max(0, $0.milliseconds(since: timers.now)) + 999) / 1000 } ?? 0
        return run
    }
}
