// SPDX-License-Identifier: Apache-2.0
import Core
import Expat
import Posix

/// The common interface of the readers of a book's index.
protocol BookIndexReader: XMLReader {
    var index: BookIndex { get }
}

/// `ncc.html` of DAISY 2.02: headings and pages that link into SMIL files, in reading order.
final class NCCReader: BookIndexReader {
    private(set) var index = BookIndex()
    let refusal: String? = nil

    private var depth = 0
    /// The heading or page being read: its level (0 for a page, nil for neither), and the depth of its element.
    private var open: (level: Int?, depth: Int)?
    /// The skippable parts of that page.
    private var parts: SkippableParts = []
    private var title: [UInt8] = []
    private var link: BookLink?
    /// The depth of the document's title, which replaces a missing title of the book.
    private var titleDepth: Int?
    private var documentTitle: [UInt8] = []
    private static let mostTextBytes = 4096

    func begin(_ name: UnsafeBufferPointer<UInt8>, _ attribute: (StaticString) -> [UInt8]?) {
        depth += 1
        let element = BookText.local(name)
        switch element {
        case "meta":
            if let name = attribute("name"), let content = attribute("content") { index.facts.take(name, content) }
        case "title": titleDepth = depth
        case "h1", "h2", "h3", "h4", "h5", "h6": begin(level: Int(element.utf8.last! & 15))
        case "span", "div":
            guard let words = attribute("class") else { return }
            // The classes page-front, page-normal and page-special.
            let isPage = words.map({ $0.lowerCase }).starts(with: "page".utf8)
            let parts = isPage ? .pageNumbers : BookText.skippableParts(words)
            if isPage || !parts.isEmpty { begin(level: isPage ? 0 : nil, parts) }
        case "a":
            guard let target = BookLink(attribute("href")) else { return }
            if target.file.pathExtension == "smil" { index.addToSpine(target.file) }
            if open != nil && link == nil { link = target }
        case "encrypteddata": index.isEncrypted = true
        default: break
        }
    }

    private func begin(level: Int?, _ parts: SkippableParts = []) {
        if open != nil { return }
        open = (level, depth)
        self.parts = parts
        (title, link) = ([], nil)
    }

    func end() {
        if depth == titleDepth {
            titleDepth = nil
            index.facts.take(otherTitle: documentTitle)
        }
        if let open, open.depth == depth {
            if let link {
                if let level = open.level { index.add(level, title, link) }
                if !parts.isEmpty { index.mark(link, parts) }
            }
            self.open = nil
        }
        depth -= 1
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        if titleDepth != nil && documentTitle.count < NCCReader.mostTextBytes { documentTitle += bytes }
        if open != nil && title.count < NCCReader.mostTextBytes { title += bytes }
    }
}

/// The package of DAISY 3 or of an EPUB: the book's facts, its files, and the SMIL files in reading order.
final class PackageReader: BookIndexReader {
    private(set) var index = BookIndex()
    let refusal: String? = nil
    /// The name of the NCX, or of an EPUB's nav; "" for none.
    private(set) var contents = ""
    private(set) var isNav = false

    private var files: [String] = []
    /// The id of the SMIL file that reads each text; "" for none.
    private var overlays: [String] = []
    private var coverID: [UInt8] = []
    /// The file of each id.
    private var manifest: [String: Int] = [:]
    private var depth = 0
    private var open: (name: [UInt8], depth: Int)?
    private var value: [UInt8] = []
    private static let mostTextBytes = 4096

    func begin(_ name: UnsafeBufferPointer<UInt8>, _ attribute: (StaticString) -> [UInt8]?) {
        depth += 1
        switch BookText.local(name) {
        case "title", "creator", "language", "publisher", "date":
            if open == nil, name.contains(UInt8(ascii: ":")) {
                open = (Array(name.prefix(32)), depth)
                value = []
            }
        case "meta":
            if let name = attribute("name"), let content = attribute("content") {
                if name.elementsEqual("cover".utf8) { coverID = content }
                index.facts.take(name, content)
            } else if open == nil, let name = attribute("property"), attribute("refines") == nil {
                open = (Array(name.prefix(32)), depth)
                value = []
            }
        case "item":
            guard let id = attribute("id"), let link = BookLink(attribute("href")), id.count <= 256,
                files.count < BookIndex.mostFiles
            else { return }
            let kind = String(decoding: attribute("media-type") ?? [], as: UTF8.self).lowerCase
            let isSMIL = kind.begins(with: "application/smil") || link.file.pathExtension == "smil"
            let properties = attribute("properties").map { $0.split(separator: 0x20) } ?? []
            if properties.contains(where: { $0.elementsEqual("nav".utf8) }) {
                (contents, isNav) = (link.file, true)
            } else if !isNav, kind.begins(with: "application/x-dtbncx") || link.file.pathExtension == "ncx" {
                contents = link.file
            }
            if properties.contains(where: { $0.elementsEqual("cover-image".utf8) }) || id == coverID {
                index.cover = link.file
            }
            let overlay = attribute("media-overlay").map { String(decoding: $0.prefix(256), as: UTF8.self) } ?? ""
            if !isSMIL && overlay.isEmpty { return }
            manifest[String(decoding: id, as: UTF8.self)] = files.count
            files.append(link.file)
            overlays.append(overlay)
        case "itemref":
            guard let id = attribute("idref"), let place = manifest[String(decoding: id, as: UTF8.self)] else { return }
            if overlays[place].isEmpty {
                index.addToSpine(files[place])
            } else if let smil = manifest[overlays[place]] {
                index.addToSpine(files[smil], reading: files[place])
            }
        case "encrypteddata": index.isEncrypted = true
        default: break
        }
    }

