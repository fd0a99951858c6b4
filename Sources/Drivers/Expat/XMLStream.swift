// SPDX-License-Identifier: Apache-2.0
import CExpat
import Posix

/// The reason why a text cannot be read as XML, in words for people.
public struct XMLError: Error, Equatable {
    public let message: String

    public init(message: String) { self.message = message }
}

/// Receives the parts of an XML text in their order. The arguments are valid only during the call.
public protocol XMLReader: AnyObject {
    /// - Parameter attribute: returns an attribute's value by its name, ignoring case.
    func begin(_ name: UnsafeBufferPointer<UInt8>, _ attribute: (StaticString) -> [UInt8]?)
    func end()
    /// Receives UTF-8 text, in pieces of any size.
    func text(_ bytes: UnsafeBufferPointer<UInt8>)
    /// The reason to stop reading; nil to continue. Checked after each piece of a few kilobytes.
    var refusal: String? { get }
}

/// Reads XML in pieces of any size, so that memory does not depend on its length. One thread. It repairs some errors (`XMLTidying`), and
/// supports any encoding of the C library.
///
/// It refuses entity declarations, so that a short text cannot become a huge one, and never reads a file that a text names. The depth of
/// elements is limited. The longest name or attribute, 1 MB, limits expat's memory.
public final class XMLStream {
    /// The greatest depth of elements. A feed has 6.
    public static let mostLevels = 64
    /// The most bytes without the end of a token (a name, an attribute).
    private static let mostTokenBytes = 1 << 20

    private let table: UnsafeMutablePointer<ns_expat_table>
    private let parser: ns_expat_parser
    private let reader: any XMLReader
    private var level = 0
    /// The number of bytes since the last report to the reader.
    private var silentBytes = 0
    private var problem: String?
    /// The beginning, kept until the encoding is known.
    private var head: [UInt8] = []
    private var isDecoding = false
    private var encoding: XMLEncoding?
    private var tidying = XMLTidying()

    /// - Throws: if expat cannot be loaded.
    public init(_ reader: any XMLReader) throws(XMLError) {
        let table = UnsafeMutablePointer<ns_expat_table>.allocate(capacity: 1)
        table.initialize(to: ns_expat_table())
        if let missing = ns_expat_load(table) {
            let words = String(cString: missing)
            table.deallocate()
            throw XMLError(message: "libexpat cannot be used (apt install libexpat1): " + words)
        }
        guard let parser = table.pointee.XML_ParserCreate("UTF-8") else {
            table.deallocate()
            throw XMLError(message: "no memory")
        }
        self.table = table
        self.parser = parser
        self.reader = reader
        table.pointee.XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        table.pointee.XML_SetElementHandler(
            parser,
            { context, name, attributes in
                XMLStream.of(context).begin(name, attributes)
            },
            { context, _ in XMLStream.of(context).end() })
        table.pointee.XML_SetCharacterDataHandler(parser) { context, bytes, count in
            guard let bytes, count > 0 else { return }
            XMLStream.of(context).text(
                UnsafeBufferPointer(
                    start: UnsafeRawPointer(bytes).assumingMemoryBound(to: UInt8.self), count: Int(count)))
        }
        table.pointee.XML_SetEntityDeclHandler(parser) { context, _, _, _, _, _, _, _, _ in
            XMLStream.of(context).stop("it declares entities, which no feed needs")
        }
    }

    deinit {
        table.pointee.XML_ParserFree(parser)
        table.deallocate()
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> XMLStream {
        Unmanaged<XMLStream>.fromOpaque(context!).takeUnretainedValue()
    }

    /// Takes the next piece.
    /// - Parameter isLast: true if nothing follows.
    public func take(_ bytes: UnsafeRawBufferPointer, isLast: Bool = false) throws(XMLError) {
        if let problem { throw XMLError(message: problem) }
        silentBytes += bytes.count
        var text: [UInt8] = []
        do throws(XMLError) { try decode(bytes, isLast, into: &text) } catch {
            problem = error.message
            throw error
        }
        if text.isEmpty && !isLast { return }
        var tidied: [UInt8] = []
        tidied.reserveCapacity(text.count + 16)
        tidying.take(text, into: &tidied)
        if isLast { tidying.finish(into: &tidied) }
        let code = tidied.withUnsafeBytes {
            table.pointee.XML_Parse(
                parser, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: $0.count), isLast ? 1 : 0)
        }
        if problem == nil { problem = reader.refusal }
        if problem == nil && silentBytes > XMLStream.mostTokenBytes {
            problem = "a name or an attribute without an end"
        }
        if let problem { throw XMLError(message: problem) }
        if code != 0 { return }
        let words = table.pointee.XML_ErrorString(table.pointee.XML_GetErrorCode(parser)).map { String(cString: $0) }
        let message = "line \(table.pointee.XML_GetCurrentLineNumber(parser)): \(words ?? "no XML")"
        problem = message
        throw XMLError(message: message)
    }

    /// Appends the piece as UTF-8, once the encoding is known.
    private func decode(_ bytes: UnsafeRawBufferPointer, _ isLast: Bool, into text: inout [UInt8]) throws(XMLError) {
        if !isDecoding {
            head += bytes
            let hasName = head.contains(UInt8(ascii: ">")) && head.count >= 4
            if !hasName && head.count < XMLEncoding.headBytes && !isLast { return }
            encoding = try XMLEncoding(head)
            isDecoding = true
            let isMarked = head.starts(with: [0xEF, 0xBB, 0xBF])
            let all = isMarked ? Array(head.dropFirst(3)) : head
            head = []
            all.withUnsafeBytes { encoding?.take($0, into: &text) }
        } else {
            encoding?.take(bytes, into: &text)
        }
        if isLast { encoding?.finish(into: &text) }
    }

    /// True if something was repaired.
    public var hasMended: Bool { tidying.hasMended }

    /// Takes an array; the errors of a closure have no type.
    public func take(_ bytes: [UInt8], isLast: Bool = false) throws(XMLError) {
        var failure: XMLError?
        bytes.withUnsafeBytes { raw in
            do throws(XMLError) { try take(raw, isLast: isLast) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    private func begin(_ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
        silentBytes = 0
        level += 1
        if level > XMLStream.mostLevels {
            return stop("elements within each other more than \(XMLStream.mostLevels) deep")
        }
        guard let name, problem == nil else { return }
        reader.begin(XMLStream.bytes(name)) { wanted in
            var at = 0
            while let key = attributes?[at] {
                if wanted.withUTF8Buffer({ XMLStream.bytes(key).elementsEqual($0) { $0.lowerCase == $1.lowerCase } }) {
                    return attributes?[at + 1].map { Array(XMLStream.bytes($0)) }
                }
                at += 2
            }
            return nil
        }
    }

    private func end() {
        silentBytes = 0
        level -= 1
        if problem == nil { reader.end() }
    }

    private func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        silentBytes = 0
        if problem == nil { reader.text(bytes) }
    }

    private func stop(_ reason: String) {
        if problem == nil { problem = reason }
        _ = table.pointee.XML_StopParser(parser, 0)
    }

    private static func bytes(_ text: UnsafePointer<CChar>) -> UnsafeBufferPointer<UInt8> {
        var count = 0
        while text[count] != 0 { count += 1 }
        return UnsafeBufferPointer(start: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self), count: count)
    }
}
