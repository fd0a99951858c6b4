import CPosix
import Posix

/// Remembers, beyond the end of this process, whose picture was being read when it ended: what killed it once is not read again. `begin` and
/// `end` on the thread that reads, the rest before it does.
final class PictureDeaths: @unchecked Sendable {
    private static let mostBytes = 64 * 1024

    private let reading: String
    private let known: String
    private var deadly: [String] = []

    /// - Parameter folder: that outlives the process, but not the board's being switched off.
    init(folder: String) {
        reading = folder + "/screen-reading"
        known = folder + "/screen-passed-over"
        deadly = PictureDeaths.lines(known)
        let unfinished = PictureDeaths.lines(reading)
        if unfinished.isEmpty { return }
        for file in unfinished where !deadly.contains(file) {
            deadly.append(file)
            Log.warning("screen: ended while it read the picture of \(file), which is passed over")
        }
        var text: [UInt8] = []
        for file in deadly { text += Array(file.utf8) + [0x0A] }
        do throws(PosixError) { try Files.replace(known, with: text) } catch { Log.warning("screen: " + error.message) }
        end()
    }

    func contains(_ file: String) -> Bool { deadly.contains(file) }

    func begin(_ file: String) { try? Files.replace(reading, with: Array(file.utf8) + [0x0A]) }

    func end() { _ = reading.withPath { unlink($0) } }

    private static func lines(_ path: String) -> [String] {
        guard let bytes = try? Files.readToEnd(path, limit: mostBytes) else { return [] }
        return bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    }
}
