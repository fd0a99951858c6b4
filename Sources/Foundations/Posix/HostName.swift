// SPDX-License-Identifier: Apache-2.0
import CPosix

/// This machine's name.
public enum HostName {
    /// The name; "" if there is none.
    public static var current: String {
        var name = [UInt8](repeating: 0, count: 65)
        let isKnown = name.withUnsafeMutableBytes { bytes in
            gethostname(bytes.bindMemory(to: CChar.self).baseAddress!, bytes.count - 1) == 0
        }
        return isKnown ? String(decoding: name.prefix { $0 != 0 }, as: UTF8.self) : ""
    }
}
