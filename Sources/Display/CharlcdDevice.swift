// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix

/// The Linux kernel's character LCD, `/dev/lcd` (drivers/auxdisplay/charlcd.c): an HD44780 on GPIO pins or an I2C expander.
///
/// The kernel's write(2) returns when the controller has every byte: 40 µs a character over GPIO, more than 1 ms over slow I2C. So `draw`
/// measures the time, and writes for only some milliseconds at once. A missing or lost device gives one warning. `prepare` looks for it
/// again, at growing intervals. Control thread only.
public final class CharlcdDevice: CharacterSurface {
    private let path: String
    /// True if the light is on; for a missing device, if it should be.
    private var isLit: Bool
    private let portionMicroseconds: Int
    private var device: Int32 = -1
    private var hasWarned = false
    private var encoder = CharlcdEncoder()
    /// The measured time; 0 before the first write.
    var microsecondsPerOperation = 0

    /// - Parameters:
    ///   - path: usually `/dev/lcd`. Nothing is opened before the first `prepare`.
    ///   - backlight: true switches it on for good at the beginning; the kernel's default leaves it on for some seconds only.
    ///   - portionMicroseconds: the longest time of one `draw`, estimated from earlier writes; tests set it.
    public init(path: String, backlight: Bool = true, portionMicroseconds: Int? = nil) {
        self.path = path
        isLit = backlight
        self.portionMicroseconds = portionMicroseconds ?? Timing.portionMicroseconds
    }

    deinit { closeDevice() }

    public func prepare(columns: Int, rows: Int) -> Bool {
        closeDevice()
        // Opening is exclusive: close the old descriptor before.
        let opened = ns_open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC, 0)
        if opened < 0 {
            warn(.last("open"))
            return false
        }
        device = opened
        encoder = CharlcdEncoder()
        guard write(encoder.preparation(isLit: isLit), operations: CharlcdEncoder.preparationOperations) else {
            return false
        }
        if hasWarned { Log.notice("LCD " + path + " is there") }
        hasWarned = false
        return true
    }

    public func draw(_ runs: [CellRun]) -> Int? {
        guard device >= 0 else { return nil }
        var left = microsecondsPerOperation == 0 ? .max : max(2, portionMicroseconds / microsecondsPerOperation)
        var bytes: [UInt8] = []
        var cells = 0
        var operations = 0
        for run in runs {
            if left < 2 { break }
            let part = CellRun(row: run.row, column: run.column, codes: Array(run.codes.prefix(left - 1)))
            encoder.append(part, to: &bytes)
            cells += part.codes.count
            operations += part.codes.count + 1
            left -= part.codes.count + 1
        }
        return write(bytes, operations: operations) ? cells : nil
    }

    public func setLit(_ isLit: Bool) {
        self.isLit = isLit
        if device >= 0 { _ = write(CharlcdEncoder.light(isLit), operations: 1) }
    }

    /// Blanks and darkens the surface, at the end of the program.
    public func turnOff() {
        if device >= 0 { _ = write(Array("\n\u{1B}[L-\u{0C}".utf8), operations: 1) }
        closeDevice()
    }

    /// Writes bytes. If the device fails, closes it, warns once, and returns false.
    private func write(_ bytes: [UInt8], operations: Int) -> Bool {
        let start = ns_monotonic_nanoseconds()
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                CPosix.write(device, $0.baseAddress.map { $0 + done }, $0.count - done)
            }
            if count < 0 && ns_errno() == EINTR { continue }
            if count <= 0 {
                warn(count < 0 ? .last("write") : PosixError(code: EIO, operation: "write"))
                closeDevice()
                return false
            }
            done += count
        }
        let took = Int(clamping: (ns_monotonic_nanoseconds() - start) / 1000 / Int64(max(1, operations)))
        // Use the mean of the last few, so that one delayed write does not shrink the next ones.
        microsecondsPerOperation = microsecondsPerOperation == 0 ? took : microsecondsPerOperation / 4 * 3 + took / 4
        return true
    }

    private func warn(_ error: PosixError) {
        if !hasWarned { Log.warning("LCD " + path + ": " + error.reason + "; trying again") }
        hasWarned = true
    }

    private func closeDevice() {
        if device >= 0 { close(device) }
        device = -1
    }
}
