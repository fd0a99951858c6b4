// SPDX-License-Identifier: Apache-2.0
import Expat

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
