// SPDX-License-Identifier: Apache-2.0
import Expat

/// A stretch of an audio file, as a SMIL file names it.
struct BookClip {
    /// As it is written.
    var file: String
    var startMilliseconds: Int
    /// nil for the file's end.
    var endMilliseconds: Int?
    /// A `par` begins with it: a sentence, or a phrase.
    var isFirst: Bool
    /// The text of it; nil where its `par` does not name a text.
    var text: BookLink?
}

/// Reads one SMIL file of a talking book (1.0 and 2.0): its clips in order.
final class SMILReader: XMLReader {
    /// A file of a whole book has 50,000.
    private static let mostClips = 100_000
    private static let mostPending = 64

    private enum Kind { case other, par }

    private(set) var clips: [BookClip] = []
    /// The clip that each of the wanted ids begins with; -1 where nothing is heard behind it in this file.
    private(set) var anchors: [String: Int]
    /// Wanted ids behind which nothing was heard yet.
    private var pending: [String] = []
    /// The number of wanted ids without a clip: once all have one, no id is looked at.
    private var idsLeft: Int
    private(set) var isEncrypted = false
    private let areTexts: Bool
    private let keepsTexts: Bool
    private var stack: [Kind] = []
    private var par: (start: Int, text: BookLink?)?

    /// - Parameters:
    ///   - wanted: the wanted ids, each -1.
    ///   - areTexts: the ids are of the texts that it names, and not its own.
    ///   - keepsTexts: true keeps the texts.
    init(wanted: [String: Int], areTexts: Bool = false, keepsTexts: Bool) {
        self.areTexts = areTexts
        anchors = wanted
        idsLeft = wanted.count
        self.keepsTexts = keepsTexts
    }

    var refusal: String? { clips.count >= SMILReader.mostClips ? "more than \(SMILReader.mostClips) clips" : nil }

    func begin(_ name: UnsafeBufferPointer<UInt8>, _ attribute: (StaticString) -> [UInt8]?) {
        var kind = Kind.other
        let element = BookText.local(name)
        if idsLeft > 0 && areTexts {
            if let link = BookLink(attribute(element == "text" ? "src" : "epub:textref")), !link.id.isEmpty {
                note(link.id)
            }
        } else if idsLeft > 0, element != "audio", let id = attribute("id") {
            note(String(decoding: id, as: UTF8.self))
        }
        switch element {
        case "par":
            kind = .par
            par = (clips.count, nil)
        case "text": if keepsTexts, par != nil { par?.text = BookLink(attribute("src")) }
        case "audio": addClip(attribute)
        case "encrypteddata": isEncrypted = true
        default: break
        }
        stack.append(kind)
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

    private func addClip(_ attribute: (StaticString) -> [UInt8]?) {
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
                isFirst: par.map { $0.start == clips.count } ?? true))
    }

    func end() {
        guard stack.popLast() == .par, let ended = par else { return }
        if let text = ended.text { for place in ended.start..<clips.count { clips[place].text = text } }
        par = nil
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {}
}
