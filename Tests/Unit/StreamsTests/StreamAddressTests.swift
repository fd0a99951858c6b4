// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Streams

@Suite struct StreamAddressTests {
    @Test func whatIsOne() {
        for address in ["http://h/a", "HTTPS://h", "http://u:p@h:8000/x?k=1"] {
            #expect(StreamAddress.problem(address) == nil, "\(address)")
        }
        for address in ["", "http://", "file:///a", "ftp://h/a", "http//h", "h/a", "http://h/a b", "http://h/\n"] {
            #expect(StreamAddress.problem(address) != nil, "\(address)")
        }
        #expect(StreamAddress.problem("http://h/" + String(repeating: "x", count: 3000)) != nil)
    }

    /// No message contains a secret.
    @Test func nothingSecretIsShown() {
        #expect(StreamAddress.shown("https://user:pass@h:1/feed.mp3?key=abc#x") == "https://h:1/feed.mp3")
        #expect(StreamAddress.shown("http://h/a@b") == "http://h/a@b")
        #expect(StreamAddress.host("https://u:p@h:1/feed") == "h:1")
        #expect(StreamAddress.host("http://h") == "h")
    }

    @Test func origins() {
        #expect(StreamAddress.origin("https://u:p@Host/feed") == "https://host:443")
        #expect(StreamAddress.origin("HTTP://host?x") == "http://host:80")
        #expect(StreamAddress.origin("http://[fd00::1]:8000/a") == "http://[fd00::1]:8000")
        #expect(StreamAddress.origin("https://[fd00::1]/a") == "https://[fd00::1]:443")
        #expect(StreamAddress.origin("https://h:/a") == "https://h:443")
        #expect(StreamAddress.origin("h") == nil && StreamAddress.origin("http:///a") == nil)
        #expect(StreamAddress.isSameHost("http://nas/a.m3u", "https://u:p@NAS:8000/b"))
        #expect(StreamAddress.isSameHost("http://[fd00::1]/a", "http://[fd00::1]:80/a"))
        #expect(!StreamAddress.isSameHost("http://[fd00::1]/a", "http://[fd00::2]/a"))
        #expect(!StreamAddress.isSameHost("http://nas/a", "http://nas.example/a"))
        #expect(!StreamAddress.isSameHost("x", "x"))
    }
}
