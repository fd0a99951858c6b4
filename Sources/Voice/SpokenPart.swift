// SPDX-License-Identifier: Apache-2.0
/// A part of a sentence in one language.
struct SpokenPart {
    /// The language in two letters; "" for the voice's own.
    var language = ""
    var text: String

    /// - Parameter sentence: a sentence with the marks of `VoicePort.say`. An unpaired mark, as in a title, is ignored.
    static func parts(_ sentence: String) -> [SpokenPart] {
        var parts: [SpokenPart] = []
        var rest = Array(sentence.utf8)[...]
        while let mark = rest.firstIndex(of: 1), mark + 3 < rest.endIndex, rest[mark + 3] == 2,
            rest[mark + 1...mark + 2].allSatisfy({ $0 >= 0x61 && $0 <= 0x7A }),
            let end = rest[mark...].firstIndex(of: 3)
        {
            parts.append(SpokenPart(text: plain(rest[..<mark])))
            let language = String(decoding: rest[mark + 1...mark + 2], as: UTF8.self)
            parts.append(SpokenPart(language: language, text: plain(rest[(mark + 4)..<end])))
            rest = rest[(end + 1)...]
        }
        return parts + [SpokenPart(text: plain(rest))]
    }

    private static func plain(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.filter { $0 > 3 }, as: UTF8.self)
    }

    /// The part as SSML.
    var markup: String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): bytes += Array("&amp;".utf8)
            case UInt8(ascii: "<"): bytes += Array("&lt;".utf8)
            case UInt8(ascii: ">"): bytes += Array("&gt;".utf8)
            default: bytes.append(byte)
            }
        }
        let escaped = String(decoding: bytes, as: UTF8.self)
        return language.isEmpty ? escaped : "<voice xml:lang=\"" + language + "\">" + escaped + "</voice>"
    }
}
