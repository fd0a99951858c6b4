// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Fetching

private let base = "https://radio.example/a/b/list.m3u8?key=1"

private func media(_ text: String) throws -> MediaPlaylist { try MediaPlaylist(Array(text.utf8), base: base) }

private func problem(_ text: String) -> String {
    do throws(SegmentError) {
        _ = try MediaPlaylist(Array(text.utf8), base: base)
        return ""
    } catch { return error.message }
}

private let sample = """
    #EXTM3U
    #EXT-X-VERSION:3
    #EXT-X-TARGETDURATION:10
    #EXT-X-MEDIA-SEQUENCE:17
    #EXTINF:9.984,Title
    one.aac
    #EXT-X-BYTERANGE:100@5
    #EXTINF:10,
    ../two.aac?x=y
    #EXT-X-BYTERANGE:50
    #EXT-X-DISCONTINUITY
    #EXTINF:3.5,
    https://other.example/three.aac
    #EXT-X-GAP
    #EXTINF:2,
    /four.aac
    #EXT-X-ENDLIST
    """

private let mastering = """
    #EXTM3U
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="g",NAME="French",URI="fr.m3u8"
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="g",NAME="English",DEFAULT=YES,URI="en.m3u8"
    #EXT-X-STREAM-INF:BANDWIDTH=128000,CODECS="mp4a.40.2"
    high.m3u8
    #EXT-X-STREAM-INF:BANDWIDTH=32000,CODECS="mp4a.40.2"
    low.m3u8
    #EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.5"
    he.m3u8
    #EXT-X-STREAM-INF:BANDWIDTH=900000,CODECS="avc1.4d,mp4a.40.2",RESOLUTION=640x360,AUDIO="g"
    film.m3u8
    #EXT-X-STREAM-INF:BANDWIDTH=1000,CODECS="ac-3"
    dolby.m3u8
    """

