// SPDX-License-Identifier: Apache-2.0
import Posix

/// The connected clients: their standing, and their memory. It drops no client by itself.
struct PeerTable {
    private let limits: ConsoleServer.Limits
    private var peers: [Int32: ConsolePeer] = [:]
    /// The number of activities of all clients so far.
    private var activity = 0
    /// The memory of all clients.
    private var countedBytes = 0

    init(_ limits: ConsoleServer.Limits) { self.limits = limits }

    var all: [ConsolePeer] { Array(peers.values) }

    var isFull: Bool { peers.count >= limits.clients }

    func contains(_ peer: ConsolePeer) -> Bool { peers[peer.socket.number] === peer }

    mutating func add(_ peer: ConsolePeer) {
        peers[peer.socket.number] = peer
        markActive(peer)
    }

    mutating func remove(_ peer: ConsolePeer) {
        peers.removeValue(forKey: peer.socket.number)
        countedBytes -= peer.countedBytes
    }

    mutating func markActive(_ peer: ConsolePeer) {
        activity += 1
        peer.lastActivity = activity
    }

    /// Returns the client of lowest standing; nil if all have a higher standing than that.
    func leastMissed(upTo standing: ConsolePeer.Standing) -> ConsolePeer? {
        peers.values.filter { $0.standing.rawValue <= standing.rawValue }.min {
            ($0.standing.rawValue, $0.lastActivity) < ($1.standing.rawValue, $1.lastActivity)
        }
    }

    /// Counts the client's memory.
    mutating func count(_ peer: ConsolePeer) {
        countedBytes += peer.heldBytes - peer.countedBytes
        peer.countedBytes = peer.heldBytes
    }

    /// The client to drop because the memory exceeds its limit; nil if it does not. Strangers, even many, never push out another client.
    var greediest: ConsolePeer? {
        if countedBytes <= min(limits.heldBytes, limits.strangersBytes) { return nil }
        let strangers = peers.values.filter { $0.standing == .stranger }
        if strangers.reduce(0, { $0 + $1.countedBytes }) > limits.strangersBytes {
            return strangers.max { $0.countedBytes < $1.countedBytes }
        }
        return countedBytes > limits.heldBytes ? peers.values.max { $0.burden < $1.burden } : nil
    }
}
