// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Posix

@Suite struct PassedOverTests {
    private let folder = NSTemporaryDirectory() + "passed-" + UUID().uuidString

    private func file(_ name: String, _ text: String) throws -> String {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = folder + "/" + name
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    @Test func whatEndedTheSpeakerIsPassedOverUntilItChanges() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let deadly = try file("a deadly\n one.opus", "1234")
        let other = try file("other.mp3", "1234")
        let list = folder + "/passed-over"
        #expect(!PassedOver(path: list, adding: nil).contains(deadly))
        #expect(PassedOver(path: list, adding: deadly).contains(deadly))
        let later = PassedOver(path: list, adding: nil)
        #expect(later.contains(deadly) && !later.contains(other))
        _ = try file("a deadly\n one.opus", "12345")
        #expect(!later.contains(deadly))
        // It ends it once more.
        let again = PassedOver(path: list, adding: deadly)
        #expect(again.contains(deadly))
        #expect(!again.forgive(other) && again.forgive(deadly) && !again.contains(deadly))
        again.save()
        #expect(!PassedOver(path: list, adding: nil).contains(deadly))
        // An address is no file.
        #expect(PassedOver(path: list, adding: "https://h/x.mp3").contains("https://h/x.mp3"))
    }

    @Test func anAddressIsTriedAgainAfterAnHour() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let now = wallClockSeconds()
        for (seconds, isPassedOver) in [
            (now - 3000, true), (now - 4000, false), (now + 3000, true), (now + 4000, false), (Int64.min, false),
            (Int64.max, false),
        ] {
            let list = try file("passed-over", "-1 \(seconds) https://h/a.mp3\0")
            #expect(PassedOver(path: list, adding: nil).contains("https://h/a.mp3") == isPassedOver, "\(seconds)")
        }
    }

    @Test(arguments: ["", "x", "1 2", "1 2 a\0b c d\0", "99999999999999999999 1 /a\0", "\0\0\0"])
    func aListThatIsRubbishIsNone(text: String) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let list = try file("passed-over", text)
        let passed = PassedOver(path: list, adding: "/x")
        #expect(passed.contains("/x") && !passed.contains("/a"))
    }
}
