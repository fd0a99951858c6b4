// SPDX-License-Identifier: Apache-2.0
import CXXHash
import Core
import Media
import Model
import Posix

extension Probe {
    /// Makes the identity of a stream from its address. No file has audio of length 0, so streams and files never share one.
    public init(stream address: String) {
        let bytes = Array(address.utf8)
        let hash = bytes.withUnsafeBytes { ns_xxh64($0.baseAddress, $0.count, 0) }
        self.init(
            identity: ContentIdentity(hash: hash, audioBytes: 0), path: address, fileBytes: 0, fileModifiedSeconds: 0)
        var name = bytes[...]
        if let end = name.firstIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) {
            name = name[..<end]
        }
        let shown = String(decoding: name, as: UTF8.self)
        tags.append(.title, shown.pathName.isEmpty ? shown : Probe.spelled(shown.pathName))
    }

    /// Decodes the percent escapes of a name (RFC 3986, section 2.1). Returns it unchanged if the result is no text.
    private static func spelled(_ name: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(name.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                return name
            }
            if code < 0x20 || code == 0x7F { return name }
            bytes.append(code)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self) ?? name
    }
}
