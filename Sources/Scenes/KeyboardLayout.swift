// SPDX-License-Identifier: Apache-2.0
import Text

/// The letters of a script, as they are laid out to be touched.
public enum KeyboardLayout: CaseIterable, Equatable, Sendable {
    case latin, greek, cyrillic, hebrew, arabic, devanagari
    /// Letters of no alphabet, as they occur in the library: Chinese ones, of which there are too many for a keyboard, and all others.
    case titles
    case digits

    /// The label of the key that brings it.
    var label: String {
        switch self {
        case .latin: "abc"
        case .greek: "αβγ"
        case .cyrillic: "абв"
        case .hebrew: "אבג"
        case .arabic: "ابت"
        case .devanagari: "कखग"
        case .titles: "字"
        case .digits: "123"
        }
    }

    /// The voice's name of that key.
    var name: String {
        switch self {
        case .latin: translated("Letters")
        case .greek: translated("Greek letters")
        case .cyrillic: translated("Cyrillic letters")
        case .hebrew: translated("Hebrew letters")
        case .arabic: translated("Arabic letters")
        case .devanagari: translated("Devanagari letters")
        case .titles: translated("Letters of titles")
        case .digits: translated("Digits")
        }
    }

    /// In the order of the alphabet; "" for those that the library tells.
    var letters: String {
        switch self {
        case .latin: "abcdefghijklmnopqrstuvwxyz"
        case .greek: "αβγδεζηθικλμνξοπρσςτυφχψω"
        case .cyrillic: "абвгґдеёєжзиіїйклмнопрстуфхцчшщъыьэюя"
        case .hebrew: "אבגדהוזחטיכךלמםנןסעפףצץקרשת"
        case .arabic: "اأإآبپتثجچحخدذرزژسشصضطظعغفقكگلمنهةويىئءؤ"
        case .devanagari: "अआइईउऊऋएऐओऔकखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसहािीुूृेैोौंःँ्"
        case .titles: ""
        case .digits: "1234567890-'.,&!?:"
        }
    }

    /// As typewriters have it, rows of ten at most; nil for the order of the alphabet.
    var typewriter: [String]? {
        switch self {
        case .latin: ["qwertyuiop", "asdfghjkl", "zxcvbnm"]
        case .digits: ["1234567890", "-'.,&!?:"]
        default: nil
        }
    }

    var isRightToLeft: Bool { self == .hebrew || self == .arabic }

    /// Letters of which every title in the script has one; "" for what is always offered.
    private var common: String {
        switch self {
        case .latin, .titles, .digits: ""
        case .greek: "αάεέηήιίοόυύωώ"
        case .cyrillic: "аеиоуыюяіїє"
        case .hebrew: "אהויילמנרתש"
        case .arabic: "ابتدرسلمنويی"
        case .devanagari: "ािीेोकतनपमरलसह"
        }
    }

    /// The pattern of titles in the script, for MPD's filters. (Of ranges beyond ASCII the C library knows nothing.)
    public var pattern: String? { common.isEmpty ? nil : "[" + common + "]" }

    /// In any of the scripts that have a pattern.
    public static var foreignPattern: String { "[" + allCases.reduce("") { $0 + $1.common } + "]" }
}
