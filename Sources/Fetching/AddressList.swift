// SPDX-License-Identifier: Apache-2.0
import Expat
import Playlists
import Streams
import Text

/// Lists of addresses (M3U, PLS, XSPF) found in the place of audio.
enum AddressList {
    static let most = 32

    /// Returns the usable addresses, in their order.
    /// - Parameter base: the address of the list, for relative entries.
    static func addresses(in list: [UInt8], base: String) -> [String] {
        var found: [String] = []
        func take(_ line: [UInt8]) {
            guard found.count < most, let address = RelativeAddress.resolved(line, base: base) else { return }
            found.append(address)
        }
        let opening = BodyOpening(list)
        if opening.isXML {
            let reader = XSPFReader()
            if let stream = try? XMLStream(reader) { try? stream.take(list, isLast: true) }
            for address in reader.addresses { take(address) }
            return found
        }
        var parser = PlaylistParser(opening.isPLS || BodyOpening.isNamed(base, ".pls") ? .pls : .m3u)
        var text = PlaylistText()
        _ = list.withUnsafeBytes { parser.take($0, into: &text) }
        _ = parser.finish(into: &text)
        for index in 0..<min(text.count, 1000) { take(Array(text[index])) }
        return found
    }
}

/// Reads the places of an XSPF list's tracks.
private final class XSPFReader: XMLReader {
    private(set) var addresses: [[UInt8]] = []
    private var names: [Bool] = []
    private var isPlace = false
    private var text: [UInt8] = []
    var refusal: String?

    func begin(_ name: UnsafeBufferPointer<UInt8>, _ attribute: (StaticString) -> [UInt8]?) {
        let isTrack = name.elementsEqual("track".utf8)
        isPlace = names.last == true && name.elementsEqual("location".utf8)
        text = []
        names.append(isTrack)
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        if isPlace { text += bytes.prefix(max(0, StreamAddress.mostBytes + 1 - text.count)) }
    }

    func end() {
        _ = names.popLast()
        if isPlace && addresses.count < AddressList.most {
            addresses.append(TextDecoding.tidied(text, most: StreamAddress.mostBytes + 1))
        }
        isPlace = false
    }
}
