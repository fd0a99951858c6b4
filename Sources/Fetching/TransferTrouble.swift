import Curl

extension TransferEnd {
    /// Why nothing came, in words for a person; whether it will never come.
    func trouble(at host: String) -> (message: String, isForGood: Bool) {
        switch cause {
        case .badAddress: ("no address of http or https: " + words, true)
        case .redirectedTooOften:
            ("the server sends us round in circles (more than \(Transfer.mostRedirections) redirections)", false)
        case .noSuchHost: ("the network has no \(host): is it connected?", false)
        case .refused: ("\(host) does not answer", false)
        case .untrusted:
            (
                FetchServer.wallClockIsSet
                    ? "\(host) cannot prove who it is: " + words
                    : "the clock is not set yet, and without it nobody can be trusted", false
            )
        case .complete, .stopped, .lost: ("the connection was lost", false)
        }
    }
}
