// SPDX-License-Identifier: Apache-2.0
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

/// A library and the index of what is said in it, without a worker.
struct SpokenLibrary {
    let library: Library
    let store: SpokenStore

    /// Takes in what is said in an item, as the indexing does it.
    func speak(_ id: Item.ID, _ sentences: [(Int, String)], stamp: Int64 = 1) {
        guard let owner = library.spokenState(id)?.owner else { return }
        while store.remove(id) {}
        var left = sentences.map { (startMilliseconds: $0.0, text: Array($0.1.utf8)) }[...]
        while !left.isEmpty {
            _ = store.add(owner, Array(left.prefix(SpokenStore.mostInPortion)))
            left = left.dropFirst(SpokenStore.mostInPortion)
        }
        store.end(owner, stamp: stamp)
    }

    /// All that is found, in all portions.
    func said(_ words: String, limit: Int = .max, portion: Int = 10) -> [SpokenHit] {
        guard let question = SpokenQuestion(words, library) else { return [] }
        var hits: [SpokenHit] = []
        var row: Int64 = 0
        while hits.count < limit {
            let found = store.next(question, after: &row, limit: portion)
            hits += found.compactMap { library.hit($0) }
            if found.count < portion { break }
        }
        return hits
    }

    /// The items in which it is said.
    func items(_ words: String) -> [Item.ID] {
        guard let question = SpokenQuestion(words, library) else { return [] }
        var items: [Item.ID] = []
        var row: Int64 = 0
        while true {
            let found = store.nextOwners(question, after: &row)
            if found.isEmpty { return items }
            items += found.map(\.id)
        }
    }
}
