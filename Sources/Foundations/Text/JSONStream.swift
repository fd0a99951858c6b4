// SPDX-License-Identifier: Apache-2.0
import CPosix

/// The reason for giving up a JSON text: a fault in it, or its reader's decision.
public struct JSONError: Error, Equatable {
    public let message: String

    public init(message: String) { self.message = message }
}

/// Receives the parts of a JSON text in their order.
public protocol JSONReader: AnyObject {
    func begin(isList: Bool) throws(JSONError)
    func end() throws(JSONError)
    /// Receives the name of the next value in an object.
    func name(_ bytes: [UInt8]) throws(JSONError)
    /// Receives a text without escapes, in the file's encoding.
    func text(_ bytes: [UInt8]) throws(JSONError)
    func number(_ value: Double) throws(JSONError)
    /// Receives true or false.
    func truth(_ value: Bool) throws(JSONError)
}

/// Reads JSON byte by byte, so that memory does not depend on the size of a file. SQLite's JSON functions need the whole text, and took 636
/// MB for a file of 16 MB.
///
/// Accepts some forbidden JSON that programs write: `NaN` and `Infinity`, and control characters in texts.
public struct JSONStream {
    public init() {}

    /// The greatest depth. Transcripts have 5.
    static let mostLevels = 50
    /// The greatest length of a text; the rest is dropped.
    static let mostTextBytes = 16_384
    private static let mostNumberBytes = 64

    private enum Expectation { case value, valueOrEnd, name, nameOrEnd, colon, commaOrEnd, nothing }
    private enum Place { case between, text, escape, escapedScalar, word }

    /// True for each enclosing list, false for each enclosing object.
    private var isList: [Bool] = []
    private var expects = Expectation.value
    private var place = Place.between
    /// The text, name, number or word read so far.
    private var token: [UInt8] = []
    private var digits = 0
    private var scalar: UInt32 = 0
    /// The first half of a pair of \u escapes.
    private var highSurrogate: UInt32?

