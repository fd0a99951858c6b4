// SPDX-License-Identifier: Apache-2.0
import CPosix
import Core
import Expat
import Posix

@testable import Media
@testable import Transcript

extension FuzzWork {
    /// The files of a talking book.
    static func talkingBook(_ kind: FuzzKind, _ bytes: [UInt8], _ broken: Broken) {
        switch kind {
        case .ncc:
            let reader = NCCReader()
            read(bytes, reader)
            check(reader.index, broken)
            let walked = NCCReader()
            var walk = MarkupWalk(bytes)
            while !walk.step(walked, bytes: 100) {}
            check(walked.index, broken)
        case .package:
            let reader = PackageReader()
            read(bytes, reader)
            check(reader.index, broken)
            let nav = NavReader(reader.index)
            read(bytes, nav)
            check(nav.index, broken)
        case .contents:
            for isForTests in [false, true] {
                let reader = NCXReader(BookIndex(), isForTests: isForTests)
                read(bytes, reader)
                check(reader.index, broken)
            }
            let nav = NavReader(BookIndex())
            read(bytes, nav)
            check(nav.index, broken)
        case .smil:
            let reader = SMILReader(wanted: ["a": -1, "b": -1, "c": -1], tests: ["x": 3])
            read(bytes, reader)
            for clip in reader.clips {
                let times = [clip.startMilliseconds, clip.endMilliseconds ?? 0]
                if times.contains(where: { $0 < 0 || $0 > 1_800_000_000 }) { broken("clips lie within 500 hours") }
            }
            if reader.anchors.values.contains(where: { $0 >= reader.clips.count }) { broken("an id leads to a clip") }
        default:
            let reader = BookTextReader(wanted: ["a": 0, "b": 1, "c": 2])
            read(bytes, reader)
            if reader.texts.count > 3 { broken("each text once") }
        }
    }

    /// Reads a file that may be an archive with a talking book, as a scan and as playing do.
    static func archive(_ bytes: [UInt8], _ broken: Broken) {
        var path = Array("/tmp/nightstand-fuzz-XXXXXX.zip\0".utf8).map { CChar(bitPattern: $0) }
        let descriptor = mkstemps(&path, 4)
        if descriptor < 0 { return broken("there is room in /tmp") }
        let name = path.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        defer { unlink(name) }
        let written = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
        if written != bytes.count { return broken("there is room in /tmp") }
        let names = (try? ZIPDirectory(path: name).names()) ?? []
        for inner in names.prefix(8) {
            guard let source = try? FileSource(path: name + "/" + inner), let length = source.byteCount else {
                continue
            }
            if length < 0 { broken("a file has no length below nothing") }
            // Back, as a jump does.
            for place in [0, length / 2, length - 1, length, Int64.max, 3] where place >= 0 {
                let count = (try? source.bytes(at: place, count: 5000))?.count ?? 0
                if Int64(count) > max(0, length.subtractingSaturated(place)) {
                    broken("no file is longer than it says")
                }
            }
        }
        _ = try? EPUB.texts(of: name, most: 256 << 10)
        guard let (index, audio) = try? TalkingBook.contents(ofArchive: name) else { return }
        let reading = TalkingBookReading(path: index)
        while !reading.step() {}
        for inner in audio.prefix(2) {
            _ = TalkingBook.cover(ofAudio: name + "/" + inner)
            let phrases = TalkingBookReading(path: index, audioName: inner.pathName)
            while !phrases.step() {}
        }
    }

    private static func read(_ bytes: [UInt8], _ reader: any XMLReader) {
        guard let stream = try? XMLStream(reader) else { return }
        try? stream.take(bytes, isLast: true)
    }

    private static func check(_ index: BookIndex, _ broken: Broken) {
        if index.spine.count > BookIndex.mostFiles || index.marks.count > BookIndex.mostMarks {
            broken("an index has an end")
        }
        for mark in index.marks where !(0...6).contains(mark.level) || mark.title.count > 512 {
            return broken("headings have a level and a short title")
        }
    }
}
