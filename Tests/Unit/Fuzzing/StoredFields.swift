// SPDX-License-Identifier: Apache-2.0
/// A file with its fields as bytes: so the ordinary build, which has encoders and writers of all formats, hands them to the program that is
/// compiled as the one that ships. A line `KIND plain|ogg`, a line for each field, an empty one, and then the file.
extension FieldFile {
    func stored(_ kind: String) -> [UInt8] {
        var text = kind + (isOgg ? " ogg\n" : " plain\n")
        for field in fields {
            switch field {
            case .big(let at, let bytes): text += "big \(at) \(bytes)\n"
            case .little(let at, let bytes): text += "little \(at) \(bytes)\n"
            case .synchsafe(let at): text += "synchsafe \(at) 4\n"
            case .digits(let range): text += "digits \(range.lowerBound) \(range.upperBound)\n"
            }
        }
        return Array((text + "\n").utf8) + bytes
    }

    /// Nil for what is none.
    public static func read(stored: [UInt8]) -> (kind: String, file: FieldFile)? {
        var kind = ""
        var isOgg = false
        var fields: [Field] = []
        var at = 0
        while let end = stored[at...].firstIndex(of: 0x0A) {
            let words = stored[at..<end].split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
            at = end + 1
            if words.isEmpty {
                return fields.isEmpty ? nil : (kind, FieldFile(Array(stored[at...]), fields, isOgg: isOgg))
            }
            if kind.isEmpty {
                kind = words[0]
                isOgg = words.count > 1 && words[1].utf8.elementsEqual("ogg".utf8)
                continue
            }
            guard words.count == 3, let first = Int(words[1]), let second = Int(words[2]) else { return nil }
            switch words[0].utf8.first {
            case UInt8(ascii: "b"): fields.append(.big(at: first, bytes: second))
            case UInt8(ascii: "l"): fields.append(.little(at: first, bytes: second))
            case UInt8(ascii: "s"): fields.append(.synchsafe(at: first))
            default: fields.append(.digits(first..<second))
            }
        }
        return nil
    }
}
