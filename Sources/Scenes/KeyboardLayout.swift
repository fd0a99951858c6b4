// SPDX-License-Identifier: Apache-2.0
import Text

/// The letters of a script, laid out for touch.
public enum KeyboardLayout: CaseIterable, Equatable, Sendable {
    case latin, greek, cyrillic, hebrew, arabic, devanagari
    /// The letters that occur in the library's titles and belong to no keyboard's alphabet, such as Chinese ones.
    case titles
    case digits

    /// The label of the key that switches to this layout.
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

    /// The spoken name of that key.
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

    /// The letters in alphabetical order; "" if the library names them.
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

    /// Rows of at most ten letters, as on a typewriter; nil for alphabetical order.
    var typewriter: [String]? {
        switch self {
        case .latin: ["qwertyuiop", "asdfghjkl", "zxcvbnm"]
        case .digits: ["1234567890", "-'.,&!?:"]
        default: nil
        }
    }

    var isRightToLeft: Bool { self == .hebrew || self == .arabic }

    /// Letters of which every title in the script contains one; "" for a layout that is always offered.
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

    /// The pattern of titles in the script, for MPD's filters. It lists letters, because the C library knows no ranges beyond ASCII.
    public var pattern: String? { common.isEmpty ? nil : "[" + common + "]" }

    /// The pattern for titles in any script that has a pattern.
    public static var foreignPattern: String { "[" + allCases.reduce("") { $0 + $1.common } + "]" }
}
