// SPDX-License-Identifier: Apache-2.0
import CEvdev
import CPosix
import Posix

/// An open touch panel, or an absolute pointer such as a virtual machine's. For the thread of its loop.
public final class TouchDevice {
    /// The node of the device, such as "event3".
    public var node: String { file.node }
    public var name: String { file.name }
    /// The descriptor for epoll: readable while there are events, and once the device is gone.
    public var descriptor: Int32 { file.descriptor }

    private let file: InputNode
    private var stream: TouchStream

    /// Returns nil for another kind of device.
    /// - Parameter node: a name in `InputFolder.path`.
    public init?(node: String) throws(PosixError) {
        let file = try InputNode(node: node)
        self.file = file
        var axes = [ns_touch_axis](repeating: ns_touch_axis(), count: 5)
        let codes = [NS_TOUCH_SLOT, NS_TOUCH_SLOT_X, NS_TOUCH_SLOT_Y, NS_TOUCH_X, NS_TOUCH_Y]
        var has: [Bool] = []
        for index in codes.indices {
            has.append(ns_touch_look(file.descriptor, UInt16(codes[index]), &axes[index]))
        }
        let hasSlots = has[0] && has[1] && has[2]
        func axis(_ index: Int) -> TouchStream.Axis {
            TouchStream.Axis(least: axes[index].least, most: axes[index].most)
        }
        stream = TouchStream(
            hasSlots: hasSlots, across: axis(hasSlots ? 1 : 3), down: axis(hasSlots ? 2 : 4), x: axes[3].now,
            y: axes[4].now)
        let isTouched = file.hasKey(UInt16(NS_TOUCH_BUTTON)) || file.hasKey(UInt16(NS_TOUCH_LEFT))
        if ns_touch_is_pad(file.descriptor) || !(hasSlots || has[3] && has[4] && isTouched) { return nil }
    }

    /// Appends all waiting events, oldest first. If the device is gone, ends its touches and throws.
    public func readEvents(into events: inout [TouchEvent]) throws(PosixError) {
        do throws(PosixError) {
            try file.readEvents { event in
                stream.take(event, into: &events) { code in
                    var axis = ns_touch_axis()
                    return ns_touch_look(descriptor, code, &axis) ? axis.now : nil
                }
            }
        } catch {
            stream.end(at: .now, into: &events)
            throw error
        }
    }
}
