// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix
import Speaker

/// The facts about the program's surroundings at its start: from the service manager, if there is one, because its sandbox hides most of
/// the kernel's files; else from the kernel.
struct Board {
    /// The name of this start of the board, different after each; nil if unknown.
    let bootID: String?
    /// True if the kernel set its clock from a clock chip.
    let hasClockChip: Bool
    /// True if a service manager runs this process, which then must not start a process with a network.
    let isService: Bool
    /// A folder in memory that outlives the process; nil if there is none.
    let runtimeFolder: String?
    /// The listening sockets that the service manager holds.
    let sockets: [Int32]

    init() {
        // systemd writes %b without hyphens, the kernel with them.
        let told = environmentVariable("NIGHTSTAND_BOOT_ID") ?? Board.firstLine("/proc/sys/kernel/random/boot_id")
        let hex = told.map { $0.utf8.filter { $0 != UInt8(ascii: "-") } } ?? []
        bootID = hex.isEmpty ? nil : String(decoding: hex, as: UTF8.self)
        hasClockChip = Board.firstLine("/sys/class/rtc/rtc0/hctosys") == "1"
        isService = environmentVariable("NOTIFY_SOCKET") != nil
        runtimeFolder = Posix.runtimeFolder
        sockets = InheritedSockets.take()
    }

    /// True if the clock is right: a chip kept it, or a time server has set it since, at any program's request. False if the kernel does
    /// not answer.
    var isClockKnown: Bool {
        if hasClockChip || Files.exists("/run/systemd/timesync/synchronized") { return true }
        var state = timex()
        let answer = adjtimex(&state)
        return answer != -1 && answer != TIME_ERROR
    }

    var start: BoardStart? { bootID.map { BoardStart(identity: $0, isClockKnown: isClockKnown) } }

    private static func firstLine(_ path: String) -> String? {
        guard let bytes = try? Files.readToEnd(path, limit: 256) else { return nil }
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
