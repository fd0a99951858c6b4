// SPDX-License-Identifier: Apache-2.0
import Posix

/// Returns the language of a tag, in any of its usual forms: "de", "deu", "ger", "German", "de-AT".
/// - Returns: two letters of ISO 639-1; "" for an unknown language.
public func languageCode(_ tag: String) -> String {
    let word = tag.utf8.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }.map { $0.lowerCase }
    if word.count < 2 { return "" }
    return languages.withUTF8Buffer { bytes in
        for line in bytes.split(separator: UInt8(ascii: "|")) {
            let words = line.split(separator: 0x20)
            if words.contains(where: { $0.elementsEqual(word) }) { return String(decoding: words[0], as: UTF8.self) }
        }
        return ""
    }
}

/// The languages, each with its codes of ISO 639-1 and 639-2, in English and by its own name.
private let languages: StaticString = """
    en eng english|de deu ger german deutsch|fr fra fre french français|es spa spanish español castellano|it ita italian \
    italiano|nl nld dut dutch nederlands|pl pol polish polski|pt por portuguese português|sv swe swedish svenska|da dan \
    danish dansk|nb nob nor no norwegian norsk|fi fin finnish suomi|cs ces cze czech|sk slk slo slovak|hu hun hungarian \
    magyar|ro ron rum romanian|ru rus russian|uk ukr ukrainian|el ell gre greek|tr tur turkish|la lat latin|ca cat \
    catalan|hr hrv croatian|cy cym wel welsh|ga gle irish|is isl ice icelandic|eo epo esperanto|ja jpn japanese|zh zho \
    chi chinese|ko kor korean|ar ara arabic|he heb hebrew|hi hin hindi
    """
