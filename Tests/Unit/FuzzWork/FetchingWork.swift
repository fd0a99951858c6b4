// SPDX-License-Identifier: Apache-2.0
import Expat
import Streams

@testable import Fetching

extension FuzzWork {
    static func mediaPlaylist(_ bytes: [UInt8]) {
        guard let list = try? MediaPlaylist(bytes, base: "http://h/") else { return }
        var line = SegmentLine()
        line.take(list, 0)
        for _ in 0..<5 {
            _ = line.next()
            line.passOver()
            _ = line.parts
        }
        line.take(list, 1)
        _ = (list.bytes(bitsPerSecond: 1 << 30), list.index(near: .max), list.milliseconds)
    }

    static func masterPlaylist(_ bytes: [UInt8]) {
        guard let list = try? MasterPlaylist(bytes, base: "http://h/") else { return }
        var choice = RenditionChoice(list.renditions.map { $0.bandwidth }, quality: .auto)
        choice.didFetch(bytes: 1 << 22, milliseconds: 1, ranDry: false)
        choice.didFetch(bytes: 1 << 16, milliseconds: .max, ranDry: true)
    }

    static func head(_ bytes: [UInt8]) {
        var head = ResponseHead()
        for line in bytes.split(separator: 0x0A) { Array(line).withUnsafeBytes { head.take($0) } }
        for front in [Int64(0), 70_000, 999_999_999_999_999_999] {
            var map = CacheMap(address: "http://h/a")
            map.spans.insert(0..<front)
            map.strongTag = front == 70_000 ? "\"a\"" : ""
            map.length = front > 0 ? 999_999_999_999_999_999 : nil
            var plan = FetchPlan(map, mostBytes: 1 << 30)
            _ = plan.request(wanted: .max / 4, heard: .max / 4)
            _ = plan.judge(head, finalAddress: "")
            plan.didWrite(1000, at: plan.map.front)
            _ = (plan.didEnd(), plan.request(), plan.isWorthJump(to: .max / 4, from: 0, near: 1))
            var passing = PassingRecording(from: front, tag: "", length: head.contentLength)
            _ = passing.judge(head)
            [UInt8](repeating: 1, count: 100).withUnsafeBytes { _ = passing.new($0) }
        }
        var filter = IcyFilter(interval: head.icyInterval)
        [UInt8](repeating: 0xFF, count: 9000).withUnsafeBytes { bytes in _ = filter.take(bytes) { _ in } }
    }

    static func map(_ bytes: [UInt8]) {
        guard let map = CacheMap(bytes) else { return }
        var plan = FetchPlan(map, mostBytes: 1 << 30)
        _ = (plan.request(wanted: 5, heard: 9), plan.map.bytes, plan.takesJumps)
    }

    /// Returns the number of episodes taken.
    public static func feed(_ bytes: [UInt8]) -> Int {
        var count = 0
        let reader = FeedReader { record in
            count += 1
            _ = (record.number(.published), record.number(.seconds), record.bytes)
            return true
        }
        let stream = try? XMLStream(reader)
        try? stream?.take(bytes, isLast: true)
        return count
    }

    /// The times of a feed, which a program without libexpat reads, too.
    static func date(_ bytes: [UInt8], _ broken: Broken) {
        if let seconds = FeedDate.seconds(bytes), seconds < 0 { broken("a date is after 1970") }
        if let seconds = FeedDate.duration(bytes), seconds < 0 || seconds > 4 * 86_400 {
            broken("an episode takes days at most")
        }
    }

    static func addresses(_ bytes: [UInt8]) { _ = AddressList.addresses(in: bytes, base: "http://h/l") }

    static func outlines(_ bytes: [UInt8]) { _ = try? OPML.read(bytes) }

    static func segment(_ bytes: [UInt8], _ broken: Broken) {
        guard let sound = try? SegmentSound(bytes) else { return }
        if sound.milliseconds < 0 || sound.bytes.count > bytes.count { broken("sound is no longer than its segment") }
        if sound.frameCount < 1 || sound.frameCount > sound.bytes.count { broken("frames lie in the sound") }
    }
}
