// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Posix

@Suite struct FeedAddressTests {
    @Test func whatIsWrittenIsRead() {
        for (written, address) in [
            ("http://h/x", "http://h/x"), ("HTTPS://h/x", "HTTPS://h/x"),
            ("feed://host.example/x", "https://host.example/x"),
            ("feed:https://h/x", "https://h/x"), ("feed://http://h/x", "http://h/x"),
            ("Pcast://host.example:8080/x", "https://host.example:8080/x"),
            ("itpc://h.example/x?y=1", "https://h.example/x?y=1"),
            ("podcast://h.example", "https://h.example"), ("host.example/feed.xml", "https://host.example/feed.xml"),
            ("münchen.example:80/x", "https://münchen.example:80/x"),
        ] {
            #expect(FeedAddress.read(written) == address, "\(written)")
        }
    }

    @Test func whatIsNoFeedIsNone() {
        for written in [
            "", "/", "channel", "a.channel", "feed:", "feed://", "feed:///etc/passwd", "file:///etc/passwd", "C:/a.xml",
            "../a",
            "./a.xml", "/a.b/c", "a/b.c", "ftp://h.example/x", "feed:ftp://h.example/", "h.example:80a/x",
            "javascript:a.b/",
            "http://", "user@h.example/x", "a b.c/d", "feeds://h.example/x",
        ] {
            #expect(FeedAddress.read(written) == nil, "\(written)")
        }
    }
}
