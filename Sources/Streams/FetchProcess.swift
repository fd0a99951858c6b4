import Posix

/// How the fetching process is reached. Control thread.
public struct FetchProcess {
    let loop: EventLoop
    let socketPath: String
    /// An eventfd that has the feed thread look for what has come.
    let feedWake: Int32
    /// Starts it where nobody listens: why it cannot be, or nil. Nil where that is the service manager's business.
    let launch: (() -> String?)?

    /// - Parameter feedWake: must live as long as this.
    public init(loop: EventLoop, socketPath: String, feedWake: Int32, launch: (() -> String?)?) {
        self.loop = loop
        self.socketPath = socketPath
        self.feedWake = feedWake
        self.launch = launch
    }
}
