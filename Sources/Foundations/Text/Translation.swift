// SPDX-License-Identifier: Apache-2.0
import CPosix
import Synchronization

/// Words in people's language, by gettext. A text in the source is English, and the key of its translations.
public enum Translation {
    /// Those of one language. They stay, once they were found: another thread may be reading them.
    public struct Words: @unchecked Sendable {
        fileprivate let locale: locale_t

        /// Waits for a disk; one thread at a time. Nil where there are none.
        /// - Parameters:
        ///   - language: such as "de" or "pt_BR", which takes those of "pt" where it has none of its own.
        ///   - folder: with LANGUAGE/LC_MESSAGES/nightstand.mo, and beside each the C library's own words that make it a locale.
        public init?(_ language: String, folder: String) {
            guard let locale = ns_language(language, folder) else { return nil }
            self.locale = locale
        }
    }

    /// 0 for English.
    private static let spoken = Atomic<UInt>(0)
    private static var language: locale_t? { locale_t(bitPattern: spoken.load(ordering: .acquiring)) }

    /// Once, before there is a second thread.
    public static func prepare() { ns_prepare_languages() }

    /// Says it in a language from here on.
    /// - Parameter words: nil for English.
    public static func speak(_ words: Words?) {
        spoken.store(words.map { UInt(bitPattern: $0.locale) } ?? 0, ordering: .releasing)
    }

    @inline(__always) fileprivate static var isOn: Bool { language != nil }

    /// - Parameter count: with it the form that the language has for so many.
    fileprivate static func find(_ text: String, plural: String = "", count: UInt? = nil) -> String {
        text.withCString { one in
            guard let count else { return String(cString: ns_translated(language, one)) }
            return plural.withCString { String(cString: ns_translated_plural(language, one, $0, count)) }
        }
    }
}

/// A text in people's language; at once itself where that is English.
public func translated(_ text: String) -> String { Translation.isOn ? Translation.find(text) : text }

/// The same of a text that means several things.
/// - Parameter context: tells equal texts apart, for the translators.
public func translated(_ text: String, as context: String) -> String {
    if !Translation.isOn { return text }
    // So gettext keeps both in one key.
    let key = context + "\u{4}" + text
    let found = Translation.find(key)
    return found == key ? text : found
}

/// A text with values in it, at `%1` and `%2`: a language may have them in another order.
public func translated(_ text: String, _ first: String, _ second: String = "") -> String {
    filled(translated(text), first, second)
}

/// "%1 minute" or "%1 minutes", whichever the language has for so many.
/// - Parameter count: 0 or more.
public func translated(_ one: String, plural: String, _ count: Int64) -> String {
    let text =
        Translation.isOn
        ? Translation.find(one, plural: plural, count: UInt(clamping: count)) : count == 1 ? one : plural
    return filled(text, "\(count)", "")
}

/// "0.4" with the sign that the language has before decimals.
public func withDecimalSign(_ number: String) -> String {
    if !Translation.isOn { return number }
    let parts = number.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1).map {
        String(decoding: $0, as: UTF8.self)
    }
    return parts.count == 2 ? parts[0] + translated(".", as: "decimal sign") + parts[1] : number
}

/// "1,204", with the sign that the language has between thousands.
/// - Parameter number: 0 or more.
public func grouped(_ number: Int) -> String {
    let digits = Array(String(max(0, number)).utf8)
    let sign = translated(",", as: "sign between thousands")
    var text: [UInt8] = []
    for (index, digit) in digits.enumerated() {
        if index > 0 && (digits.count - index) % 3 == 0 { text.append(contentsOf: sign.utf8) }
        text.append(digit)
    }
    return String(decoding: text, as: UTF8.self)
}

private func filled(_ text: String, _ first: String, _ second: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + first.utf8.count + second.utf8.count)
    var isSign = false
    for byte in text.utf8 {
        if isSign && (byte == UInt8(ascii: "1") || byte == UInt8(ascii: "2")) {
            bytes.removeLast()
            bytes.append(contentsOf: byte == UInt8(ascii: "1") ? first.utf8 : second.utf8)
            isSign = false
        } else {
            bytes.append(byte)
            isSign = byte == UInt8(ascii: "%")
        }
    }
    return String(decoding: bytes, as: UTF8.self)
}
