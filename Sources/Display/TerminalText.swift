import CPosix

/// Text for a terminal in the making: bytes, since that is all that leaves.
struct TerminalText {
    private var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(256) }

    @inline(never)
    mutating func add(_ text: String) { bytes += text.utf8 }

    @inline(never)
    mutating func add(_ scalar: Unicode.Scalar) {
        bytes += String(Character(scalar)).utf8
    }

    /// Moves the cursor; both count from 1.
    mutating func move(row: Int, column: Int) { add("\u{1B}[\(row);\(column)H") }

    /// write(2) until all is out. False where that failed.
    func write(to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let count = CPosix.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
                if count < 0 && ns_errno() == EINTR { continue }
                if count <= 0 { return false }
                done += count
            }
            return true
        }
    }
}
