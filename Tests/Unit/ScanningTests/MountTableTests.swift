// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Scanning

@Suite struct MountTableTests {
    private static let before = """
        22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
        30 22 0:25 / /run rw,nosuid - tmpfs tmpfs rw
        40 22 8:17 / /media/audio\\040books rw - ext4 /dev/sdb1 rw

        """

    private static func table(_ text: String) -> MountTable {
        MountTable(Array(text.utf8), near: [Array("/media/audio books".utf8)])
    }

    @Test(arguments: [
        ("50 30 0:40 / /run/user/1000 rw - tmpfs tmpfs rw\n", false),
        ("50 40 8:33 / /media/audio\\040books/usb rw - vfat /dev/sdc1 rw\n", true),
        ("50 40 8:33 / /media/audio\\040books rw - vfat /dev/sdc1 rw\n", true),
        ("50 22 8:33 / /media rw - vfat /dev/sdc1 rw\n", true),
        ("50 22 8:33 / /media/audio rw - vfat /dev/sdc1 rw\n", false),
        ("50 22 8:33 / /media/audio\\040books2 rw - vfat /dev/sdc1 rw\n", false),
        ("rubbish\n\n1 2 3\n", false),
    ])
    func mountsMatterWhereTheLibraryIs(line: String, matters: Bool) {
        let before = MountTableTests.table(MountTableTests.before)
        #expect((MountTableTests.table(MountTableTests.before + line) != before) == matters)
    }

    @Test func newMountsWithinTheLibraryAreNamed() {
        let before = MountTableTests.table(MountTableTests.before)
        let after = MountTableTests.table(
            MountTableTests.before + """
                50 40 8:33 / /media/audio\\040books/River\\040Bank rw - vfat /dev/sdc1 rw
                51 40 8:49 / /media/audio\\040books rw - vfat /dev/sdd1 rw
                52 22 8:50 / /media rw - vfat /dev/sde1 rw

                """)
        let library = Array("/media/audio books".utf8)
        #expect(after.points(missingFrom: before, within: library) == [Array("/media/audio books/River Bank".utf8)])
        #expect(before.points(missingFrom: after, within: library).isEmpty)
    }

    @Test func unmountingMatters() {
        let lines = MountTableTests.before.split(separator: "\n")
        let after = MountTableTests.table(lines[..<2].joined(separator: "\n"))
        #expect(after != MountTableTests.table(MountTableTests.before))
    }

    /// No crash, and a cost in proportion: containers mount thousands of things, and a label may hold any bytes.
    @Test func anyBytes() {
        var random = SeededGenerator(seed: 40)
        let spice =
            [
                "\n", " ", "\\", "\\040", "\\777", "\\04", "/", "/media/audio\\040books", "/media", "\0", "\u{FF}",
                "22 1 8:1 / ",
            ]
            .map { Array($0.utf8) } + [[0xFF], [0x80]]
        let folders = [Array("/media/audio books".utf8), Array("/".utf8), []]
        for round in 0..<2000 {
            var bytes = Array(MountTableTests.before.utf8)
            let isLarge = round % 100 == 0
            repeat {
                let at = Int.random(in: 0...bytes.count, using: &random)
                bytes.insert(contentsOf: spice.randomElement(using: &random)!, at: at)
                if isLarge { bytes += bytes.prefix(4096) }
            } while isLarge ? bytes.count < 100_000 : Int.random(in: 0..<8, using: &random) > 0
            let table = expectCost(CostBound(bytesPerByte: 12), inputBytes: bytes.count, "round \(round)") {
                MountTable(bytes, near: folders)
            }
            #expect(table == MountTable(bytes, near: folders))
        }
    }
}
