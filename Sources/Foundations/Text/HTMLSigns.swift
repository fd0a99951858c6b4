/// The signs that HTML spells with names (`&eacute;`), those of HTML 4 that texts are written with.
public enum HTMLSigns {
    /// From 160 on, one after the other.
    private static let latin: StaticString = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot \
        cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml \
        Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig \
        agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute \
        ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml
        """
    /// Each with its number.
    private static let others: StaticString = """
        quot 34 amp 38 apos 39 lt 60 gt 62 OElig 338 oelig 339 Scaron 352 scaron 353 Yuml 376 fnof 402 circ 710 tilde 732 ensp 8194 emsp 8195 \
        thinsp 8201 zwnj 8204 zwj 8205 lrm 8206 rlm 8207 ndash 8211 mdash 8212 lsquo 8216 rsquo 8217 sbquo 8218 ldquo 8220 rdquo 8221 \
        bdquo 8222 dagger 8224 Dagger 8225 bull 8226 hellip 8230 permil 8240 prime 8242 Prime 8243 lsaquo 8249 rsaquo 8250 euro 8364 \
        trade 8482 larr 8592 uarr 8593 rarr 8594 darr 8595 harr 8596 minus 8722 infin 8734 asymp 8776 ne 8800 le 8804 ge 8805 hearts 9829 \
        alpha 945 beta 946 gamma 947 delta 948 epsilon 949 lambda 955 mu 956 pi 960 sigma 963 omega 969 Delta 916 Sigma 931 Omega 937
        """

    /// - Parameter name: without ampersand and semicolon.
    public static func scalar(named name: some Collection<UInt8>) -> Unicode.Scalar? {
        if name.isEmpty || name.count > 8 { return nil }
        var number: UInt32 = 160
        for word in words(latin) {
            if word.elementsEqual(name) { return Unicode.Scalar(number) }
            number += 1
        }
        var isFound = false
        for word in words(others) {
            if isFound {
                var value: UInt32 = 0
                for byte in word { value = value * 10 + UInt32(byte - 0x30) }
                return Unicode.Scalar(value)
            }
            isFound = word.elementsEqual(name)
        }
        return nil
    }

    private static func words(_ text: StaticString) -> [Slice<UnsafeBufferPointer<UInt8>>] {
        UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount).split(separator: 0x20)
    }
}
