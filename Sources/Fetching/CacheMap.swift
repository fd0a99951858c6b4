import Posix

/// What is known of one cache file: which recording it holds, and how much of it. The file is written from its start on, so that one number
/// says what is there. As text, a line each, for whoever looks into the folder.
public struct CacheMap: Equatable, Sendable {
    /// The address that was asked for.
    public var address: String
    /// Where its redirections led to.
    public var finalAddress = ""
    /// That never stands for other bytes; "" where the server gives none.
    public var strongTag = ""
    /// Of the whole; nil where the server does not say.
    public var length: Int64?
    /// Bytes that are there.
    public var front: Int64 = 0
    /// Nothing is missing.
    public var isWhole = false

    private static let firstLine = "nightstand stream 1"
    static let mostBytes = 8192

    public init(address: String) { self.address = address }

    public var bytes: [UInt8] {
        var text = CacheMap.firstLine + "\naddress " + address + "\nfinal " + finalAddress + "\ntag " + strongTag
        if let length { text += "\nlength \(length)" }
        text += "\nfront \(front)\nwhole \(isWhole ? 1 : 0)\n"
        return Array(text.utf8)
    }

    /// nil where it is damaged, or of another version.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count <= CacheMap.mostBytes, bytes.last == 0x0A else { return nil }
        let lines = bytes.split(separator: 0x0A)
        guard let first = lines.first, first.elementsEqual(CacheMap.firstLine.utf8) else { return nil }
        address = ""
        var hasEnd = false
        for line in lines.dropFirst() {
            let name = line.prefix { $0 != 0x20 }
            let value = line.dropFirst(name.count + 1)
            func isNamed(_ other: StaticString) -> Bool { other.withUTF8Buffer { name.elementsEqual($0) } }
            if isNamed("address") { address = String(decoding: value, as: UTF8.self) }
            if isNamed("final") { finalAddress = String(decoding: value, as: UTF8.self) }
            if isNamed("tag") { strongTag = String(decoding: value, as: UTF8.self) }
            if isNamed("length") {
                guard let number = ResponseHead.number(value) else { return nil }
                length = number
            }
            if isNamed("front") {
                guard let number = ResponseHead.number(value) else { return nil }
                front = number
            }
            if isNamed("whole") {
                isWhole = value.elementsEqual([UInt8(ascii: "1")])
                hasEnd = true
            }
        }
        guard hasEnd, !address.isEmpty else { return nil }
        if let length, front > length { return nil }
        if isWhole, let length, front != length { return nil }
    }
}
