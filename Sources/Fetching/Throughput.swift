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

    /// A place is waited for that is so near, or that will be there so soon.
    var nearBytes: Int64 { max(128 * 1024, bytesPerSecond * 3) }

    /// So much has come, in so long.
    func tell(_ pace: inout NetworkPace) {
        guard let began, bytes >= 32 * 1024 else { return }
        pace.add(bytes: min(bytes, NetworkPace.mostBytes), milliseconds: MonotonicTime.now.milliseconds(since: began))
    }

    /// 0 while too little has come to tell.
    private var bytesPerSecond: Int64 {
        let milliseconds = began.map { MonotonicTime.now.milliseconds(since: $0) } ?? 0
        return milliseconds < 100 ? 0 : bytes * 1000 / milliseconds
    }
}