    func end() {
        if let open, open.depth == depth {
            index.facts.take(open.name, value)
            self.open = nil
        }
        depth -= 1
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        if open != nil && value.count < PackageReader.mostTextBytes { value += bytes }
    }
}

/// The NCX of DAISY 3: nested headings, and pages.
final class NCXReader: BookIndexReader {
    private(set) var index: BookIndex
    /// True to read only its head, with the custom tests.
    private let isForTests: Bool
    private var isBehindHead = false
    var refusal: String? { isForTests && isBehindHead ? "" : nil }

    private enum Kind { case other, heading, page, label, title }
    private var stack: [Kind] = []
    private var level = 0
    private var isPage = false
    private var labelDepth: Int?
    private var label: [UInt8] = []
    private static let mostTextBytes = 4096

    /// - Parameter index: receives the package's names.
    init(_ index: BookIndex, isForTests: Bool) { (self.index, self.isForTests) = (index, isForTests) }

    func begin(_ name: UnsafeBufferPointer<UInt8>, _ attribute: (StaticString) -> [UInt8]?) {
        var kind = Kind.other
        switch BookText.local(name) {
        case "smilcustomtest": index.addTest(attribute("id"), attribute("bookStruct"))
        case "navmap": isBehindHead = true
        case "navpoint":
            kind = .heading
            level += 1
            label = []
        case "pagetarget":
            kind = .page
            isPage = true
            label = attribute("value") ?? []
        case "navtarget": label = []
        case "navlabel": kind = .label
        case "doctitle": kind = .title
        case "text" where stack.last == .label || stack.last == .title:
            // Take the first of several languages.
            if stack.last == .title || isPage || label.isEmpty {
                labelDepth = stack.count
                label = []
            }
        case "content":
            guard let link = BookLink(attribute("src")), stack.last == .heading || stack.last == .page else { break }
            index.add(isPage ? 0 : min(max(level, 1), 6), label, link)
        case "encrypteddata": index.isEncrypted = true
        default: break
        }
        stack.append(kind)
    }

    func end() {
        guard let kind = stack.popLast() else { return }
        if stack.count == labelDepth {
            labelDepth = nil
            if stack.last == .title { index.facts.take(otherTitle: label) }
        }
        switch kind {
        case .heading: level -= 1
        case .page: isPage = false
        default: break
        }
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        if labelDepth != nil && label.count < NCXReader.mostTextBytes { label += bytes }
    }
}

/// The navigation document of an EPUB: headings in nested lists, and pages.
final class NavReader: BookIndexReader {
    private(set) var index: BookIndex
    let refusal: String? = nil

    private enum Kind { case other, nav, list, link }
    private enum List { case none, headings, pages }
    private var stack: [Kind] = []
    private var list = List.none
    private var level = 0
    private var link: BookLink?
    private var label: [UInt8] = []
    private static let mostTextBytes = 4096

    /// - Parameter index: receives the package's names.
    init(_ index: BookIndex) { self.index = index }

    func begin(_ name: UnsafeBufferPointer<UInt8>, _ attribute: (StaticString) -> [UInt8]?) {
        var kind = Kind.other
        switch BookText.local(name) {
        case "nav":
            kind = .nav
            let types = attribute("epub:type").map { $0.split(separator: 0x20) } ?? []
            level = 0
            list =
                types.contains { $0.elementsEqual("toc".utf8) }
                ? .headings : types.contains { $0.elementsEqual("page-list".utf8) } ? .pages : .none
        case "ol":
            kind = .list
            level += 1
        case "a" where list != .none:
            kind = .link
            link = BookLink(attribute("href"))
            label = []
        default: break
        }
        stack.append(kind)
    }

    func end() {
        switch stack.popLast() {
        case .nav: list = .none
        case .list: level -= 1
        case .link:
            if let link { index.add(list == .pages ? 0 : min(max(level, 1), 6), label, link) }
            link = nil
        case .other, nil: break
        }
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        if link != nil && label.count < NavReader.mostTextBytes { label += bytes }
    }
}