    public mutating func take(_ bytes: [UInt8], _ reader: any JSONReader) throws(JSONError) {
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch place {
            case .text:
                try takeText(byte, reader)
            case .escape:
                takeEscape(byte)
            case .escapedScalar:
                // A non-digit ends the number, and is read again.
                if !takeDigit(byte) { index -= 1 }
            case .word:
                if byte.isLetter || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
                    || byte == UInt8(ascii: ".")
                {
                    if token.count < JSONStream.mostNumberBytes { token.append(byte) }
                } else {
                    place = .between
                    try endWord(reader)
                    index -= 1
                }
            case .between:
                try takeBetween(byte, reader)
            }
        }
    }

    /// Ends the text.
    public mutating func finish(_ reader: any JSONReader) throws(JSONError) {
        if place == .word {
            place = .between
            try endWord(reader)
        }
        if place != .between || expects != .nothing { throw malformed }
    }

    private var malformed: JSONError { JSONError(message: "malformed JSON, or cut off") }

    // MARK: Structure

    private mutating func takeBetween(_ byte: UInt8, _ reader: any JSONReader) throws(JSONError) {
        switch byte {
        // Control characters between values are white space too.
        case 0...0x20: return
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard expects == .value || expects == .valueOrEnd else { throw malformed }
            if isList.count == JSONStream.mostLevels {
                throw JSONError(message: "malformed JSON: nested too deeply")
            }
            let isList = byte == UInt8(ascii: "[")
            self.isList.append(isList)
            expects = isList ? .valueOrEnd : .nameOrEnd
            try reader.begin(isList: isList)
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            let endsList = byte == UInt8(ascii: "]")
            guard isList.last == endsList, expects == .commaOrEnd || expects == (endsList ? .valueOrEnd : .nameOrEnd)
            else { throw malformed }
            isList.removeLast()
            try reader.end()
            expectAfterValue()
        case UInt8(ascii: ","):
            guard expects == .commaOrEnd, let isList = isList.last else { throw malformed }
            expects = isList ? .value : .name
        case UInt8(ascii: ":"):
            guard expects == .colon else { throw malformed }
            expects = .value
        case UInt8(ascii: "\""):
            guard expects != .colon, expects != .commaOrEnd, expects != .nothing else { throw malformed }
            token.removeAll(keepingCapacity: true)
            place = .text
        default:
            guard expects == .value || expects == .valueOrEnd else { throw malformed }
            token.removeAll(keepingCapacity: true)
            token.append(byte)
            place = .word
        }
    }

    private mutating func expectAfterValue() { expects = isList.isEmpty ? .nothing : .commaOrEnd }

    // MARK: Words

    private mutating func endWord(_ reader: any JSONReader) throws(JSONError) {
        expectAfterValue()
        if token.elementsEqual("true".utf8) { return try reader.truth(true) }
        if token.elementsEqual("false".utf8) { return try reader.truth(false) }
        for word in ["null", "NaN", "Infinity", "-Infinity"] where token.elementsEqual(word.utf8) {
            return
        }
        guard let value = JSONStream.number(token) else { throw malformed }
        try reader.number(value)
    }

    /// Returns a decimal number; nil for anything else.
    public static func number(_ bytes: [UInt8]) -> Double? {
        guard let last = bytes.last, last.isDigit || last == UInt8(ascii: "."), bytes.count <= mostNumberBytes,
            bytes.allSatisfy({
                $0.isDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+")
                    || $0 | 0x20 == UInt8(ascii: "e")
            })
        else { return nil }
        return (bytes + [0]).withUnsafeBytes { bytes in
            let start = bytes.baseAddress!.assumingMemoryBound(to: CChar.self)
            var end: UnsafeMutablePointer<CChar>?
            let value = strtod(start, &end)
            return end.map { UnsafePointer($0) } == start + bytes.count - 1 ? value : nil
        }
    }

    // MARK: Texts

    private mutating func takeText(_ byte: UInt8, _ reader: any JSONReader) throws(JSONError) {
        switch byte {
        case UInt8(ascii: "\\"):
            place = .escape
        case UInt8(ascii: "\""):
            endPair()
            place = .between
            if expects == .name || expects == .nameOrEnd {
                expects = .colon
                try reader.name(token)
            } else {
                expectAfterValue()
                try reader.text(token)
            }
        default:
            append(byte < 0x20 ? 0x20 : byte)
        }
    }

    private mutating func append(_ byte: UInt8) {
        endPair()
        if token.count < JSONStream.mostTextBytes { token.append(byte) }
    }

    private mutating func append(scalar: UInt32) {
        if token.count < JSONStream.mostTextBytes { token.appendUTF8(scalar) }
    }

    private mutating func takeEscape(_ byte: UInt8) {
        place = .text
        switch byte {
        case UInt8(ascii: "u"):
            place = .escapedScalar
            digits = 0
            scalar = 0
        case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "b"), UInt8(ascii: "f"): append(0x0A)
        case 0..<0x20:
            // A backslash before a control character stands for itself.
            append(UInt8(ascii: "\\"))
            append(0x20)
        default: append(byte)
        }
    }

    /// Returns false if the byte is no digit.
    private mutating func takeDigit(_ byte: UInt8) -> Bool {
        let letter = byte | 0x20
        let isHexadecimal = byte.isDigit || (letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "f"))
        if isHexadecimal {
            scalar = scalar << 4 | UInt32(byte.isDigit ? byte - 0x30 : letter - UInt8(ascii: "a") + 10)
            digits += 1
            if digits < 4 { return true }
        }
        place = .text
        if let high = highSurrogate, scalar & 0xFC00 == 0xDC00 {
            highSurrogate = nil
            append(scalar: 0x10000 + (high & 0x3FF) << 10 + scalar & 0x3FF)
        } else {
            endPair()
            if scalar & 0xFC00 == 0xD800 { highSurrogate = scalar } else { append(scalar: scalar) }
        }
        return isHexadecimal
    }

    /// Ends a surrogate pair: a first half without a second is no character.
    private mutating func endPair() {
        if highSurrogate == nil { return }
        highSurrogate = nil
        append(scalar: 0xFFFD)
    }
}
