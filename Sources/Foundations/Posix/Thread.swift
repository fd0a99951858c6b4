// SPDX-License-Identifier: Apache-2.0
import CPosix

/// A thread with a chosen stack size and, if requested, a real-time priority.
public struct Thread {
    private let handle: pthread_t

    /// The size of the guard area below a stack. Libraries without stack probes may step over a single page.
    private static let guardBytes = 1 << 20

    private final class Body {
        let name: String
        let run: () -> Void
        init(name: String, run: @escaping () -> Void) {
            self.name = name
            self.run = run
        }
    }

    /// Starts `run` on a new thread. It blocks all signals except its own faults, since the control thread handles them.
    /// - Parameters:
    ///   - name: the name in `ps -L`, at most 15 bytes.
    ///   - stackBytes: the size of the stack, a multiple of the page size, at least PTHREAD_STACK_MIN.
    public init(name: String, stackBytes: Int, run: @escaping @Sendable () -> Void) throws(PosixError) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        // The minimum depends on the processor: 128 KB on arm64.
        pthread_attr_setstacksize(&attributes, max(stackBytes, Int(ns_least_stack_bytes())))
        pthread_attr_setguardsize(&attributes, Thread.guardBytes)
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        // A fault with blocked signals would end the process without a message.
        for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&all, fault) }
        pthread_sigmask(SIG_BLOCK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let body = Unmanaged.passRetained(Body(name: name, run: run))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, &attributes,
            { argument in
                let body = Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue()
                _ = ns_set_thread_name(body.name)
                Thread.withSignalStack { body.run() }
                return nil
            }, body.toOpaque())
        if code != 0 {
            body.release()
            throw PosixError(code: code, operation: "start thread \(name)")
        }
        handle = thread
    }

    /// Runs `body` with a separate stack for fault signals, which include an overflow of the thread's own stack.
    public static func withSignalStack(_ body: () -> Void) {
        let stack = malloc(ns_signal_stack_bytes())
        ns_use_signal_stack(stack)
        body()
        ns_use_signal_stack(nil)
        free(stack)
    }

    /// Waits until the thread has ended.
    public func join() { pthread_join(handle, nil) }

    /// Lets the thread end without a `join`.
    public func detach() { pthread_detach(handle) }

    /// Gives the thread SCHED_FIFO priority 1…99. Throws `EPERM` if the limits (RLIMIT_RTPRIO) refuse it.
    public func setRealtimePriority(_ priority: Int) throws(PosixError) {
        var parameters = sched_param()
        parameters.sched_priority = Int32(priority)
        let code = pthread_setschedparam(handle, SCHED_FIFO, &parameters)
        if code != 0 { throw PosixError(code: code, operation: "give the audio thread priority \(priority)") }
    }
}
