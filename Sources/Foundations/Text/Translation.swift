// SPDX-License-Identifier: Apache-2.0
import CPosix
import Synchronization

/// Translates texts by gettext. A text in the source is English, and the key of its translations.
public enum Translation {
    /// The words of one language. They stay loaded, since another thread may read them.
    public struct Words: @unchecked Sendable {
        fileprivate let locale: locale_t

        /// Loads the words. Waits for a disk; one thread at a time. Returns nil if there are none.
        /// - Parameters:
        ///   - language: the language, such as "de" or "pt_BR", which falls back to "pt".
        ///   - folder: the folder with LANGUAGE/LC_MESSAGES/nightstand.mo, and beside each the C library's files that make it a locale.
        public init?(_ language: String, folder: String) {
            guard let locale = ns_language(language, folder) else { return nil }
            self.locale = locale
        }
    }

    /// The words in use; 0 for English.
    private static let spoken = Atomic<UInt>(0)
    private static var language: locale_t? { locale_t(bitPattern: spoken.load(ordering: .acquiring)) }

    /// Prepares the translation. Call it once, before there is a second thread.
    public static func prepare() { ns_prepare_languages() }

    /// Switches to a language.
    /// - Parameter words: nil for English.
    public static func speak(_ words: Words?) {
        spoken.store(words.map { UInt(bitPattern: $0.locale) } ?? 0, ordering: .releasing)
    }

    @inline(__always) fileprivate static var isOn: Bool { language != nil }

    /// - Parameter count: the number that chooses the plural form.
    fileprivate static func find(_ text: String, plural: String = "", count: UInt? = nil) -> String {
        text.withCString { one in
            guard let count else { return String(cString: ns_translated(language, one)) }
            return plural.withCString { String(cString: ns_translated_plural(language, one, $0, count)) }
        }
    }
}

/// Returns the translation of a text; for English at once the text itself.
public func translated(_ text: String) -> String { Translation.isOn ? Translation.find(text) : text }

/// Returns the translation of a text with several meanings.
/// - Parameter context: tells equal texts apart, for the translators.
public func translated(_ text: String, as context: String) -> String {
    if !Translation.isOn { return text }
    // gettext joins both in one key in this way.
    let key = context + "\u{4}" + text
    let found = Translation.find(key)
    return found == key ? text : found
}

/// Returns the translation of a text with values at `%1` and `%2`, which a language may swap.
public func translated(_ text: String, _ first: String, _ second: String = "") -> String {
    filled(translated(text), first, second)
}

/// Returns "%1 minute" or "%1 minutes", or the language's own plural form.
/// - Parameter count: the number, 0 or more.
public func translated(_ one: String, plural: String, _ count: Int64) -> String {
    let text =
        Translation.isOn
        ? Translation.find(one, plural: plural, count: UInt(clamping: count)) : count == 1 ? one : plural
    return filled(text, "\(count)", "")
}

/// Returns a number such as "0.4" with the language's decimal sign.
public func withDecimalSign(_ number: String) -> String {
    if !Translation.isOn { return number }
    let parts = number.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1).map {
        String(decoding: $0, as: UTF8.self)
    }
    return parts.count == 2 ? parts[0] + translated(".", as: "decimal sign") + parts[1] : number
}

/// Returns a number such as "1,204" with the language's thousands separator.
/// - Parameter number: the number, 0 or more.
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
