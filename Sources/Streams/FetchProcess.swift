// SPDX-License-Identifier: Apache-2.0
import Posix

/// The way to the fetching process. Control thread.
public final class FetchProcess {
    /// A started process listens by then. Before that no second one is started: the two would be in each other's way.
    private static let startMilliseconds: Int64 = 5000

    let loop: EventLoop
    let socketPath: String
    /// An eventfd that has the feed thread look for what has come.
    let feedWake: Int32
    private let launch: (() -> String?)?
    private var launchedAt: MonotonicTime?

    /// - Parameters:
    ///   - feedWake: must live as long as this.
    ///   - launch: starts it if no process listens, and returns the reason of a failure, or nil. why it cannot be, or nil. Nil where that
    ///     is the service manager's business.
    public init(loop: EventLoop, socketPath: String, feedWake: Int32, launch: (() -> String?)?) {
        self.loop = loop
        self.socketPath = socketPath
        self.feedWake = feedWake
        self.launch = launch
    }

    /// Starts the process, unless that happened just now.
    /// - Returns: why it cannot be; "" where it is about to listen.
    func start() -> String {
        guard let launch else { return "nobody fetches: systemctl enable --now nightstand-fetch.socket" }
        let now = loop.now
        if let launchedAt, now.milliseconds(since: launchedAt) < FetchProcess.startMilliseconds { return "" }
        launchedAt = now
        return launch() ?? ""
    }
}
