// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Fetching

/// A head as a server sends it.
func head(_ lines: String...) -> ResponseHead {
    var head = ResponseHead()
    for line in lines { Array(line.utf8).withUnsafeBytes { head.take($0) } }
    return head
}

@Suite struct FetchPlanTests {
    private func map(_ front: Int64, tag: String = "\"one\"", length: Int64? = 1_000_000) -> CacheMap {
        var map = CacheMap(address: "http://h/a")
        map.spans.insert(0..<front)
        map.strongTag = tag
        map.length = length
        return map
    }

    private func plan(_ map: CacheMap) -> FetchPlan { FetchPlan(map, mostBytes: 10_000_000) }

    @Test func theFirstTimeAllIsAskedFor() {
        var plan = plan(CacheMap(address: "http://h/a"))
        #expect(plan.request() == FetchPlan.Request())
        let answer = head("HTTP/1.1 200 OK", "Content-Length: 5000", "ETag: \"x\"", "Content-Type: audio/mpeg")
        #expect(plan.judge(answer, finalAddress: "http://h/b") == .write(from: 0))
        #expect(plan.map.strongTag == "\"x\"")
        #expect(plan.map.length == 5000)
        #expect(plan.map.finalAddress == "http://h/b")
        plan.didWrite(5000, at: 0)
        let end = plan.didEnd()
        #expect(end == .whole)
    }

    @Test func aStrongTagGoesOnAtTheByte() {
        var plan = plan(map(70_000))
        #expect(plan.request() == FetchPlan.Request(range: "70000-", ifRange: "\"one\""))
        let answer = head("HTTP/2 206", "content-range: bytes 70000-999999/1000000", "etag: \"one\"")
        #expect(plan.judge(answer, finalAddress: "") == .write(from: 70_000))
    }

    @Test func withoutOneTheOverlapIsCompared() {
        var plan = plan(map(100_000, tag: ""))
        #expect(plan.request() == FetchPlan.Request(range: "34464-"))
        let answer = head("HTTP/1.1 206 Partial", "Content-Range: bytes 34464-999999/1000000", "ETag: W/\"weak\"")
        #expect(plan.judge(answer, finalAddress: "") == .compare(from: 34_464))
        #expect(plan.map.strongTag.isEmpty)
        // Of less there is nothing to tell by.
        var short = self.plan(map(1000, tag: ""))
        #expect(short.request() == FetchPlan.Request())
    }

