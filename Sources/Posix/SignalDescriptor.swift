import CPosix

/// SIGTERM, SIGINT and SIGHUP as a descriptor to wait on: readable once one has come. Make it before other threads start, so that
/// they inherit the block.
public struct SignalDescriptor: ~Copyable {
    public let number: Int32

    public init() throws(PosixError) {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTERM)
        sigaddset(&set, SIGINT)
        sigaddset(&set, SIGHUP)
        sigprocmask(SIG_BLOCK, &set, nil)
        signal(SIGPIPE, ns_ignore_signal())
        number = signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        if number < 0 { throw .last("signalfd") }
    }

    deinit { close(number) }
}
