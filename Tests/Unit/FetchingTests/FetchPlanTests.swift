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
            (["HTTP/1.1 200 OK", "Content-Length: 99999999999"], "cache_mb"), (["HTTP/1.1 204 N"], "204"),
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
}
