// SPDX-License-Identifier: Apache-2.0
import Posix

/// The start of the fetching process, and its socket. Control thread.
public final class FetchProcess {
    /// The time in which a started process begins to listen. No second one is started meanwhile: the two would disturb each other.
    private static let startMilliseconds: Int64 = 5000

    let loop: EventLoop
    let socketPath: String
    /// An eventfd that wakes the feed thread for new bytes.
    let feedWake: Int32
    private let launch: (() -> String?)?
    private var launchedAt: MonotonicTime?

    /// - Parameters:
    ///   - feedWake: must live as long as this.
    ///   - launch: starts the process if none listens, and returns the reason of a failure, or nil. nil if the service manager starts it.
    public init(loop: EventLoop, socketPath: String, feedWake: Int32, launch: (() -> String?)?) {
        self.loop = loop
        self.socketPath = socketPath
        self.feedWake = feedWake
        self.launch = launch
    }

    /// Starts the process, unless it has just been started.
    /// - Returns: the reason of a failure; "" if the process is about to listen.
    func start() -> String {
        guard let launch else { return "nobody fetches: systemctl enable --now nightstand-fetch.socket" }
        let now = loop.now
        if let launchedAt, now.milliseconds(since: launchedAt) < FetchProcess.startMilliseconds { return "" }
        launchedAt = now
        return launch() ?? ""
    }
}
