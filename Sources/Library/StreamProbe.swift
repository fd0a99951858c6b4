import CXXHash
import Core
import Media
import Posix

extension Probe {
    /// Of what is known by its address alone. No file has audio of no length: the two never meet.
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
        tags.append(.title, shown.pathName.isEmpty ? shown : shown.pathName)
    }
}
