// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Posix
import Workers

/// Never forgets where the listener was: says when to write, and has the disk take it.
///
/// Writing is quick, the disk is not: the worker waits for it (`LogJob`). All that is saved within a turn of the loop is one such job, and
/// there is never more than one under way.
public final class PlaceKeeper {
    /// A little less than the 5 s that may be lost, so that the moment of writing is in them.
    static let saveMilliseconds = 4500
    /// So much sooner it may be written if something else has woken the thread.
    static let soonerMilliseconds = 500
    /// So long nothing must have played before a checkpoint: the log is copied into the database.
    static let idleMilliseconds = 20_000
    /// After a worker that takes no more, the log is tried again.
    static let retryMilliseconds = 5000

    private let library: Library
    private let worker: any Performer
    private let timers: any Timers
    private let audience: Audience
    /// Saves where the current item is; nothing where none is.
    var savePlace: () -> Void = {}
    /// Called once nothing that was saved is left for the disk to take.
    public var didSave: () -> Void = {}
    /// Called after each step of the disk.
    public var didStep: () -> Void = {}

    private var saveTimer: EventLoop.TimerToken?
    private var idleTimer: EventLoop.TimerToken?
    /// Set where a look at the log is due in this turn of the loop.
    private var isLookDue = false
    private var isJobUnderWay = false
    /// A person was told that it is saved.
    private var wasSaid = false

    init(library: Library, worker: any Performer, timers: any Timers, audience: Audience) {
        self.library = library
        self.audience = audience
        self.worker = worker
        self.timers = timers
    }

    /// Something was written: the disk is to have it.
    /// - Parameter said: that it is saved was announced, and is taken back should the disk refuse it.
    public func didWrite(said: Bool = false) {
        wasSaid = wasSaid || said
        // An edit while nothing plays is followed by a checkpoint, too.
        if saveTimer == nil && idleTimer == nil { idleBy() }
        if isLookDue || isJobUnderWay { return }
        isLookDue = true
        timers.schedule(at: timers.now) { [self] in
            isLookDue = false
            doNextJob(isIdle: false)
        }
    }

    /// Playing began, went on or ended: the place is saved now and then while it plays, and some time after it comes a checkpoint.
    func playingDidChange(to isPlaying: Bool) {
        if isPlaying {
            if let idleTimer { timers.cancel(idleTimer) }
            idleTimer = nil
            if saveTimer == nil { saveBy() }
        } else {
            if let saveTimer { timers.cancel(saveTimer) }
            saveTimer = nil
            if idleTimer == nil { idleBy() }
        }
    }

    /// Has all of the log copied into the database now.
    func checkpoint() { doNextJob(isIdle: true) }

    private func saveBy() {
        let latest = timers.now.adding(milliseconds: PlaceKeeper.saveMilliseconds)
        let due = latest.adding(milliseconds: -PlaceKeeper.soonerMilliseconds)
        saveTimer = timers.schedule(at: due, latest: latest) { [self] in
            saveTimer = nil
            savePlace()
            saveBy()
        }
    }

    private func idleBy() {
        idleTimer = timers.schedule(inMilliseconds: PlaceKeeper.idleMilliseconds) { [self] in
            idleTimer = nil
            doNextJob(isIdle: true)
        }
    }

    private func doNextJob(isIdle: Bool) {
        if isJobUnderWay { return }
        guard let job = library.logJob(isIdle: isIdle) else {
            // A long queue, a part in each turn: no more than the disk keeps up with.
            return library.saveMoreOfQueue() ? didWrite() : didSave()
        }
        do throws(Job.Refusal) {
            isJobUnderWay = true
            try worker.perform(.soon, key: "log") {
                job.run()
                return .done
            } finish: { [self] _ in
                didFinish(job, isIdle: isIdle)
            }
        } catch {
            isJobUnderWay = false
            _ = library.finish(job)
            if wasSaid { audience.announce(.notSaved) }
            wasSaid = false
            timers.schedule(inMilliseconds: PlaceKeeper.retryMilliseconds) { [self] in doNextJob(isIdle: isIdle) }
        }
    }

    private func didFinish(_ job: LogJob, isIdle: Bool) {
        isJobUnderWay = false
        defer { didStep() }
        if library.finish(job) != nil {
            if wasSaid { audience.announce(.notSaved) }
            wasSaid = false
            // The disk may take it later, though nothing else is written until then.
            if saveTimer == nil && idleTimer == nil { idleBy() }
            return
        }
        wasSaid = false
        // The writes meanwhile, and the next part of the checkpoint.
        doNextJob(isIdle: isIdle)
    }
}
