// SPDX-License-Identifier: Apache-2.0
import Model
import TestSupport
import Testing

@testable import Transcript

@Suite struct JoiningWordsTests {
    /// Each word takes 200 ms of every 300, unless a pause in milliseconds stands between.
    private func words(_ list: [String], pauses: [Int: Int] = [:], ends: Bool = true) -> [TimedText] {
        var time = 0
        return list.enumerated().map { index, text in
            time += pauses[index] ?? 0
            defer { time += 300 }
            return TimedText(text: text, startMilliseconds: time, endMilliseconds: ends ? time + 200 : nil)
        }
    }

    private func texts(_ pieces: [TimedText]) -> [String] { joiningWords(pieces).map(\.text) }

    private func split(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

    @Test func atPunctuation() {
        let sentences = joiningWords(
            words(split("It stood near. Did it? “Yes!” Mr. J. Smith paid 3.50 dollars… Then")))
        #expect(
            sentences.map(\.text) == ["It stood near.", "Did it?", "“Yes!”", "Mr. J. Smith paid 3.50 dollars…", "Then"])
        #expect(sentences.map(\.startMilliseconds) == [0, 900, 1500, 1800, 3600])
        #expect(sentences.map(\.endMilliseconds) == [800, 1400, 1700, 3500, 3800])
    }

    @Test func spacesOfTheTokens() {
        #expect(
            texts(words([" And", " so", ",", " my", " fel", "low", " Americ", "ans", ".", " Ask", " not", "."]))
                == ["And so, my fellow Americans.", "Ask not."])
        #expect(texts(words(["Hello", ",", "you", "!", "(", "Bye", ")", "."])) == ["Hello, you!", "( Bye)."])
        #expect(texts(words([" It", " cost", " 3", ".", "50", " then", "."])) == ["It cost 3.50 then."])
    }

    @Test func atPausesAndSpeakers() {
        #expect(texts(words(split("well then so it goes"), pauses: [2: 700, 4: 400])) == ["well then", "so it goes"])
        #expect(
            texts(words(split("well then so it goes"), pauses: [2: 2300], ends: false)) == ["well then", "so it goes"])
        var pieces = words(split("who goes there me and you"))
        pieces[0].speaker = 1
        pieces[3].speaker = 2
        pieces[5].speaker = 2
        #expect(texts(pieces) == ["who goes there", "me and you"])
    }

    @Test func atMostSoLong() {
        let text = String(repeating: "lorem ipsum dolor ", count: 40)
        let sentences = texts(words(split(text)))
        #expect(sentences.allSatisfy { $0.utf8.count <= 120 && $0.utf8.count > 100 || $0 == sentences.last })
        #expect(sentences.joined(separator: " ") + " " == text)
        let withComma = texts(words(split(String(repeating: "lorem ipsum dolor ", count: 5) + "sit, amet consectetur")))
        #expect(withComma.map { $0.suffix(4) } == ["sit,", "etur"])
    }

    @Test func sentencesAreLeftAlone() {
        let pieces = [
            TimedText(text: "It stood near the", startMilliseconds: 0, endMilliseconds: 900),
            TimedText(text: "Yes.", startMilliseconds: 900, endMilliseconds: 1000),
            TimedText(text: "lamp and then it", startMilliseconds: 1000),
        ]
        #expect(
            Array(joiningWords(pieces)) == [
                Segment(text: "It stood near the", startMilliseconds: 0, endMilliseconds: 900),
                Segment(text: "Yes.", startMilliseconds: 900, endMilliseconds: 1000),
                Segment(text: "lamp and then it", startMilliseconds: 1000, endMilliseconds: 3000),
            ])
        let chinese = ["今天天气很好我们去公园吧", "好的我们走吧一起去看看", "等一下我拿一下雨伞"]
        #expect(texts(words(chinese)) == chinese)
        #expect(texts(words(["Yes."])) == ["Yes."])
        #expect(texts([]) == [])
    }

    @Test func scriptsWithoutSpaces() {
        #expect(texts(words(["今天", "天气", "很", "好", "。", "我们", "走", "吧", "OK", "？"])) == ["今天天气很好。", "我们走吧 OK ？"])
        #expect(texts(words([" 今天", "天气", "很好", "。", "我们"])) == ["今天天气很好。", "我们"])
        #expect(texts(words(split("Добрый вечер друзья . Поехали"))) == ["Добрый вечер друзья.", "Поехали"])
    }

    @Test func outOfOrderAndExtremeTimes() {
        #expect(texts(words(["a", "b", "c"]).reversed()) == ["a b c"])
        let extreme = [Int.min, Int.max, 0, Int.max, Int.min].map {
            TimedText(text: "w", startMilliseconds: $0, endMilliseconds: $0)
        }
        checkInvariants(joiningWords(extreme), "extreme")
    }

    /// For any file, no word is lost, doubled or moved to another time.
    @Test(arguments: 0..<60) func everyWordStays(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var time = 0
        let pieces = (0..<Int.random(in: 0...200, using: &generator)).map { index in
            time += Int.random(in: 0...900, using: &generator)
            let ending = ["", "", ".", ",", "?", "…", ")"].randomElement(using: &generator)!
            return TimedText(
                text: (seed.isMultiple(of: 2) ? " " : "") + "w\(index)" + ending, startMilliseconds: time,
                endMilliseconds: Bool.random(using: &generator) ? time + 100 : nil)
        }
        let sentences = joiningWords(pieces)
        let words = sentences.flatMap { $0.text.split(separator: " ").map(String.init) }
        #expect(words == pieces.map { String($0.text.trimmingPrefix(" ")) })
        let starts = Set(pieces.map(\.startMilliseconds))
        #expect(sentences.allSatisfy { starts.contains($0.startMilliseconds) })
        checkInvariants(sentences, "seed \(seed)")
    }
}