@Suite struct PlaylistsOfSegments {
    @Test func segments() throws {
        let list = try media(sample)
        #expect(list.segments.map { $0.milliseconds } == [9984, 10_000, 3500, 2000])
        #expect(list.segments.map { $0.bytes } == [nil, 5..<105, 105..<155, nil])
        #expect(list.segments.map { $0.isDiscontinuous } == [false, false, true, false])
        #expect(list.segments.map { $0.isGap } == [false, false, false, true])
        #expect(list.firstSequence == 17 && list.targetMilliseconds == 10_000 && list.isEnded)
        #expect(
            (0..<4).map { list.address($0) } == [
                "https://radio.example/a/b/one.aac", "https://radio.example/a/two.aac?x=y",
                "https://other.example/three.aac", "https://radio.example/four.aac",
            ])
        #expect(list.index(near: 0) == 0 && list.index(near: 9984) == 1 && list.index(near: 10_100) == 1)
        #expect(list.index(near: 1_000_000) == 4)
    }

    @Test func refused() {
        let end = "\n#EXTINF:1,\na.aac\n#EXT-X-ENDLIST"
        #expect(
            problem("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\"" + end) == "encrypted (AES-128), which is not played")
        #expect(
            problem("#EXTM3U\n#EXT-X-KEY:IV=0,METHOD=SAMPLE-AES" + end) == "encrypted (SAMPLE-AES), which is not played"
        )
        #expect(problem("#EXTM3U\n#EXT-X-KEY:METHOD=NONE" + end) == "")
        #expect(problem("#EXTM3U\n#EXT-X-MAP:URI=\"i.mp4\"" + end).contains("fragmented MP4"))
        #expect(problem("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nb.m3u8").contains("other playlists"))
        #expect(problem("#EXTM3U\n#EXT-X-ENDLIST").contains("without a segment"))
        #expect(problem("#EXTM3U\n#EXT-X-BYTERANGE:0@0" + end).contains("makes no sense"))
        let many = String(repeating: "#EXTINF:1,\na\n", count: MediaPlaylist.mostSegments + 1)
        #expect(problem("#EXTM3U\n" + many).contains("more than 20000"))
        #expect(try! media("#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n").address(0) == nil)
    }

    @Test func renditions() throws {
        let master = try #require(try MasterPlaylist(Array(mastering.utf8), base: base))
        // One family of codecs; a rendition with pictures would belong to another by its sound.
        #expect(master.renditions.map { $0.bandwidth } == [32_000, 128_000])
        #expect(master.renditions.first?.address == "https://radio.example/a/b/low.m3u8")
        #expect(try MasterPlaylist(Array(sample.utf8), base: base) == nil)
        let film = mastering.split(separator: "\n").filter { !$0.contains("mp4a") || $0.contains("avc1") }
        let sound = try MasterPlaylist(Array(film.joined(separator: "\n").utf8), base: base)
        #expect(sound?.renditions.contains { $0.address == "https://radio.example/a/b/en.m3u8" } == true)
        #expect(MasterPlaylist.isHLS(Array(sample.utf8)))
        #expect(!MasterPlaylist.isHLS(Array("#EXTM3U\n#EXTINF:1,x\nhttp://h/a.mp3".utf8)))
    }

    @Test(arguments: [
        ("a.mp3", "http://h/p/a.mp3"), ("../a.mp3", "http://h/a.mp3"), ("../../../a.mp3", "http://h/a.mp3"),
        ("/a", "http://h/a"),
        ("./a/./b/../c", "http://h/p/a/c"), ("?q=1", "http://h/p/l.m3u8?q=1"), ("//o/a", "http://o/a"),
        ("https://o/a", "https://o/a"), ("a?b=../c", "http://h/p/a?b=../c"),
    ])
    func addresses(_ reference: String, _ expected: String) {
        #expect(RelativeAddress.resolved(reference, base: "http://h/p/l.m3u8?x=/y") == expected)
    }

    @Test(arguments: ["file:///etc/passwd", "javascript:1", "a b", "", "ftp://h/a", "data:,x"])
    func noAddresses(_ reference: String) {
        if reference.isEmpty { return }
        #expect(RelativeAddress.resolved(reference, base: "http://h/p/l.m3u8") == nil)
    }

    /// For anything that a server sends: no trap, and no more bytes than it sent.
    @Test func fuzz() {
        var chance = SeededGenerator(seed: 20)
        for round in 0..<4000 {
            var bytes = Array((round % 2 == 0 ? sample : mastering).utf8)
            for _ in 0..<Int.random(in: 1...20, using: &chance) {
                let at = Int.random(in: 0..<bytes.count, using: &chance)
                switch Int.random(in: 0..<4, using: &chance) {
                case 0: bytes[at] = .random(in: 0...255, using: &chance)
                case 1: bytes.remove(at: at)
                case 2: bytes.insert(contentsOf: bytes[at..<min(bytes.count, at + 40)], at: at)
                default: bytes[at] = UInt8(ascii: "9")
                }
                if bytes.isEmpty { bytes = [0x23] }
            }
            _ = try? MasterPlaylist(bytes, base: base)
            guard let list = try? MediaPlaylist(bytes, base: base) else { continue }
            for index in list.segments.indices { _ = list.address(index) }
            var line = SegmentLine()
            line.take(list, 0)
            for _ in 0..<list.segments.count + 3 {
                _ = line.next()
                line.passOver()
            }
        }
    }
}

/// Frames of MP3 at 22,050 Hz, mono, each filled with its number.
private func frames(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for number in 0..<count {
        // 64 kbit/s: 208 bytes.
        var frame = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 208)
        frame.replaceSubrange(0..<4, with: [0xFF, 0xF3, 0x80, 0xC4])
        for at in 4..<13 { frame[at] = 0 }
        bytes += frame
    }
    return bytes
}

@Suite struct SegmentSounds {
    @Test func plain() throws {
        let sound = try SegmentSound(frames(10))
        #expect(sound.frameCount == 10 && sound.milliseconds == 261)
        let tag: [UInt8] = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 63] + Array("PRIV".utf8) + [0, 0, 0, 53, 0, 0]
        let stamp = tag + Array("com.apple.streaming.transportStreamTimestamp\0".utf8) + [0, 0, 0, 0, 0, 1, 0, 2]
        let stamped = try SegmentSound(stamp + frames(10))
        #expect(stamped.bytes == frames(10))
        // An encoder's information frame has no sound.
        var info = frames(1)
        info.replaceSubrange(13..<17, with: Array("Info".utf8))
        #expect(try SegmentSound(info + frames(10)).bytes == frames(10))
        #expect(throws: SegmentError.self) { try SegmentSound([UInt8](repeating: 7, count: 5000)) }
        #expect(throws: SegmentError.self) { try SegmentSound([]) }
        do throws(SegmentError) {
            _ = try SegmentSound([0, 0, 0, 24] + Array("stypmsdh0000".utf8))
        } catch { #expect(error.message.contains("fragmented MP4")) }
    }

