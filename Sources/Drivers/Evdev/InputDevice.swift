import CEvdev
import CPosix
import Posix

/// An open input device: a keyboard, a remote control, a knob. For the control thread.
public final class InputDevice {
    /// Where it is: "event3".
    public let node: String
    /// What it calls itself: "Logitech K400".
    public let name: String
    /// For epoll: readable while there are events to read, and once the device is gone.
    public var descriptor: Int32 { file.number }

    private let file: FileDescriptor
    private var stream = InputStream()

    /// - Parameter node: a name in `InputFolder.path`.
    public init(node: String) throws(PosixError) {
        let path = InputFolder.path + "/" + node
        file = try FileDescriptor.open(path, O_RDONLY | O_NONBLOCK)
        if ns_input_begin(file.number) < 0 { throw .last("read " + path) }
        self.node = node
        var text = [CChar](repeating: 0, count: Int(NS_INPUT_NAME_BYTES))
        _ = ns_input_name(file.number, &text)
        name = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    public func hasKey(_ code: UInt16) -> Bool { ns_input_has(file.number, UInt16(NS_INPUT_KEY.rawValue), code) }

    public func hasAxis(_ code: UInt16) -> Bool { ns_input_has(file.number, UInt16(NS_INPUT_AXIS.rawValue), code) }

    /// Nobody else gets its events from now on. Throws `EBUSY` where somebody else has done that.
    public func grab() throws(PosixError) {
        if ns_input_grab(file.number) < 0 { throw .last("take \(name) (\(node)) for ourselves") }
    }

    /// Appends all events that wait, oldest first. Throws once the device is gone, after the releases of its keys.
    public func readEvents(into events: inout [InputEvent]) throws(PosixError) {
        var raw = [ns_input_event](repeating: ns_input_event(), count: Int(NS_INPUT_BATCH))
        while true {
            let count = Int(ns_input_read(file.number, &raw))
            if count < 0 {
                let failure = PosixError.last("read \(name) (\(node))")
                if failure.code == EINTR { continue }
                if failure.code == EAGAIN { return }
                stream.end(at: .now, into: &events)
                throw failure
            }
            for event in raw.prefix(count) {
                stream.take(event, into: &events) { ns_input_is_down(file.number, $0) }
            }
            if count < raw.count { return }
        }
    }
}
