import Posix
import Streams

/// Lists of addresses, which stand where sound was looked for.
extension FetchJob {
    private static let mostLists = 3
    /// One that was heard is asked again so often before the next.
    private static let mostFailures = 3

    /// On with the first of its addresses. A list of segments is gone through.
    func follow(_ finalAddress: String) {
        let base = finalAddress.isEmpty ? target : finalAddress
        if list.count >= MediaPlaylist.mostBytes {
            return fail("a list of more than \(MediaPlaylist.mostBytes >> 20) MB")
        }
        let bytes = list
        list = []
        if MasterPlaylist.isHLS(bytes) {
            let segments = SegmentFetch(self, server)
            self.segments = segments
            return segments.begin(bytes, base: base)
        }
        listsFollowed += 1
        if listsFollowed > FetchJob.mostLists { return giveUp("lists that only name other lists") }
        let addresses = AddressList.addresses(in: bytes, base: base)
        guard let first = addresses.first else { return giveUp("a list without an address of http or https") }
        others = Array((addresses.dropFirst() + others).prefix(AddressList.most))
        target = first
        ask()
    }

    /// What was asked for will not come: the next of the list, or nothing.
    func giveUp(_ message: String) { if !goOnInList(message) { fail(message) } }

    /// Nothing comes of what was asked for: on with what the list names next.
    /// - Returns: false where there is nothing, or where it is waited for: it was heard before.
    func goOnInList(_ message: String) -> Bool {
        let wasHeard = (ring?.front ?? plan.map.spans.end) > 0
        if passing != nil || wasHeard && (ring == nil || backoff.failures < FetchJob.mostFailures) { return false }
        guard !others.isEmpty else {
            // From the beginning of the list the next time.
            if listsFollowed > 0 { target = address }
            listsFollowed = 0
            return false
        }
        Log.notice(StreamAddress.shown(target) + ": " + message + "; on with what the list names next")
        target = others.removeFirst()
        // A list of its own may stand there.
        listsFollowed = max(1, listsFollowed - 1)
        ask()
        return true
    }
}
