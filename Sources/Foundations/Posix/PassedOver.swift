// SPDX-License-Identifier: Apache-2.0
import CPosix
import Synchronization

/// The recordings that have ended the speaker, with the size and date of their files. A changed file, or one that a listener requests, is
/// tried again; an address after an hour.
///
/// Made before the threads begin; then any of them may read it.
public final class PassedOver: @unchecked Sendable {
    private final class Entry {
        let name: String
        let bytes: Int64
        let modifiedSeconds: Int64
        let isForgiven = Atomic(false)

        init(name: String, bytes: Int64, modifiedSeconds: Int64) {
            self.name = name
            self.bytes = bytes
            self.modifiedSeconds = modifiedSeconds
        }

        /// The present state of a file. Anything else gets the present time.
        init(_ name: String) {
            let status = try? FileStatus(path: name)
            self.name = name
            bytes = status?.bytes ?? -1
            modifiedSeconds = status?.modifiedSeconds ?? wallClockSeconds()
        }

        func isStill(_ now: Entry) -> Bool {
            if bytes != now.bytes { return false }
            if bytes >= 0 { return modifiedSeconds == now.modifiedSeconds }
            let (passed, hasOverflown) = now.modifiedSeconds.subtractingReportingOverflow(modifiedSeconds)
            return !hasOverflown && (-PassedOver.addressSeconds...PassedOver.addressSeconds).contains(passed)
        }
    }

    private static let mostEntries = 1000
    /// The time in seconds for which an address is skipped, since a change of its recording is not detectable.
    private static let addressSeconds: Int64 = 3600
    private static let mostBytes = 4 << 20

    private let path: String
    private let entries: [Entry]

    /// - Parameters:
    ///   - path: the file of the list. It is read, and written if a recording is added.
    ///   - name: the recording that has just ended the speaker; nil for none.
    public init(path: String, adding name: String?) {
        self.path = path
        var entries: [Entry] = []
        let bytes = (try? Files.readToEnd(path, limit: PassedOver.mostBytes)) ?? []
        // "BYTES SECONDS NAME", ended by 0: a name may have any other byte in it.
        for line in bytes.split(separator: 0) {
            let parts = line.split(separator: 0x20, maxSplits: 2)
            guard parts.count == 3, let size = Int64(String(decoding: parts[0], as: UTF8.self)),
                let seconds = Int64(String(decoding: parts[1], as: UTF8.self))
            else { continue }
            let known = Entry(
                name: String(decoding: parts[2], as: UTF8.self), bytes: size, modifiedSeconds: seconds)
            if known.name != name { entries.append(known) }
        }
        if let name { entries.append(Entry(name)) }
        self.entries = entries.suffix(PassedOver.mostEntries)
        if name != nil { save() }
    }

    /// Returns true if the recording has ended the speaker and is unchanged.
    public func contains(_ name: String) -> Bool {
        if entries.isEmpty { return false }
        for entry in entries where entry.name == name && !entry.isForgiven.load(ordering: .relaxed) {
            return entry.isStill(Entry(name))
        }
        return false
    }

    /// Allows one more try, since a listener requests the recording.
    /// - Returns: true if it was listed; then call `save`.
    public func forgive(_ name: String) -> Bool {
        for entry in entries where entry.name == name {
            entry.isForgiven.store(true, ordering: .relaxed)
            return true
        }
        return false
    }

    /// Saves the list. Waits for a disk.
    public func save() {
        var text: [UInt8] = []
        for entry in entries where !entry.isForgiven.load(ordering: .relaxed) {
            text += "\(entry.bytes) \(entry.modifiedSeconds) ".utf8
            text += entry.name.utf8
            text.append(0)
        }
        try? Files.replace(path, with: text)
    }
}