    @Test func anotherRecordingIsBegunAnew() {
        var plan = plan(map(70_000))
        _ = plan.request()
        #expect(
            plan.judge(head("HTTP/1.1 200 OK", "Content-Length: 900000", "ETag: \"two\""), finalAddress: "")
                == .writeAnew)
        #expect(plan.map.front == 0)
        // The same again from its start, by a server that knows no ranges: compared, and not thrown away.
        var same = self.plan(map(70_000))
        _ = same.request()
        #expect(
            same.judge(head("HTTP/1.1 200 OK", "Content-Length: 1000000", "ETag: \"one\""), finalAddress: "")
                == .compare(from: 0))
        // Another length within the same range.
        var other = self.plan(map(100_000, tag: ""))
        _ = other.request()
        guard case .notNow = other.judge(head("HTTP/1.1 206 P", "Content-Range: bytes 34464-9/8"), finalAddress: "")
        else { return #expect(Bool(false)) }
        #expect(other.map.front == 0)
        // A new request never overwrites a file that is playing; once it is begun it continues as any other.
        #expect(other.request() == FetchPlan.Request())
        let whole = head("HTTP/1.1 200 OK", "Content-Length: 900000")
        #expect(other.judge(whole, finalAddress: "") == .writeAnew)
        other.didWrite(80_000, at: 0)
        _ = other.request()
        #expect(
            other.judge(head("HTTP/1.1 206 P", "Content-Range: bytes 14464-9/900000"), finalAddress: "")
                == .compare(from: 14_464))
        // The same where a part could not be given at all.
        var gone = self.plan(map(100_000))
        _ = gone.request()
        guard case .notNow = gone.judge(head("HTTP/1.1 416 R", "Content-Range: bytes */5000"), finalAddress: "") else {
            return #expect(Bool(false))
        }
        _ = gone.request()
        #expect(gone.judge(head("HTTP/1.1 200 OK", "Content-Length: 5000"), finalAddress: "") == .writeAnew)
        // Nothing was there: there is nothing to spare.
        var empty = self.plan(CacheMap(address: "http://h/a"))
        _ = empty.request()
        #expect(empty.judge(whole, finalAddress: "") == .write(from: 0))
    }

    @Test func anotherPartThanAskedForIsNotWritten() {
        var plan = plan(map(70_000))
        _ = plan.request()
        for line in ["Content-Range: bytes 0-5/1000000", "Content-Range: rubbish", "X: y"] {
            guard case .notNow = plan.judge(head("HTTP/1.1 206 P", line), finalAddress: "") else {
                return #expect(Bool(false), "\(line)")
            }
        }
        #expect(plan.map.front == 70_000)
    }

    @Test func aLengthThatWasALie() {
        var plan = plan(map(70_000))
        _ = plan.request()
        #expect(plan.judge(head("HTTP/1.1 416 R", "Content-Range: bytes */70000"), finalAddress: "") == .isWhole)
        #expect(plan.map.isWhole)
        var short = self.plan(map(70_000))
        let end = short.didEnd()
        #expect(end == .short)
        #expect(!short.map.isWhole)
    }

    /// A place that is waited for comes first, then what lies behind the ear, then what is missing before; never by a server that
    /// gives no parts.
    @Test func aJumpFetchesThePlaceFirst() {
        var map = map(70_000)
        map.takesRanges = true
        var plan = plan(map)
        #expect(plan.isWorthJump(to: 500_000, from: 70_000, near: 1000))
        #expect(!plan.isWorthJump(to: 70_500, from: 70_000, near: 1000))
        #expect(!plan.isWorthJump(to: 5, from: 70_000, near: 1000))
        #expect(!plan.isWorthJump(to: 1_000_000, from: 70_000, near: 1000))
        #expect(plan.request(wanted: 500_000) == FetchPlan.Request(range: "500000-", ifRange: "\"one\""))
        let answer = head("HTTP/2 206", "content-range: bytes 500000-999999/1000000", "etag: \"one\"")
        #expect(plan.judge(answer, finalAddress: "") == .write(from: 500_000))
        plan.didWrite(100_000, at: 500_000)
        // Cut: on behind the ear.
        var end = plan.didEnd()
        #expect(end == .short)
        #expect(plan.request(heard: 550_000).range == "600000-")
        plan.didWrite(400_000, at: 600_000)
        end = plan.didEnd()
        #expect(end == .more)
        #expect(plan.request(heard: 900_000) == FetchPlan.Request(range: "70000-499999", ifRange: "\"one\""))
        #expect(
            plan.judge(head("HTTP/2 206", "content-range: bytes 70000-499999/1000000"), finalAddress: "")
                == .write(from: 70_000))
        plan.didWrite(430_000, at: 70_000)
        end = plan.didEnd()
        #expect(end == .whole)
        #expect(plan.map.isWhole)
    }

    @Test func whatIsNotTheSameIsNotJoined() {
        var map = map(70_000)
        map.takesRanges = true
        map.spans.insert(500_000..<600_000)
        // Another tag, with a part or whole.
        var plan = plan(map)
        _ = plan.request(wanted: 800_000)
        guard
            case .notNow = plan.judge(
                head("HTTP/2 206", "content-range: bytes 800000-999999/1000000", "etag: \"two\""), finalAddress: "")
        else { return #expect(Bool(false)) }
        #expect(plan.map.spans.end == 0)
        plan = self.plan(map)
        _ = plan.request(wanted: 800_000)
        #expect(
            plan.judge(head("HTTP/2 200", "content-length: 1000000", "etag: \"two\""), finalAddress: "")
                == .writeAnew)
        // It gives no parts after all: from the start, and not asked again.
        plan = self.plan(map)
        _ = plan.request(wanted: 800_000)
        #expect(
            plan.judge(head("HTTP/2 200", "content-length: 1000000", "etag: \"one\""), finalAddress: "")
                == .compare(from: 0))
        #expect(!plan.takesJumps)
        // Without a strong tag there is nothing to go by.
        var weak = self.map(100_000, tag: "")
        weak.takesRanges = true
        plan = self.plan(weak)
        #expect(!plan.isWorthJump(to: 500_000, from: 100_000, near: 1000))
        #expect(plan.request(wanted: 500_000).range == "34464-")
    }

    @Test func whatIsNoSoundIsSaid() {
        var plan = plan(CacheMap(address: "http://h/a"))
        for (lines, word) in [
            (["HTTP/1.1 404 Not Found"], "404"), (["HTTP/1.1 403 F"], "account"),
            (["HTTP/1.1 200 OK", "Content-Type: Text/HTML; charset=x"], "text/html"),
            (["HTTP/1.1 204 N"], "204"),
        ] {
            var answer = ResponseHead()
            for line in lines { Array(line.utf8).withUnsafeBytes { answer.take($0) } }
            guard case .never(let reason) = plan.judge(answer, finalAddress: "") else {
                return #expect(Bool(false), "\(lines)")
            }
            #expect(reason.contains(word))
        }
        #expect(
            plan.judge(head("HTTP/1.1 429 T", "Retry-After: 7"), finalAddress: "")
                == .notNow("the server asks to be left alone for a while (429)", afterSeconds: 7))
        #expect(
            plan.judge(head("HTTP/1.1 503 T", "Retry-After: Fri, 31 Dec 1999 23:59:59 GMT"), finalAddress: "")
                == .notNow("the server is in trouble (503)", afterSeconds: nil))
    }

    @Test func stationsAndLists() {
        var plan = plan(CacheMap(address: "http://h/a"))
        let station = head(
            "ICY 200 OK", "icy-name:Owl", "icy-metaint:16000", "icy-br:128,128", "content-type:audio/mpeg")
        #expect(plan.judge(station, finalAddress: "") == .live)
        #expect(station.icyName == "Owl" && station.icyInterval == 16_000 && station.icyKilobits == 128)
        #expect(
            plan.judge(head("HTTP/1.0 200 OK", "Content-Type: audio/x-mpegurl"), finalAddress: "") == .list)
        // A recording with such a header has an end all the same.
        #expect(!head("HTTP/1.1 200 OK", "icy-name: x", "Content-Length: 10").isLive)
    }

    @Test func aRedirectionsHeadIsForgotten() {
        let last = head(
            "HTTP/1.1 302 F", "ETag: \"r\"", "Content-Length: 3", "", "HTTP/1.1 200 OK", "Content-Length: 9")
        #expect(last.status == 200 && last.contentLength == 9 && last.entityTag.isEmpty)
    }

    /// A recording too large for the cache is heard as it arrives; words and pictures are not.
    @Test func tooLongForTheCache() {
        var plan = plan(CacheMap(address: "http://h/a"))
        _ = plan.request()
        let answer = head("HTTP/1.1 200 OK", "Content-Length: 99999999999", "ETag: \"x\"")
        #expect(plan.judge(answer, finalAddress: "") == .passing)
        var document = FetchPlan(CacheMap(address: "http://h/a"), mostBytes: 1000, isDocument: true)
        guard case .never = document.judge(answer, finalAddress: "") else { return #expect(Bool(false)) }
    }

    @Test func passing() {
        var passing = PassingRecording(from: 0, tag: "\"x\"", length: 1000)
        #expect(passing.request() == FetchPlan.Request())
        passing.didTake(400)
        #expect(!passing.isWhole && passing.request() == FetchPlan.Request(range: "400-", ifRange: "\"x\""))
        let part = head("HTTP/1.1 206 P", "Content-Range: bytes 400-999/1000", "ETag: \"x\"")
        #expect(passing.judge(part) == .passing)
        let bytes = [UInt8](repeating: 0, count: 300)
        #expect(bytes.withUnsafeBytes { passing.new($0).count } == 300)
        // From a server without ranges, the fetch leaves out the heard bytes. It does not join another recording to them.
        #expect(passing.judge(head("HTTP/1.1 200 OK", "Content-Length: 1000")) == .passing)
        #expect(bytes.withUnsafeBytes { passing.new($0).count } == 0)
        #expect(bytes.withUnsafeBytes { passing.new($0).count } == 200)
        for other in [
            head("HTTP/1.1 200 OK", "Content-Length: 1001"),
            head("HTTP/1.1 200 OK", "Content-Length: 1000", "ETag: \"y\""),
            head("HTTP/1.1 206 P", "Content-Range: bytes 400-1000/1001"),
            head("HTTP/1.1 416 R", "Content-Range: bytes */7"),
        ] {
            guard case .never = passing.judge(other) else { return #expect(Bool(false)) }
        }
        passing.didTake(600)
        #expect(passing.isWhole && passing.judge(head("HTTP/1.1 416 R", "Content-Range: bytes */1000")) == .isWhole)
        // A stream without a length continues where it is.
        var endless = PassingRecording(from: 5000, tag: "", length: nil)
        #expect(endless.request() == FetchPlan.Request() && endless.judge(head("HTTP/1.0 200 OK")) == .passing)
        #expect(bytes.withUnsafeBytes { endless.new($0).count } == 300)
    }

    /// A compressed answer has a length and ranges of its own, which are of no use.
    @Test func packed() {
        let answer = head(
            "HTTP/1.1 200 OK", "Content-Length: 50", "ETag: \"x\"", "Accept-Ranges: bytes", "Content-Encoding: gzip")
        #expect(answer.contentLength == nil && answer.strongTag.isEmpty && !answer.acceptsRanges)
        #expect(head("HTTP/1.1 200 OK", "Content-Length: 50", "Content-Encoding: identity").contentLength == 50)
        var plan = plan(map(100_000, tag: ""))
        #expect(plan.request().range == "34464-")
        guard
            case .notNow = plan.judge(
                head("HTTP/1.1 206 P", "Content-Range: bytes 34464-9/1000000", "Content-Encoding: gzip"),
                finalAddress: "")
        else { return #expect(Bool(false)) }
        #expect(plan.request() == FetchPlan.Request())
    }

    /// The first bytes and the name decide the kind, against any type that the server claims.
    @Test func whatALookTells() {
        let list = FetchPlan.Body.list
        for (type, address, opening, expected) in [
            ("application/octet-stream", "http://h/a.m3u", "#EXTM3U\n#EXTINF:1", list),
            ("text/html", "", "#extm3u\n", list),
            ("audio/mpeg", "http://h/a.M3U?x=1", "music/one.mp3\n", list),
            ("text/plain", "", "https://h/a.mp3\n", list),
            ("", "", "\u{FEFF} [PLAYLIST]\r\nfile1=x", list), ("text/xml", "", "<?xml version='1.0'?><playlist>", list),
            ("text/plain", "http://h/a.mp3", "ID3\u{4}\0\0\0\0\0", .write(from: 0)),
            ("text/html", "http://h/a.m3u", "OggS\0\u{2}", .write(from: 0)),
            ("audio/x-mpegurl", "http://h/a", "ID3\u{3}", .write(from: 0)),
        ] {
            var plan = plan(CacheMap(address: "http://h/a"))
            let answer = head("HTTP/1.1 200 OK", "Content-Length: 5000", "Content-Type: " + type)
            #expect(
                plan.judge(answer, finalAddress: address, opening: Array(opening.utf8)) == expected,
                "\(type) \(opening)")
        }
        for opening in ["just words of a page", "<html><body>"] {
            var plan = plan(CacheMap(address: "http://h/a"))
            let answer = head("HTTP/1.1 200 OK", "Content-Type: text/plain")
            guard case .never = plan.judge(answer, finalAddress: "http://h/a.mp3", opening: Array(opening.utf8)) else {
                return #expect(Bool(false), "\(opening)")
            }
        }
    }

    @Test func lists() {
        func addresses(_ text: String, _ base: String = "http://h/p/l.m3u") -> [String] {
            AddressList.addresses(in: Array(text.utf8), base: base)
        }
        #expect(
            addresses("#EXTM3U\n#EXTINF:1,x\nhttp://a/1\n../two three.mp3\nC:\\x.mp3\nfile:///etc/passwd\n")
                == ["http://a/1", "http://h/two%20three.mp3"])
        #expect(addresses("\u{FEFF}[PLAYLIST]\r\nFILE1=/1.mp3\r\nfile2 = http://a/2\r\n").first == "http://h/1.mp3")
        #expect(addresses("file1=x.mp3\n", "http://h/l.PLS?y") == ["http://h/x.mp3"])
        #expect(
            addresses(
                "<?xml version='1.0'?><playlist xmlns='x'><title>t</title><location>http://no/1</location><trackList><track>"
                    + "<location> http://a/1&amp;2 </location></track><track><location>b c.mp3</location></track></trackList></playlist>"
            ) == ["http://a/1&2", "http://h/p/b%20c.mp3"])
        #expect(addresses("<?xml version='1.0'?><!DOCTYPE x [<!ENTITY a 'b'>]><playlist>&a;</playlist>") == [])
        #expect(addresses(String(repeating: "http://a/1\n", count: 100_000)).count == 32)
    }
}
