// SPDX-License-Identifier: Apache-2.0
import CPosix

/// The rates of a serial line, in bits a second, with the kernel's codes for them.
public enum LineSpeed {
    private static let table: [(baud: Int, code: Int32)] = [
        (1200, B1200), (2400, B2400), (4800, B4800), (9600, B9600), (19_200, B19200), (38_400, B38400),
        (57_600, B57600), (115_200, B115200), (230_400, B230400), (460_800, B460800), (500_000, B500000),
        (576_000, B576000), (921_600, B921600), (1_000_000, B1000000), (1_500_000, B1500000), (2_000_000, B2000000),
        (3_000_000, B3000000), (4_000_000, B4000000),
    ]

    public static var bauds: [Int] { table.map { $0.baud } }

    /// Returns the code; nil for a rate that is not in `bauds`.
    public static func code(_ baud: Int) -> speed_t? {
        for row in table where row.baud == baud { return speed_t(row.code) }
        return nil
    }
}
