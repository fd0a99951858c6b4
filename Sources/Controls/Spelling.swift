// SPDX-License-Identifier: Apache-2.0
import Posix

/// Finds the word that was probably meant.
public enum Spelling {
    /// Returns "'device' perhaps, one of device, mixer, …" if a name is similar, else "one of device, mixer, …".
    public static func expectation(of word: String, among names: [String]) -> String {
        let all = "one of " + names.joined(separator: ", ")
        guard let near = nearest(to: word, among: names) else { return all }
        return "'" + near + "' perhaps: " + all
    }

    /// Returns the name with the fewest typing errors in `word`; nil if there are more than two, or most of the word differs.
    public static func nearest(to word: String, among names: [String]) -> String? {
        let word = folded(word)
        // No name is that long, and the time grows with the product of the lengths.
        guard !word.isEmpty, word.count <= 40 else { return nil }
        var best: (name: String, distance: Int)?
        for name in names {
            let distance = distance(word, folded(name))
            if distance <= min(2, max(word.count, name.utf8.count) / 2), distance < best?.distance ?? .max {
                best = (name, distance)
            }
        }
        return best?.name
    }

    /// Returns lower case without separators that people confuse: "Volume_Up" becomes "volumeup".
    private static func folded(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for byte in text.utf8 where byte != UInt8(ascii: "-") && byte != UInt8(ascii: "_") {
            bytes.append(byte.lowerCase)
        }
        return bytes
    }

    /// Returns the number of insertions, deletions and substitutions between two words (Levenshtein).
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var row = Array(0...b.count)
        for i in a.indices {
            var diagonal = row[0]
            row[0] = i + 1
            for j in b.indices {
                let substituted = diagonal + (a[i] == b[j] ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(substituted, diagonal + 1, row[j] + 1)
            }
        }
        return row[b.count]
    }
}
