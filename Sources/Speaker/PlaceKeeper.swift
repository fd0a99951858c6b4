// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Posix
import Workers

/// Keeps the listener's place safe: decides when to write, and has the disk save it.
///
/// Writing is quick, the disk is not: the worker waits for it (`LogJob`). All saves within a turn of the loop are one such job, and only
/// one is under way at a time.
public final class PlaceKeeper {
    /// The interval of saves: a little less than the 5 s that may be lost, to include the time of writing.
    static let saveMilliseconds = 4500
    /// The time by which a save may be early, if something else has woken the thread.
    static let soonerMilliseconds = 500
    /// The time of silence before a checkpoint, which copies the log into the database.
    static let idleMilliseconds = 20_000
    /// The time before a retry, after the worker refused a job.
    static let retryMilliseconds = 5000

    private let library: Library
    private let worker: any Performer
    private let timers: any Timers
    private let audience: Audience
    /// Saves the current item's place; does nothing without an item.
    var savePlace: () -> Void = {}
    /// Called once the disk has all saves.
    public var didSave: () -> Void = {}
    /// Called after each step of the disk.
    public var didStep: () -> Void = {}

    private var saveTimer: EventLoop.TimerToken?
    private var idleTimer: EventLoop.TimerToken?
    /// True if this turn of the loop still has to check the log.
    private var isLookDue = false
    private var isJobUnderWay = false
    /// True if the speaker announced a save to the listener.
    private var wasSaid = false

    init(library: Library, worker: any Performer, timers: any Timers, audience: Audience) {
        self.library = library
        self.audience = audience
        self.worker = worker
        self.timers = timers
    }

    /// Notes a write, which the disk has to save.
    /// - Parameter said: true if the save was announced: if the disk refuses it, that is taken back.
    public func didWrite(said: Bool = false) {
        wasSaid = wasSaid || said
        // A checkpoint also follows an edit while nothing plays.
        if saveTimer == nil && idleTimer == nil { idleBy() }
        if isLookDue || isJobUnderWay { return }
        isLookDue = true
        timers.schedule(at: timers.now) { [self] in
            isLookDue = false
            doNextJob(isIdle: false)
        }
    }

    /// Notes a change of playback: during playback the place is saved now and then, and some time after its end comes a checkpoint.
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

    /// Copies the whole log into the database now.
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
            // A long queue is saved in parts, one in each turn: no more than the disk keeps up with.
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
            // The disk may accept it later, even without further writes.
            if saveTimer == nil && idleTimer == nil { idleBy() }
            return
        }
        wasSaid = false
        // The writes meanwhile, and the next part of the checkpoint.
        doNextJob(isIdle: isIdle)
    }
}
