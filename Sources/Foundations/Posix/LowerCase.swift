// SPDX-License-Identifier: Apache-2.0
import CPosix

extension String {
    /// The lower case, letter by letter, by towlower(3). The standard library's `lowercased()` would add its tables to the binary (17 KB).
    /// Any thread but the audio thread.
    @inline(never)
    public var lowerCase: String {
        if utf8.allSatisfy({ $0 < 0x80 }) {
            return String(decoding: utf8.map { $0.lowerCase }, as: UTF8.self)
        }
        var lower = ""
        for scalar in unicodeScalars {
            let small = ns_lower_case(scalar.value)
            lower.unicodeScalars.append(Unicode.Scalar(small) ?? scalar)
        }
        return lower
    }
}
