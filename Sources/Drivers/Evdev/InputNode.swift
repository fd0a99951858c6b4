// SPDX-License-Identifier: Apache-2.0
import CEvdev
import CPosix
import Posix

/// An open device of the input folder: the common part of key and touch devices. For the thread of its loop.
final class InputNode {
    /// The node, such as "event3".
    let node: String
    /// The name of the device.
    let name: String
    private let file: FileDescriptor

    /// - Parameter node: a name in `InputFolder.path`.
    init(node: String) throws(PosixError) {
        let path = InputFolder.path + "/" + node
        file = try FileDescriptor.open(path, O_RDONLY | O_NONBLOCK)
        if ns_input_begin(file.number) < 0 { throw .last("read " + path) }
        self.node = node
        var text = [CChar](repeating: 0, count: Int(NS_INPUT_NAME_BYTES))
        _ = ns_input_name(file.number, &text)
        name = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    var descriptor: Int32 { file.number }

    func hasKey(_ code: UInt16) -> Bool { ns_input_has(file.number, UInt16(NS_INPUT_KEY.rawValue), code) }

    /// Passes all waiting events on, oldest first. Throws once the device is gone.
    func readEvents(_ take: (ns_input_event) -> Void) throws(PosixError) {
        var raw = [ns_input_event](repeating: ns_input_event(), count: Int(NS_INPUT_BATCH))
        while true {
            let count = Int(ns_input_read(file.number, &raw))
            if count < 0 {
                let failure = PosixError.last("read \(name) (\(node))")
                if failure.code == EINTR { continue }
                if failure.code == EAGAIN { return }
                throw failure
            }
            for event in raw.prefix(count) { take(event) }
            if count < raw.count { return }
        }
    }
}
