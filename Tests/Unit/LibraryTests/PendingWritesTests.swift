// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import SQLite

@Suite struct PendingWritesTests {
    /// Pending writes over a file read like the file written at once, and so does the file once they are written.
    @Test(arguments: 0..<40) func itReadsAsTheFileWillBe(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var file = [UInt8](repeating: 7, count: Int.random(in: 0...200, using: &random))
        var model = file
        var (handed, pending) = (PendingWrites(), PendingWrites())
        func apply(_ writes: PendingWrites, to file: inout [UInt8]) {
            if let end = writes.end, Int(end) < file.count { file.removeLast(file.count - Int(end)) }
            for stretch in writes.stretches {
                let upper = Int(stretch.offset) + stretch.bytes.count
                if file.count < upper { file += [UInt8](repeating: 0, count: upper - file.count) }
                file.replaceSubrange(Int(stretch.offset)..<upper, with: stretch.bytes)
            }
        }
        for _ in 0..<400 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                let size = Int.random(in: 0...300, using: &random)
                if size < model.count {
                    model.removeLast(model.count - size)
                    pending.truncate(at: Int64(size))
                }
            case 1:
                // Handed over, and written or not.
                let isWritten = Bool.random(using: &random)
                if isWritten {
                    apply(handed, to: &file)
                } else {
                    handed.take(pending)
                    pending = handed
                }
                handed = pending
                pending = PendingWrites()
            default:
                let bytes = (0..<Int.random(in: 1...60, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                let offset =
                    Bool.random(using: &random) ? model.count : Int.random(in: 0...max(0, model.count), using: &random)
                if offset > 400 { continue }
                bytes.withUnsafeBytes { pending.write($0, at: Int64(offset)) }
                var one = PendingWrites()
                bytes.withUnsafeBytes { one.write($0, at: Int64(offset)) }
                apply(one, to: &model)
            }
            for writes in [handed, pending] {
                #expect(writes.count == writes.stretches.reduce(0) { $0 + $1.bytes.count })
                for (left, right) in zip(writes.stretches, writes.stretches.dropFirst()) {
                    #expect(left.offset + Int64(left.bytes.count) < right.offset)
                }
            }
            #expect(Int(pending.size(handed.size(Int64(file.count)))) == model.count)
            var whole = file
            apply(handed, to: &whole)
            apply(pending, to: &whole)
            #expect(whole == model)
            // Any part of it.
            let from = Int.random(in: 0...max(0, model.count), using: &random)
            let to = Int.random(in: from...max(from, model.count), using: &random)
            var read = Array(file.dropFirst(from).prefix(to - from))
            read += [UInt8](repeating: 0, count: to - from - read.count)
            read.withUnsafeMutableBytes {
                let isHanded = handed.overlay($0, at: Int64(from))
                let isPending = pending.overlay($0, at: Int64(from))
                #expect(to > from || (isHanded && isPending))
            }
            // Bytes that were cut off the file and are within its end again read as the file was: SQLite writes them before it reads them.
            if pending.end == nil && handed.end == nil { #expect(read == Array(model[from..<to])) }
        }
    }

    /// A log of a whole night costs as many bytes as it has.
    @Test func whatGoesOnStaysOneStretch() {
        var pending = PendingWrites()
        let page = [UInt8](repeating: 1, count: 1048)
        for number in 0..<1000 { page.withUnsafeBytes { pending.write($0, at: Int64(number * 1048)) } }
        #expect(pending.stretches.count == 1 && pending.count == 1_048_000)
        page.withUnsafeBytes { pending.write($0, at: 1048) }
        #expect(pending.stretches.count == 1 && pending.count == 1_048_000)
    }
}
