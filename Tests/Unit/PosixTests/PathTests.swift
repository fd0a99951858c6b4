// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Posix

@Suite struct PathTests {
    @Test(arguments: [
        ("/a/b.mp3", "b.mp3", "/a", "/a/b", "mp3"), ("b.mp3", "b.mp3", ".", "b", "mp3"), ("/b", "b", "/", "/b", ""),
        ("/a.d/b", "b", "/a.d", "/a.d/b", ""), ("/a/.hidden", ".hidden", "/a", "/a/.hidden", ""),
        ("x/ä.b.MP3", "ä.b.MP3", "x", "x/ä.b", "mp3"), ("/a/", "", "/a", "/a/", ""), ("", "", ".", "", ""),
        ("a.", "a.", ".", "a", ""),
    ]) func partsOfAPath(path: String, name: String, folder: String, stem: String, ending: String) {
        #expect(path.pathName == name)
        #expect(path.pathFolder == folder)
        #expect(path.pathStem == stem)
        #expect(path.pathExtension == ending)
    }
}
