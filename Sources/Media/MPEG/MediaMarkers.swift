// SPDX-License-Identifier: Apache-2.0
import Text

/// Chapters in OverDrive's library books: an XML text in a TXXX frame, `<Markers><Marker><Name>Chapter
/// One</Name><Time>0:06.000</Time></Marker>…`.
///
/// A continued chapter appears again, indented or with a time in brackets, and begins no new chapter. Neither does "… (continued)", which
/// continues one from the file before.
struct MediaMarkers {
    private var list = ChapterList()
    private var last: [UInt8]?

    /// - Parameter text: UTF-8 of any length; it is read once.
    static func chapters(_ text: [UInt8]) -> [Chapter] {
        var markers = MediaMarkers()
        var name: [UInt8] = []
        var time: Int?
        var at = 0
        while at < text.count, let open = text[at...].firstIndex(of: UInt8(ascii: "<")),
            let close = text[open...].firstIndex(of: UInt8(ascii: ">"))
        {
            let end = text[close...].firstIndex(of: UInt8(ascii: "<")) ?? text.count
            let value = text[(close + 1)..<end]
            let element = text[(open + 1)..<close].prefix(8).map { $0.isLetter ? $0 | 0x20 : $0 }
            switch String(decoding: element, as: UTF8.self) {
            case "name": name = unescaped(value)
            case "time": time = Chapter.milliseconds(Array(value))
            case "marker": (name, time) = ([], nil)
            case "/marker": if let time { markers.add(time, name) }
            default: break
            }
            at = end
        }
        return markers.list.sorted()
    }

    private mutating func add(_ milliseconds: Int, _ name: [UInt8]) {
        let isIndented = name.first?.isSpace ?? false
        let bare = trimmed(name[...])
        var base = bare
        var isContinued = false
        if bare.last == UInt8(ascii: ")"), let open = bare.lastIndex(of: UInt8(ascii: "(")) {
            let within = Array(bare[(open + 1)...].dropLast())
            isContinued = within.map { $0 | 0x20 }.elementsEqual("continued".utf8)
            if isContinued || Chapter.milliseconds(within, leastParts: 2) != nil { base = trimmed(bare[..<open]) }
        }
        let isMarked = isIndented || base.count < bare.count
        if isContinued && last == nil || isMarked && last.map({ $0.elementsEqual(base) }) == true {
            last = Array(base)
            return
        }
        last = Array(base)
        list.add(milliseconds, Array(base))
    }

    private func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var text = text.drop { $0.isSpace }
        while text.last?.isSpace == true { text.removeLast() }
        return text
    }

    static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var plain: [UInt8] = []
        var at = text.startIndex
        while at < text.endIndex {
            if text[at] == UInt8(ascii: "&"), let end = text[at...].prefix(12).firstIndex(of: UInt8(ascii: ";")),
                end > at + 1,
                let scalar = HTMLSigns.scalar(text[(at + 1)..<end])
            {
                plain.appendUTF8(scalar)
                at = end + 1
            } else {
                plain.append(text[at])
                at += 1
            }
        }
        return plain
    }
}
