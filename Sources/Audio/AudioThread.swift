// SPDX-License-Identifier: Apache-2.0
import ALSA
import CPosix
import Posix
import Realtime
import Synchronization

/// Starts the audio thread and keeps the state shared with control.
public final class AudioThread: @unchecked Sendable {
    public let shared: UnsafeMutablePointer<AudioShared>
    private let loop: UnsafeMutablePointer<AudioLoop<PlaybackDevice>>
    private var thread: Thread?
    /// The requests that did not fit, oldest first: a driver blocks the audio thread. Control thread.
    private var unsent: [AudioRequest] = []

    public init(controlWake: UnsafeMutablePointer<WakeSignal>) throws(PosixError) {
        shared = .allocate(capacity: 1)
        shared.initialize(to: try AudioShared(controlWake: controlWake))
        loop = .allocate(capacity: 1)
        loop.initialize(to: AudioLoop(shared: shared))
    }

    /// - Parameter priority: SCHED_FIFO priority 1…99; 0 leaves the thread as it is.
    /// - Returns: a warning if the kernel refused the priority; the thread runs anyway.
    public func start(priority: Int) throws(PosixError) -> String? {
        let started = try Thread(name: "audio", stackBytes: 128 * 1024) {
            ns_touch_stack()
            runProved(self.loop)
        }
        thread = started
        if priority == 0 { return nil }
        do throws(PosixError) { try started.setRealtimePriority(priority) } catch {
            return "\(error.message); playing without it (LimitRTPRIO= or an rtprio limit allows it)"
        }
        return nil
    }

    /// Sends a request now, or once there is room; never waits. Control thread.
    public func send(_ request: AudioRequest) {
        if unsent.isEmpty && shared.pointee.requests.send(request) { return shared.pointee.wake.signal() }
        unsent.append(request)
        sendRest()
    }

    /// Sends the requests that did not fit. Call it whenever the audio thread has woken control. Control thread.
    public func sendRest() {
        if unsent.isEmpty { return }
        // Set this first, so that the audio thread reports room that appears meanwhile.
        shared.pointee.hasUnsent.store(true, ordering: .sequentiallyConsistent)
        var count = 0
        while count < unsent.count, shared.pointee.requests.send(unsent[count]) { count += 1 }
        unsent.removeFirst(count)
        if unsent.isEmpty { shared.pointee.hasUnsent.store(false, ordering: .relaxed) }
        shared.pointee.wake.signal()
    }

    public func stop() {
        send(.quit)
        while !unsent.isEmpty {
            usleep(1000)
            sendRest()
        }
        thread?.join()
        thread = nil
    }
}

/// The entry of all code on the audio thread: the compiler rejects a callee that may allocate, lock, count references or need metadata.
@_noLocks @_noAllocation
private func runProved(_ loop: UnsafeMutablePointer<AudioLoop<PlaybackDevice>>) { loop.pointee.run() }
