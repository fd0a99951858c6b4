// SPDX-License-Identifier: Apache-2.0
import CPosix

/// Work that a thread does from time to time during a long call of a foreign library.
///
/// Libraries read through `ByteInput`, and long tables are read through windows. Both run their thread's interlude between reads.
public final class Interlude {
    private let body: () -> Void
    private var isRunning = false

    public init(_ body: @escaping () -> Void) { self.body = body }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// Prepares the shared state. Call it before a second thread could use it.
    public static func prepare() { _ = key }

    /// Makes this the calling thread's interlude while `work` runs.
    public func during(_ work: () -> Void) {
        pthread_setspecific(Interlude.key, Unmanaged.passUnretained(self).toOpaque())
        work()
        pthread_setspecific(Interlude.key, nil)
    }

    /// Runs the calling thread's interlude, if any. Interludes do not nest.
    public static func run() {
        guard let found = pthread_getspecific(Interlude.key) else { return }
        let interlude = Unmanaged<Interlude>.fromOpaque(found).takeUnretainedValue()
        if interlude.isRunning { return }
        interlude.isRunning = true
        // A fault in this work is not the marked recording's.
        let mark = Fuse.setAside()
        interlude.body()
        Fuse.takeUp(mark)
        interlude.isRunning = false
    }
}
