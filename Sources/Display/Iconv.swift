// SPDX-License-Identifier: Apache-2.0
import CPosix

/// glibc's transliteration. It depends on the calling thread's LC_CTYPE, which is "C" in this process, so the thread uses C.UTF-8 during
/// the call. Both are opened at the first character that needs them, since mapping the locale costs memory. One thread at a time.
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

    /// Returns the spelling of a character; nil if glibc has none, or the system lacks C.UTF-8.
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
                // A failed conversion leaves no state between UTF-8 and ASCII; a reset costs nothing.
                _ = iconv(converter, nil, nil, nil, nil)
                return iconv(converter, &from, &inputLeft, &to, &outputLeft) == -1
            }
        }
        output.removeLast(outputLeft)
        // "?" means that it knows no spelling.
        if failed || output.contains(UInt8(ascii: "?")) || output.contains(where: { $0 < 0x20 || $0 > 0x7E }) {
            return nil
        }
        return output
    }
}
