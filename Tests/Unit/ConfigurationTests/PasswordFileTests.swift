// SPDX-License-Identifier: Apache-2.0
import Core
import TestSupport
import Testing

@testable import Configuration

@Suite struct PasswordFileTests {
    private func entries(_ text: String) throws(ConfigurationError) -> [PasswordFile.Entry] {
        try PasswordFile.entries(of: Array(text.utf8), file: "p")
    }

    @Test func linesAsMPDWritesThem() throws {
        let entries = try entries("# guests\r\nopen@read\r\n\nmum@home@read, add,control\nall\n#\nnothing@\nlast@admin")
        #expect(
            entries.map { String(decoding: $0.password, as: UTF8.self) } == [
                "open", "mum@home", "all", "nothing", "last",
            ])
        #expect(entries.map(\.permissions) == [.read, [.read, .add, .control], .all, [], .admin])
        #expect(Permissions.control.contains(.player))
        #expect(try self.entries("") == [])
    }

    /// The message tells the mistake, and not the password.
    @Test(arguments: [
        (
            "a@read\nsecret@write\n",
            "p:2: unknown permission, expected some of read, add, player, control, admin between commas"
        ),
        ("@read", "p:1: no password before '@', expected PASSWORD@read,add,control,admin"),
    ])
    func mistakes(text: String, message: String) {
        let error = #expect(throws: ConfigurationError.self) { try entries(text) }
        #expect(error?.message == message)
    }

    @Test func damagedFiles() {
        var random = SeededGenerator(seed: 8)
        let sample = Array("# guests\nopen@read\nmum@home@read, add,control\nall\n".utf8)
        for _ in 0..<5000 {
            var bytes = sample
            for _ in 0...random.next() % 3 {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            let result = expectCost(inputBytes: bytes.count) {
                Result { () throws(ConfigurationError) in try PasswordFile.entries(of: bytes, file: "p") }
            }
            switch result {
            case .success(let entries): #expect(entries.allSatisfy { !$0.password.isEmpty })
            case .failure(let error): #expect(!error.message.contains("mum"))
            }
        }
    }

    @Test func aFileThatIsNotThere() {
        let error = #expect(throws: ConfigurationError.self) { try PasswordFile.entries(at: "/nowhere") }
        #expect(error?.message == "/nowhere: No such file or directory")
    }
}
