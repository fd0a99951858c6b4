import Posix
import Streams

/// What a `SegmentFetch` has its job do.
extension FetchJob {
    /// Behind all that is there. Why it cannot be written; nil where it was.
    func append(_ bytes: [UInt8], _ parts: CacheMap.Parts) -> String? {
        guard let entry else { return "the cache cannot be used" }
        var place = plan.map.front
        if let problem = problem(writing: bytes.count, upTo: place + Int64(bytes.count)) { return problem }
        switch bytes.withUnsafeBytes({ entry.write($0, at: &place, &plan) }) {
        case .failed(let problem): return problem
        case .differs: return "the cache cannot be used"
        case .taken: break
        }
        plan.didJoin(parts)
        didBring()
        return nil
    }

    /// What is there is of another playlist.
    func beginSegmentsAnew() {
        if !beginAnew() { return fail("the cache cannot be used") }
        forgetPlan()
    }

    /// The last segment was joined, or the last byte of what is kept nowhere has come.
    func allHasCome() {
        if ring == nil {
            plan.didJoinAll()
            return complete()
        }
        isOver = true
        say("")
        for peer in peers {
            publish(peer)
            peer.tell(StreamPacket.progress)
        }
    }
}
