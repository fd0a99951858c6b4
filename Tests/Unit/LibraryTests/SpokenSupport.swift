import Foundation
import Model
import TestSupport

@testable import Library

/// Sentences as a person might speak them: words of a vocabulary, the first ones by far the most frequent.
struct SpokenText {
    private(set) var vocabulary: [String] = []
    private var sums: [Double] = []
    private var generator: SeededGenerator

    init(words: Int = 5000, seed: UInt64 = 7) {
        generator = SeededGenerator(seed: seed)
        let letters = Array(
            "eeeeeeeeeeeeeeeeeeeeeeeetttttttttttttttttaaaaaaaaaaaaaaaoooooooooooooonnnnnnnnnnnnniiiiiiiiiiiiisssssssssssshhhhhhhhhhhrrrrrrrrrrrddddddddlllllllccccccuuuuummmmwwwwfffggggyyyppppbbbvvkñé"
        )
        var known: Set<String> = []
        var sum = 0.0
        while vocabulary.count < words {
            let length = 2 + Int.random(in: 0...5, using: &generator) + vocabulary.count / 2000
            let word = String((0..<length).map { _ in letters.randomElement(using: &generator)! })
            if !known.insert(word).inserted { continue }
            vocabulary.append(word)
            sum += 1 / (Double(vocabulary.count) + 1.7)
            sums.append(sum)
        }
    }

    mutating func word() -> String {
        let wanted = Double.random(in: 0..<sums[sums.count - 1], using: &generator)
        var (low, high) = (0, sums.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] > wanted { high = middle } else { low = middle + 1 }
        }
        return vocabulary[low]
    }

    mutating func sentence() -> String {
        var text = ""
        for place in 0..<Int.random(in: 4...18, using: &generator) {
            let next = word()
            text += place == 0 ? next.capitalized : " " + next
        }
        return text + "."
    }
}

extension Library {
    /// Takes in what is said in an item, as the keeper has it done.
    @discardableResult
    func speak(_ id: Item.ID, _ sentences: [(Int, String)], stamp: Int64 = 1, portion: Int = 16) -> Int {
        while removeSpoken(id, blocks: portion) {}
        var counts = [Int](repeating: 0, count: 256)
        for (_, text) in sentences { for byte in text.utf8 { counts[Int(byte)] += 1 } }
        var packer = SpokenBlock.Packer(counts: counts)
        var blocks: [SpokenBlock] = []
        for (start, text) in sentences {
            if let block = packer.add(startMilliseconds: start, text: Array(text.utf8)) { blocks.append(block) }
        }
        if let block = packer.finish() { blocks.append(block) }
        beginSpoken(id, code: packer.code)
        var next = 0
        while next < blocks.count {
            _ = addSpoken(id, blocks[next..<min(blocks.count, next + portion)])
            while mergeSpoken() {}
            next += portion
        }
        endSpoken(id, stamp: stamp)
        return blocks.reduce(0) { $0 + $1.bytes.count }
    }

    /// All that is found, in all portions.
    func said(_ words: String, limit: Int = .max, portion: Int = 10) -> [SpokenHit] {
        guard let search = SpokenSearch(self, words) else { return [] }
        var hits: [SpokenHit] = []
        while hits.count < limit, let page = search.next(min(portion, limit - hits.count)) { hits += page }
        return hits
    }
}
