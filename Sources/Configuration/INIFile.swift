import CIni
import Posix

/// inih, fed line by line, so that every entry and error has the number of its line.
enum INIFile {
    enum Content: Equatable {
        /// `[section]`.
        case section
        case value(key: String, String)
    }

    struct Entry {
        let section: String
        let content: Content
        let line: Int
    }

    /// What the callbacks share. inih runs on the caller's stack and is done before `entries` returns.
    private final class Source {
        let bytes: [UInt8]
        var position = 0
        /// The file's line that was handed out last.
        var line = 0
        /// The file's line for each line that inih was given.
        var lines: [Int] = []
        var sectionIsDue = false
        var entries: [Entry] = []
        var problem: (line: Int, text: String)?

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        /// Copies the next line into inih's buffer; false at the end, and where the line cannot be handed out.
        func next(into buffer: UnsafeMutablePointer<CChar>, capacity: Int) -> Bool {
            guard problem == nil else { return false }
            if sectionIsDue {
                // inih tells of a section only with its keys. This makes a key, and one that no text file can hold.
                sectionIsDue = false
                return hand([INIFile.sectionMark, UInt8(ascii: "=")], into: buffer)
            }
            guard position < bytes.count else { return false }
            let end = bytes[position...].firstIndex(of: 0x0A) ?? bytes.count
            var text = bytes[position..<end]
            position = end + 1
            line += 1
            if line == 1 && text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
            // Indented lines would continue the value before them.
            text = text.drop { $0 == 0x20 || $0 == 0x09 }
            while let last = text.last, last == 0x20 || last == 0x09 || last == 0x0D { text.removeLast() }
            if text.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) || !isUTF8(text) {
                return refuse("a byte that is no text, expected a plain text file in UTF-8")
            }
            let first = text.first
            if first == UInt8(ascii: "#") || first == UInt8(ascii: ";") { text = [] }
            // inih adds line feed and terminator, and takes a full buffer for the piece of a line.
            if text.count > capacity - 3 {
                return refuse("a line of \(text.count) bytes, expected at most \(capacity - 3)")
            }
            if first == UInt8(ascii: "[") {
                guard let close = text.firstIndex(of: UInt8(ascii: "]")) else {
                    return refuse("a section without ']', expected [section]")
                }
                let rest = text[(close + 1)...].first { $0 != 0x20 && $0 != 0x09 }
                if let rest, rest != UInt8(ascii: "#"), rest != UInt8(ascii: ";") {
                    return refuse("text after ']', expected [section] on a line of its own")
                }
                sectionIsDue = true
            }
            return hand(text, into: buffer)
        }

        private func hand(_ text: some Collection<UInt8>, into buffer: UnsafeMutablePointer<CChar>) -> Bool {
            var count = 0
            for byte in text {
                buffer[count] = CChar(bitPattern: byte)
                count += 1
            }
            buffer[count] = 0x0A
            buffer[count + 1] = 0
            lines.append(line)
            return true
        }

        private func refuse(_ text: String) -> Bool {
            problem = (line, text)
            return false
        }
    }

    private static let sectionMark: UInt8 = 1

    /// The file's entries in order. Throws at the first line that is not INI.
    static func entries(of bytes: [UInt8], file: String) throws(ConfigurationError) -> [Entry] {
        let source = Source(bytes)
        let stopped = ini_parse_stream(
            { buffer, capacity, source in
                guard let buffer, let source else { return nil }
                let isMore = Unmanaged<Source>.fromOpaque(source).takeUnretainedValue()
                    .next(into: buffer, capacity: Int(capacity))
                return isMore ? buffer : nil
            }, Unmanaged.passUnretained(source).toOpaque(),
            { source, section, key, value in
                guard let source, let section, let key, let value else { return 0 }
                let state = Unmanaged<Source>.fromOpaque(source).takeUnretainedValue()
                let isMark = key[0] == CChar(bitPattern: INIFile.sectionMark)
                state.entries.append(
                    Entry(
                        section: INIFile.trimmed(String(cString: section)),
                        content: isMark ? .section : .value(key: String(cString: key), String(path: value)),
                        line: state.line))
                return 1
            }, Unmanaged.passUnretained(source).toOpaque())
        // inih numbers the lines that it was given, and carries on after an error.
        if stopped > 0, source.lines.indices.contains(Int(stopped) - 1) {
            throw ConfigurationError(
                file: file, line: source.lines[Int(stopped) - 1],
                problem: "neither [section] nor key, expected KEY = VALUE")
        }
        if let problem = source.problem {
            throw ConfigurationError(file: file, line: problem.line, problem: problem.text)
        }
        if stopped != 0 { throw ConfigurationError(file: file, line: 0, problem: "not enough memory to read it") }
        return source.entries
    }

    private static func isUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBufferPointer { String(validating: $0, as: UTF8.self) != nil }
    }

    /// Without blanks at either end.
    static func trimmed(_ text: String) -> String {
        var bytes = Array(text.utf8)[...]
        while bytes.first == 0x20 || bytes.first == 0x09 { bytes.removeFirst() }
        while bytes.last == 0x20 || bytes.last == 0x09 { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
