import Posix

/// How quickly an answer comes.
struct Throughput {
    private var began: MonotonicTime?
    private var bytes: Int64 = 0

    mutating func add(_ count: Int) {
        if began == nil { began = .now }
        bytes += Int64(count)
    }

    /// 0 while too little has come to tell.
    var bytesPerSecond: Int64 {
        let milliseconds = began.map { MonotonicTime.now.milliseconds(since: $0) } ?? 0
        return milliseconds < 100 ? 0 : bytes * 1000 / milliseconds
    }
}
