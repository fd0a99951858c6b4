// SPDX-License-Identifier: Apache-2.0
import CPosix

/// Work that a thread does now and then during a long call of a foreign library.
///
/// Libraries read through `ByteInput`, and long tables are read through windows: both have the interlude of their thread run between reads.
public final class Interlude {
    private let body: () -> Void
    private var isRunning = false

    public init(_ body: @escaping () -> Void) { self.body = body }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// Makes what all interludes share. To be called before there is a thread that could need it at the same time as another.
    public static func prepare() { _ = key }

    /// Makes this the interlude of the calling thread, for as long as `work` runs.
    public func during(_ work: () -> Void) {
        pthread_setspecific(Interlude.key, Unmanaged.passUnretained(self).toOpaque())
        work()
        pthread_setspecific(Interlude.key, nil)
    }

    /// Runs the interlude of the calling thread, if it has one. An interlude has none itself.
    public static func run() {
        guard let found = pthread_getspecific(Interlude.key) else { return }
        let interlude = Unmanaged<Interlude>.fromOpaque(found).takeUnretainedValue()
        if interlude.isRunning { return }
        interlude.isRunning = true
        // A fault in this work is not the recording's.
        let mark = Fuse.setAside()
        interlude.body()
        Fuse.takeUp(mark)
        interlude.isRunning = false
    }
}
