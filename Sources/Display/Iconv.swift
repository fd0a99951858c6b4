// SPDX-License-Identifier: Apache-2.0
import CPosix

/// glibc's transliteration. It works by the LC_CTYPE of the calling thread, which stays "C" in this process: only for the
/// call itself the thread borrows C.UTF-8. Both are opened at the first character that nothing else could spell, since
/// mapping the locale costs memory that most boards need not pay. One thread at a time.
final class Iconv {
    private var isOpen = false
    private var converter: iconv_t?
    private var locale: locale_t?

    deinit {
        if let converter { iconv_close(converter) }
        if let locale { freelocale(locale) }
    }

    private func open() {
        isOpen = true
        locale = newlocale(Int32(LC_CTYPE_MASK), "C.UTF-8", nil)
        let opened = iconv_open("ASCII//TRANSLIT", "UTF-8")
        if opened != iconv_t(bitPattern: -1) { converter = opened }
    }

    /// nil if glibc has no spelling either, or the system lacks C.UTF-8.
    func ascii(of scalar: Unicode.Scalar) -> [UInt8]? {
        if !isOpen { open() }
        guard let converter, let locale else { return nil }
        let before = uselocale(locale)
        defer { _ = uselocale(before) }

        var input = Array(String(Character(scalar)).utf8)
        var output = [UInt8](repeating: 0, count: 32)
        var inputLeft = input.count
        var outputLeft = output.count
        let failed = input.withUnsafeMutableBytes { input in
            output.withUnsafeMutableBytes { output in
                var from = input.baseAddress?.assumingMemoryBound(to: CChar.self)
                var to = output.baseAddress?.assumingMemoryBound(to: CChar.self)
                // A failed conversion leaves no state behind between UTF-8 and ASCII; reset all the same, it is free.
                _ = iconv(converter, nil, nil, nil, nil)
                return iconv(converter, &from, &inputLeft, &to, &outputLeft) == -1
            }
        }
        output.removeLast(outputLeft)
        // "?" is how it says that it knows no spelling.
        if failed || output.contains(UInt8(ascii: "?")) || output.contains(where: { $0 < 0x20 || $0 > 0x7E }) {
            return nil
        }
        return output
    }
}
