// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Alignment

/// Features without sound: each sentence is a walk of its own through the coefficients, which a reader takes at another pace.
private final class Drawn: FeatureReading {
    var bytes: [UInt8] = []
    var statistics = FeatureStatistics()
    var frameCount: Int { bytes.count / SpeechFeatures.bytes }
    var stream: FeatureStream { FeatureStream(self, statistics) }

    func bytes(ofFrames range: Range<Int>) -> [UInt8] {
        let range = range.clamped(to: 0..<frameCount)
        return Array(bytes[range.lowerBound * SpeechFeatures.bytes..<range.upperBound * SpeechFeatures.bytes])
    }

    private func add(_ values: [Int], energy: UInt8) {
        let frame = values.map { UInt8(bitPattern: Int8(clamping: $0)) } + [energy, energy, 0]
        bytes += frame
        statistics.add(frame[...])
    }

    func addSilence(_ frames: Int) { for _ in 0..<frames { add(Array(repeating: -30, count: 13), energy: 10) } }

    /// - Parameter pace: frames for each of the text's, in hundredths.
    func add(sentence: Int, frames: Int, pace: Int = 100, noise: Int = 0) -> Range<Int> {
        let first = frameCount
        var random = Numbers(UInt64(sentence))
        var points: [[Int]] = []
        for _ in 0...frames / 5 + 1 { points.append((0..<13).map { _ in random.next(61) - 30 }) }
        var blur = Numbers(UInt64(sentence) &+ 77)
        for frame in 0..<frames * pace / 100 {
            let place = frame * 100 / pace
            let (a, b) = (points[place / 5], points[place / 5 + 1])
            add(
                (0..<13).map {
                    (a[$0] * (5 - place % 5) + b[$0] * (place % 5)) / 5
                        + (noise == 0 ? 0 : blur.next(2 * noise + 1) - noise)
                }, energy: 90)
        }
        return first..<frameCount
    }
}

private struct Numbers {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func next(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
    }
}

@Suite struct AlignerTests {
    private let lengths = (0..<120).map { 90 + $0 * 37 % 160 }

    /// - Returns: the places and the true starts in milliseconds.
    private func align(
        heard: [Int], spoken: [Int], pace: Int = 115, intro: Int = 0
    ) throws -> (placed: [Aligner.Placed], starts: [Int: Int]) {
        let (audio, text) = (Drawn(), Drawn())
        var starts: [Int: Int] = [:]
        for number in 0..<intro { _ = audio.add(sentence: 1000 + number, frames: 150) }
        for sentence in heard {
            audio.addSilence(20 + sentence % 30)
            starts[sentence] =
                audio.add(sentence: sentence, frames: lengths[sentence], pace: pace, noise: 14).lowerBound * 20
        }
        audio.addSilence(50)
        var places: [Range<Int>] = []
        for sentence in spoken {
            places.append(text.add(sentence: sentence, frames: lengths[sentence]))
            text.addSilence(15)
        }
        var aligner = Aligner(audio: audio.stream, text: text.stream, sentences: places)
        let placed = try #require(try aligner.align { _ in true })
        return (placed.map { Aligner.Placed(sentence: spoken[$0.sentence], start: $0.start, end: $0.end) }, starts)
    }

    @Test func findsEverySentence() throws {
        let (placed, starts) = try align(heard: Array(0..<60), spoken: Array(0..<60))
        #expect(placed.count == 60)
        for place in placed { #expect(abs(place.start - starts[place.sentence]!) <= 60) }
    }

    @Test func leavesOutWhatIsNotThere() throws {
        let heard = Array(0..<30) + Array(36..<95) + Array(99..<120)
        let spoken = Array(0..<60) + Array(65..<120)
        let (placed, starts) = try align(heard: heard, spoken: spoken, intro: 20)
        let common = Set(heard).intersection(spoken)
        #expect(placed.filter { !common.contains($0.sentence) }.isEmpty)
        let missing = common.subtracting(placed.map { $0.sentence }).sorted()
        #expect(missing.count <= 2, "\(missing)")
        for place in placed { #expect(abs(place.start - starts[place.sentence]!) <= 60) }
    }

    @Test func refusesAnotherText() {
        #expect(throws: Aligner.WrongText.self) { try align(heard: Array(0..<30), spoken: Array(30..<60)) }
    }

    @Test func givesUpWhenItIsTold() throws {
        let (audio, text) = (Drawn(), Drawn())
        let places = [text.add(sentence: 1, frames: 1000)]
        _ = audio.add(sentence: 1, frames: 1000)
        var aligner = Aligner(audio: audio.stream, text: text.stream, sentences: places)
        #expect(try aligner.align { _ in false } == nil)
    }

    @Test func nothingIsNoText() {
        var aligner = Aligner(audio: Drawn().stream, text: Drawn().stream, sentences: [])
        #expect(throws: Aligner.WrongText.self) { try aligner.align { _ in true } }
    }
}

@Suite struct FeatureTests {
    @Test func logarithmsAndCosines() {
        #expect(abs(Logarithm.base2(1000) - 9.965_784) < 0.001)
        #expect(abs(Logarithm.base2(1)) < 0.001)
        #expect(abs(Trigonometry.cosine(0) - 1) < 0.000_1)
        #expect(abs(Trigonometry.cosine(0.375) + 0.707_107) < 0.000_1)
    }

    @Test(arguments: [8000, 11_025, 12_000, 22_050, 44_100, 96_000]) func aFrameEvery20Milliseconds(_ rate: Int) {
        var features = SpeechFeatures(rate: rate, channels: 2)
        var frames: [UInt8] = []
        let samples = (0..<rate * 4).map { Int16($0 * 7919 % 4001 - 2000) }
        for start in stride(from: 0, to: samples.count, by: 1000) {
            samples[start..<min(samples.count, start + 1000)].withUnsafeBufferPointer {
                features.put($0, into: &frames)
            }
        }
        features.finish(into: &frames)
        #expect(abs(frames.count / SpeechFeatures.bytes - 100) <= 1)
    }
}
