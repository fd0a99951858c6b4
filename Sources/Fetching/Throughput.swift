// SPDX-License-Identifier: Apache-2.0
import Posix

/// The speed of an answer.
struct Throughput {
    private var began: MonotonicTime?
    private var bytes: Int64 = 0

    var isEmpty: Bool { bytes == 0 }

    mutating func add(_ count: Int) {
        if began == nil { began = .now }
        bytes += Int64(count)
    }

    /// The distance of a place worth waiting for: near, or soon there.
    var nearBytes: Int64 { max(128 * 1024, bytesPerSecond * 3) }

    /// Adds the measured bytes and their time to the network's speed.
    func tell(_ pace: inout NetworkPace) {
        guard let began, bytes >= 32 * 1024 else { return }
        pace.add(bytes: min(bytes, NetworkPace.mostBytes), milliseconds: MonotonicTime.now.milliseconds(since: began))
    }

    /// The speed; 0 before enough has come.
    private var bytesPerSecond: Int64 {
        let milliseconds = began.map { MonotonicTime.now.milliseconds(since: $0) } ?? 0
        return milliseconds < 100 ? 0 : bytes * 1000 / milliseconds
    }
}
