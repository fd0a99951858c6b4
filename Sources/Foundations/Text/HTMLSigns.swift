// SPDX-License-Identifier: Apache-2.0
/// The character references of HTML: by number (`&#233;`, `&#xE9;`) or by name (`&eacute;`), as in HTML 4.
public enum HTMLSigns {
    /// Returns the number of the character between ampersand and semicolon, which may be outside Unicode. Nil for an unknown reference.
    public static func scalar(_ reference: ArraySlice<UInt8>) -> UInt32? {
        reference.first == UInt8(ascii: "#") ? number(reference.dropFirst()) : scalar(named: reference)
    }

    /// - Parameter digits: decimal digits, or hexadecimal ones after an x. Anything else gives nil; too large a number gives 0x110000.
    public static func number(_ digits: ArraySlice<UInt8>) -> UInt32? {
        let isHexadecimal = digits.first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
        let digits = isHexadecimal ? digits.dropFirst() : digits
        if digits.isEmpty { return nil }
        var value: UInt32 = 0
        for byte in digits {
            let digit: UInt32
            switch byte {
            case 0x30...0x39: digit = UInt32(byte - 0x30)
            case 0x41...0x46 where isHexadecimal: digit = UInt32(byte - 0x37)
            case 0x61...0x66 where isHexadecimal: digit = UInt32(byte - 0x57)
            default: return nil
            }
            value = min(value * (isHexadecimal ? 16 : 10) + digit, 0x11_0000)
        }
        return value
    }

    public static func scalar(named name: ArraySlice<UInt8>) -> UInt32? {
        if let index = index(of: name, in: commonNames) { return UInt32(commonScalars[index]) }
        return index(of: name, in: latinNames).map { 0xA1 + UInt32($0) }
    }

    /// Returns the index among the names between single spaces.
    private static func index(of name: ArraySlice<UInt8>, in names: StaticString) -> Int? {
        names.withUTF8Buffer { names in
            var index = 0
            var start = 0
            while start < names.count {
                let end = names[start...].firstIndex(of: UInt8(ascii: " ")) ?? names.count
                if names[start..<end].elementsEqual(name) { return index }
                start = end + 1
                index += 1
            }
            return nil
        }
    }

    /// The names of U+00A1 to U+00FF, in order.
    private static let latinNames: StaticString = """
        iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para \
        middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave \
        Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc \
        Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute \
        icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml
        """

    /// The other names, most frequent first.
    private static let commonNames: StaticString = """
        amp lt gt quot apos nbsp ndash mdash lsquo rsquo ldquo rdquo hellip OElig oelig Scaron scaron Yuml fnof circ tilde \
        ensp emsp thinsp zwnj zwj lrm rlm sbquo bdquo dagger Dagger bull permil prime Prime lsaquo rsaquo euro trade larr uarr \
        rarr darr harr minus infin asymp ne le ge hearts alpha beta gamma delta epsilon lambda mu pi sigma omega Delta Sigma \
        Omega
        """
    private static let commonScalars: [UInt16] = [
        38, 60, 62, 34, 39, 160, 8211, 8212, 8216, 8217, 8220, 8221, 8230, 338, 339, 352, 353, 376, 402,
        710, 732, 8194, 8195, 8201, 8204, 8205, 8206, 8207, 8218, 8222, 8224, 8225, 8226, 8240, 8242, 8243,
        8249, 8250, 8364, 8482, 8592, 8593, 8594, 8595, 8596, 8722, 8734, 8776, 8800, 8804, 8805, 9829, 945,
        946, 947, 948, 949, 955, 956, 960, 963, 969, 916, 931, 937,
    ]
}
