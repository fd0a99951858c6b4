// SPDX-License-Identifier: Apache-2.0
import CPosix
import FuzzWork
import Fuzzing
import Posix

/// Runs the work on strangers' bytes in Embedded Swift, as it ships, with files from the ordinary build:
///
///     fuzz FILE…        the changed files of each, as `FieldFile.fuzz` says: NIGHTSTAND_FUZZ_SEED, …_CASES, …_TRACE
///     fuzz --once FILE… those files as they are, KIND.NAME each
///
/// A trap ends the program; the trace's folder then has the file in hand.
@main
struct Main {
    /// The time after which a case counts as hanging. An emulated processor is slow.
    private static let mostSeconds: UInt32 = 120

    static func main() {
        var words: [String]
        do throws(PosixError) { words = try processArguments() } catch { fail(error.message) }
        words.removeFirst()
        let isOnce = words.first.map { $0.utf8.elementsEqual("--once".utf8) } ?? false
        if isOnce { words.removeFirst() }
        if words.isEmpty { fail("expected files that the tests have written, see board/fuzz") }
        var done = 0
        for path in words {
            let bytes = contents(path)
            if isOnce {
                let name = path.utf8.split(separator: 0x2F).last ?? Substring(path).utf8
                let kind = String(Substring(name.prefix { $0 != 0x2E }))
                run(kind, bytes, path)
                done += 1
                continue
            }
            guard let stored = FieldFile.read(stored: bytes) else { fail(path + ": is none of a test's files") }
            let name = String(Substring(path.utf8.split(separator: 0x2F).last ?? Substring(path).utf8))
            stored.file.fuzz(name, cases: 100) { bytes, comment in
                run(stored.kind, bytes, comment)
                done += 1
            }
        }
        print("\(done) files, an Int of \(Int.bitWidth) bits")
    }

    private static func run(_ kind: String, _ bytes: [UInt8], _ comment: String) {
        guard let kind = FuzzKind.allCases.first(where: { $0.name.utf8.elementsEqual(kind.utf8) }) else {
            fail(comment + ": there is no work of the kind " + kind)
        }
        alarm(mostSeconds)
        FuzzWork.run(kind, bytes) { promise in fail(comment + ": broken: \(promise)") }
        alarm(0)
    }

    private static func contents(_ path: String) -> [UInt8] {
        do throws(PosixError) { return try Files.readToEnd(path, limit: 64 << 20) } catch { fail(error.message) }
    }

    private static func fail(_ message: String) -> Never {
        let line = Array(("fuzz: " + message + "\n").utf8)
        _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
        exit(1)
    }
}
