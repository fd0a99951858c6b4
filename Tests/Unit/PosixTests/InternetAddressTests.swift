// SPDX-License-Identifier: Apache-2.0
import CPosix
import Testing

@testable import Posix

@Suite struct InternetAddressTests {
    @Test(arguments: [
        ("192.168.1.5:6600", "192.168.1.5:6600", 4), ("6600", "*:6600", 0), (":6600", "*:6600", 0), ("*:1", "*:1", 0),
        ("[::]:6600", "[::]:6600", 16), ("[2001:DB8::1]:65535", "[2001:db8::1]:65535", 16),
        ("[fe80::1%lo]:6600", "[fe80::1%lo]:6600", 16), ("[::ffff:10.0.0.1]:2", "10.0.0.1:2", 4),
    ])
    func whatIsOne(text: String, spelled: String, count: Int) throws {
        let address = try #require(InternetAddress(parsing: text))
        #expect(address.text == spelled && address.bytes.count == count)
    }

    @Test(arguments: [
        "", ":", "0", "65536", "-1", "+5", "6600:", "speaker.local:6600", "localhost:6600", "192.168.1:6600",
        "192.168.1.5", "192.168.1.256:6600", "::1:6600", "[::1]", "[::1]6600", "[::1:6600", "[]:6600", "[::1%]:6600",
        "[::1%a%b]:6600", "[192.168.1.5]:6600", "1.2.3.4:66 00", "٦٦٠٠", "1.2.3.4:99999999999999999999",
    ])
    func whatIsNone(text: String) { #expect(InternetAddress(parsing: text) == nil) }

    @Test func throughTheKernelAndBack() throws {
        for text in ["127.0.0.1:0", "[::1]:0"] {
            let loopback = InternetAddress(
                bytes: text.utf8.first == UInt8(ascii: "[") ? [UInt8](repeating: 0, count: 15) + [1] : [127, 0, 0, 1],
                port: 0)
            let number = socket(loopback.family, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(number) }
            #expect(try loopback.with(family: loopback.family) { bind(number, $0, $1) } == 0)
            var storage = sockaddr_storage()
            #expect(ns_own_address(number, &storage) == 0)
            let bound = try #require(InternetAddress(storage))
            #expect(bound.bytes == loopback.bytes && bound.port > 0)
        }
        let nowhere = try #require(InternetAddress(parsing: "[fe80::1%nowhere]:6600"))
        #expect(throws: PosixError.self) { try nowhere.with(family: AF_INET6) { _, _ in 0 } }
    }
}
