import CPosix
import Posix
import Streams

/// What the speakers that want it are given of it.
extension FetchJob {
    func give(_ peer: FetchPeer) {
        publish(peer)
        if peer.hasFile { return }
        if let ring {
            peer.hasFile = true
            peer.tell(StreamPacket.ring, descriptors: [ring.memory.number])
        } else if let entry, plan.map.spans.end > 0 || transfer != nil && body != nil {
            peer.hasFile = true
            // Read only, whatever the other makes of it.
            let path = "/proc/self/fd/\(entry.file.number)"
            guard let file = try? FileDescriptor.open(path, O_RDONLY) else { return }
            peer.tell(StreamPacket.file, descriptors: [file.number])
        }
        if plan.map.isWhole { peer.tell(StreamPacket.progress) }
    }

    func publish(_ peer: FetchPeer) {
        let state =
            !failure.isEmpty ? StreamState.failed : plan.map.isWhole ? StreamState.whole : StreamState.flowing
        if let ring {
            return peer.publish(
                front: ring.front, state: isOver && failure.isEmpty ? StreamState.whole : state,
                secondBytes: secondBytes)
        }
        peer.publish(plan.map, takesJumps: plan.takesJumps, state: state, secondBytes: secondBytes)
    }

    /// Bytes that play for a second, as far as anybody knows.
    var secondBytes: Int { audience.secondBytes ?? saidSecondBytes }

    /// Bytes that are there from a place on.
    func ahead(of place: Int64) -> Int64 {
        (ring?.front ?? max(place, plan.map.spans.reach(from: place))) - place
    }
}

extension FetchJob {
    /// Which of several qualities to fetch: the one that is there in part, or what the network gives and the configuration wants. Where nothing
    /// was measured, and nothing is wanted, the feed's own.
    func choose() {
        let offers = question.offers.offers
        if offers.count < 2 { return }
        var chosen = offers[0]
        if plan.map.front > 0 {
            chosen = offers.first { Int64($0.bits) == plan.map.offeredBits } ?? chosen
        } else if server.quality != .auto || server.pace.bitsPerSecond != nil {
            let known = offers.filter { $0.bits > 0 }.sorted { $0.bits < $1.bits }
            if known.count == offers.count || server.quality != .auto {
                chosen = known[RenditionChoice.first(known.map { $0.bits }, server.quality, server.pace)]
            }
        }
        plan.didChoose(bits: chosen.bits)
        target = chosen.address
        Log.notice(
            StreamAddress.shown(target) + ": \(chosen.bits / 1000) kbit/s, of \(offers.count) that the feed offers")
    }
}
