import Playlists
import Streams

/// Lists of addresses (m3u, pls) that stand where sound was looked for.
enum AddressList {
    /// The first that can be asked for; nil where there is none.
    static func first(in list: [UInt8]) -> String? {
        let isPLS = list.starts(with: "[playlist]".utf8) || list.starts(with: "[Playlist]".utf8)
        var parser = PlaylistParser(isPLS ? .pls : .m3u)
        var text = PlaylistText()
        _ = list.withUnsafeBytes { parser.take($0, into: &text) }
        _ = parser.finish(into: &text)
        for index in 0..<text.count {
            let address = String(decoding: text[index], as: UTF8.self)
            if StreamAddress.problem(address) == nil { return address }
        }
        return nil
    }
}