    @Test func fuzz() {
        var chance = SeededGenerator(seed: 21)
        var stream: [UInt8] = []
        for number in 0..<20 {
            var packet = [UInt8](repeating: 0xFF, count: 188)
            packet.replaceSubrange(0..<4, with: [0x47, number < 3 ? 0x40 : 0x01, number < 1 ? 0 : 0x10, 0x10])
            stream += packet
        }
        for round in 0..<6000 {
            var bytes = round % 3 == 0 ? stream : frames(8)
            for _ in 0..<Int.random(in: 1...30, using: &chance) {
                let at = Int.random(in: 0..<bytes.count, using: &chance)
                bytes[round % 2 == 0 ? at % min(bytes.count, 40) : at] = .random(in: 0...255, using: &chance)
            }
            if round % 5 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &chance)) }
            guard let sound = try? SegmentSound(bytes) else { continue }
            #expect(sound.bytes.count <= bytes.count)
        }
    }
}

/// Models a player that hears a second in each second, and a network of a bit rate. Returns the choices, and the number of gaps.
private func play(
    _ rates: [Int], _ quality: RenditionQuality = .auto, seconds: Int, network: (Int) -> Int
) -> (chosen: [Int], dry: Int) {
    let lasting = 6000
    var choice = RenditionChoice(rates, quality: quality)
    var (now, buffered, dry) = (0, 0, 0)
    var chosen: [Int] = []
    while now < seconds * 1000 {
        let total = rates[choice.current] / 8 * lasting / 1000
        var (got, spent) = (0.0, 0)
        while Int(got) < total {
            got += Double(network((now + spent) / 1000)) / 8 / 10
            spent += 100
        }
        now += spent
        buffered = max(0, buffered - spent)
        chosen.append(choice.current)
        let ranDry = chosen.count > 1 && buffered == 0
        if ranDry { dry += 1 }
        choice.didFetch(bytes: total, milliseconds: Int64(spent), ranDry: ranDry)
        // No more than half a minute ahead, as with a station.
        buffered += lasting
        now += max(0, buffered - 30_000)
        buffered = min(buffered, 30_000)
    }
    return (chosen, dry)
}

@Suite struct RenditionChoices {
    private let rates = [32_000, 64_000, 128_000, 256_000]

    @Test func begins() {
        #expect(RenditionChoice(rates, quality: .auto).current == 1)
        #expect(RenditionChoice([96_000, 128_000], quality: .auto).current == 0)
        #expect(RenditionChoice(rates, quality: .low).current == 0)
        #expect(RenditionChoice(rates, quality: .high).current == 3)
        #expect(RenditionChoice(rates, quality: .kilobits(200)).current == 2)
        #expect(RenditionChoice(rates, quality: .kilobits(8)).current == 0)
        var pace = NetworkPace()
        pace.add(bytes: 1_000_000, milliseconds: 1000)
        #expect(RenditionChoice(rates, quality: .auto, pace: pace).current == 3)
    }

    /// With a sufficient network, the first choice stays.
    @Test func stays() {
        let (chosen, dry) = play(rates, seconds: 300) { $0 % 20 < 10 ? 1_000_000 : 70_000 }
        #expect(Set(chosen) == [1] && dry == 0)
    }

    /// It runs dry once, and goes on with what the network carries.
    @Test func falls() {
        let (chosen, dry) = play([24_000, 64_000], seconds: 600) { $0 < 60 ? 2_000_000 : 40_000 }
        #expect(chosen.first == 1 && chosen.last == 0 && dry == 1)
    }

    /// Any network that carries the least with something to spare: it comes down step by step, and never goes up again.
    @Test func comesDown() {
        for seed in 0..<40 {
            var chance = SeededGenerator(seed: UInt64(seed))
            let bits = (0..<60).map { _ in Int.random(in: 50_000...1_500_000, using: &chance) }
            let (chosen, dry) = play(rates, seconds: 400) { bits[$0 / 15 % 60] }
            #expect(zip(chosen, chosen.dropFirst()).allSatisfy { $0 >= $1 } && dry <= 2, "seed \(seed): \(dry)")
        }
    }

    @Test(arguments: [RenditionQuality.low, .high, .kilobits(100)])
    func fixed(_ quality: RenditionQuality) {
        let (chosen, _) = play(rates, quality, seconds: 120) { $0 % 20 < 10 ? 1_000_000 : 100_000 }
        #expect(Set(chosen).count == 1)
    }

    @Test func unfit() {
        var choice = RenditionChoice(rates, quality: .auto)
        let hasOther = choice.isUnfit(1)
        #expect(hasOther && choice.current != 1)
        var answers: [Bool] = []
        for _ in 0..<3 { answers.append(choice.isUnfit(choice.current)) }
        #expect(answers == [true, true, false])
    }
}
