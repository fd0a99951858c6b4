// SPDX-License-Identifier: Apache-2.0
import Text

/// Removes the titles from a SHOUTcast stream: after each `interval` bytes of audio, a byte gives the length of the title data, in units of
/// 16 bytes. Holds one such piece, at most 4 KB.
public struct IcyFilter {
    private let interval: Int
    private var soundLeft: Int
    private var wordsLeft = 0
    private var words: [UInt8] = []
    /// The station's last title; "" for none.
    public private(set) var title = ""

    /// - Parameter interval: 0 for a stream without titles.
    public init(interval: Int) {
        self.interval = max(0, interval)
        soundLeft = self.interval
    }

    /// Calls `sound` for each stretch of audio. Returns true if the title has changed.
    public mutating func take(_ bytes: UnsafeRawBufferPointer, sound: (UnsafeRawBufferPointer) -> Void) -> Bool {
        if interval == 0 {
            sound(bytes)
            return false
        }
        var hasChanged = false
        var at = 0
        while at < bytes.count {
            if wordsLeft > 0 {
                let count = min(wordsLeft, bytes.count - at)
                words += bytes[at..<at + count]
                at += count
                wordsLeft -= count
                if wordsLeft == 0 && endWords() { hasChanged = true }
            } else if soundLeft > 0 {
                let count = min(soundLeft, bytes.count - at)
                sound(UnsafeRawBufferPointer(rebasing: bytes[at..<at + count]))
                at += count
                soundLeft -= count
            } else {
                wordsLeft = Int(bytes[at]) * 16
                words.removeAll(keepingCapacity: true)
                soundLeft = interval
                at += 1
            }
        }
        return hasChanged
    }

    /// Reads the title from `StreamTitle='…';`. Only a quote before a semicolon ends it: it may contain quotes.
    private mutating func endWords() -> Bool {
        guard let found = IcyFilter.title(in: words), !found.utf8.elementsEqual(title.utf8) else { return false }
        title = found
        return true
    }

    /// Returns the title; nil if there is none.
    static func title(in words: [UInt8]) -> String? {
        let name = Array("StreamTitle='".utf8)
        guard words.count >= name.count else { return nil }
        var start = 0
        while start + name.count <= words.count && !words[start..<start + name.count].elementsEqual(name) { start += 1 }
        if start + name.count > words.count { return nil }
        start += name.count
        var end = start
        while end < words.count && words[end] != 0 {
            let isQuote = words[end] == UInt8(ascii: "'")
            if isQuote && (end + 1 == words.count || words[end + 1] == UInt8(ascii: ";") || words[end + 1] == 0) {
                break
            }
            end += 1
        }
        // In UTF-8, or in the letters of Western Europe, as icecast has them for MP3.
        let text = TextDecoding.utf8(fromSingleBytes: words, start..<end)
        return String(decoding: TextDecoding.tidied(Array(text), most: 200), as: UTF8.self)
    }
}
