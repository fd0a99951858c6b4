// SPDX-License-Identifier: Apache-2.0
import CEvdev
import CPosix
import Posix

/// An open input device: a keyboard, a remote control, a knob. For the control thread.
public final class InputDevice {
    /// The node of the device, such as "event3".
    public var node: String { file.node }
    /// The name of the device, such as "Logitech K400".
    public var name: String { file.name }
    /// The descriptor for epoll: readable while there are events, and once the device is gone.
    public var descriptor: Int32 { file.descriptor }

    private let file: InputNode
    private var stream = InputStream()

    /// - Parameter node: a name in `InputFolder.path`.
    public init(node: String) throws(PosixError) { file = try InputNode(node: node) }

    public func hasKey(_ code: UInt16) -> Bool { file.hasKey(code) }

    /// Returns true if the key is down before the first event was read. Its release then becomes an event.
    public func isHeld(_ code: UInt16) -> Bool {
        let isDown = ns_input_is_down(descriptor, code)
        if isDown { stream.hold(code) }
        return isDown
    }

    public func hasAxis(_ code: UInt16) -> Bool { ns_input_has(descriptor, UInt16(NS_INPUT_AXIS.rawValue), code) }

    /// Takes the device's events exclusively. Throws `EBUSY` if another program has done that.
    public func grab() throws(PosixError) {
        if ns_input_grab(descriptor) < 0 { throw .last("take \(name) (\(node)) for ourselves") }
    }

    /// Appends all waiting events, oldest first. If the device is gone, releases its keys and throws.
    public func readEvents(into events: inout [InputEvent]) throws(PosixError) {
        do throws(PosixError) {
            try file.readEvents { stream.take($0, into: &events) { ns_input_is_down(descriptor, $0) } }
        } catch {
            stream.end(at: .now, into: &events)
            throw error
        }
    }
}
