// SPDX-License-Identifier: Apache-2.0
import Core
import Expat

/// A part of an audio file, as a SMIL file names it.
struct BookClip {
    /// The name of the audio file as written.
    var file: String
    var startMilliseconds: Int
    /// The end; nil for the file's end.
    var endMilliseconds: Int?
    /// True if a `par` begins with it: a sentence or a phrase.
    var isFirst: Bool
    /// The text of the clip; nil if its `par` names none.
    var text: BookLink?
    /// The skippable parts that contain it.
    var parts: SkippableParts = []
}

/// Reads one SMIL file of a talking book (1.0 and 2.0): its clips in order.
final class SMILReader: XMLReader {
    /// The most clips; a file of a whole book has 50,000.
    private static let mostClips = 100_000
    private static let mostPending = 64

    private typealias Element = (isPar: Bool, parts: SkippableParts)

    private(set) var clips: [BookClip] = []
    /// The clip at which each wanted id begins; -1 if nothing is heard after it in this file.
    private(set) var anchors: [String: Int]
    /// The wanted ids after which nothing was heard yet.
    private var pending: [String] = []
    /// The number of wanted ids without a clip; at 0, ids are no longer checked.
    private var idsLeft: Int
    private(set) var isEncrypted = false
    private let areTexts: Bool
    /// The skippable parts (raw values) of each custom test of the book; nil to ignore texts and parts.
    private let tests: [String: Int]?
    private var stack: [Element] = []
    private var par: (start: Int, text: BookLink?, parts: SkippableParts)?
    /// The skippable parts (raw values) of elements according to the book's index, by `BookIndex.key`.
    private let marked: [String: Int]
    private let fileName: String

    /// - Parameters:
    ///   - wanted: the wanted ids, each with the value -1.
    ///   - areTexts: true if the ids are those of its texts, not its own.
    ///   - tests: the skippable parts (raw values) of each custom test, to record texts and parts of each clip; nil records neither.
    ///   - marked: the skippable parts (raw values) of elements according to the index, by `BookIndex.key`.
    ///   - name: the name of the file.
    init(
        wanted: [String: Int], areTexts: Bool = false, tests: [String: Int]?, marked: [String: Int] = [:],
        name: String = ""
    ) {
        (self.marked, fileName) = (marked, name)
        self.areTexts = areTexts
        anchors = wanted
        idsLeft = wanted.count
        self.tests = tests
    }

    var refusal: String? { clips.count >= SMILReader.mostClips ? "more than \(SMILReader.mostClips) clips" : nil }

    func begin(_ name: UnsafeBufferPointer<UInt8>, _ attribute: (StaticString) -> [UInt8]?) {
        var isPar = false
        let element = BookText.local(name)
        if idsLeft > 0 && areTexts {
            if let link = BookLink(attribute(element == "text" ? "src" : "epub:textref")), !link.id.isEmpty {
                note(link.id)
            }
        } else if idsLeft > 0, element != "audio", let id = attribute("id") {
            note(String(decoding: id, as: UTF8.self))
        }
        var parts = stack.last?.parts ?? []
        if let tests {
            for name in ["system-required", "customTest", "epub:type"] as [StaticString] {
                if let words = attribute(name) { parts.formUnion(BookText.skippableParts(words, tests)) }
            }
        }
        var own: SkippableParts = []
        if !marked.isEmpty, let id = attribute("id"),
            let value = marked[BookIndex.key(fileName, String(decoding: id, as: UTF8.self))]
        {
            own = SkippableParts(rawValue: UInt8(truncatingIfNeeded: value))
            parts.formUnion(own)
        }
        switch element {
        case "par":
            isPar = true
            par = (clips.count, nil, [])
        case "text": if tests != nil, par != nil { par?.text = BookLink(attribute("src")) }
        case "audio": addClip(attribute, parts)
        case "encrypteddata": isEncrypted = true
        default: break
        }
        // The parts of a phrase's text apply to the phrase.
        par?.parts.formUnion(own)
        stack.append((isPar, parts))
    }

    private func note(_ id: String) {
        guard anchors[id] == -1 else { return }
        if let par, clips.count > par.start {
            anchor(id, par.start)
        } else if pending.count < SMILReader.mostPending {
            pending.append(id)
        }
    }

    private func anchor(_ id: String, _ clip: Int) {
        if anchors[id] != -1 { return }
        anchors[id] = clip
        idsLeft -= 1
    }

    private func addClip(_ attribute: (StaticString) -> [UInt8]?, _ parts: SkippableParts) {
        guard let link = BookLink(attribute("src")), !link.file.isEmpty, clips.count < SMILReader.mostClips else {
            return
        }
        let start = (attribute("clip-begin") ?? attribute("clipBegin")).flatMap { BookText.milliseconds($0) } ?? 0
        let end = (attribute("clip-end") ?? attribute("clipEnd")).flatMap { BookText.milliseconds($0) }
        for id in pending { anchor(id, clips.count) }
        pending = []
        if idsLeft > 0, !areTexts, let id = attribute("id") { anchor(String(decoding: id, as: UTF8.self), clips.count) }
        clips.append(
            BookClip(
                file: link.file, startMilliseconds: start, endMilliseconds: end,
                isFirst: par.map { $0.start == clips.count } ?? true, parts: parts))
    }

    func end() {
        guard stack.popLast()?.isPar == true, let ended = par else { return }
        for place in ended.start..<clips.count {
            if let text = ended.text { clips[place].text = text }
            clips[place].parts.formUnion(ended.parts)
        }
        par = nil
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {}
}
