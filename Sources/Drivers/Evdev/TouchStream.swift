// SPDX-License-Identifier: Apache-2.0
import CEvdev
import Posix

/// An event of a finger, or of an absolute pointer.
public struct TouchEvent: Equatable, Sendable {
    public enum Phase: Equatable, Sendable {
        case down, moved, up
        /// The touch ended in an unknown way.
        case lost
    }

    public var finger: Int
    public var phase: Phase
    /// The place from the left and the top of the unrotated device, 0…1.
    public var x: Float
    public var y: Float
    /// The kernel's time stamp.
    public var timestamp: MonotonicTime
}

/// Makes events of the kernel's reports about one touch panel: in slots, one for each finger, or for a single finger. If the kernel dropped
/// reports, the present touches end.
struct TouchStream {
    struct Axis: Equatable {
        var least: Int32
        var most: Int32

        func part(_ value: Int32) -> Float {
            let range = Float(most) - Float(least)
            return range > 0 ? min(1, max(0, (Float(value) - Float(least)) / range)) : 0
        }
    }

    private struct Slot: Equatable {
        var isDown = false
        var wasDown = false
        /// True if a new finger replaced the earlier one within the same report.
        var isNew = false
        var hasMoved = false
        var x: Int32 = 0
        var y: Int32 = 0
    }

    static let mostSlots = 10

    private let hasSlots: Bool
    private let across: Axis
    private let down: Axis
    private var slots = [Slot](repeating: Slot(), count: mostSlots)
    private var slot = 0
    private var hasLost = false

    init(hasSlots: Bool, across: Axis, down: Axis, x: Int32 = 0, y: Int32 = 0) {
        self.hasSlots = hasSlots
        self.across = across
        self.down = down
        slots[0].x = x
        slots[0].y = y
    }

    /// - Parameter now: asks the device for an axis's value, after a loss.
    mutating func take(_ raw: ns_input_event, into events: inout [TouchEvent], now: (UInt16) -> Int32?) {
        let time = MonotonicTime(nanoseconds: max(0, raw.nanoseconds))
        switch UInt32(raw.type) {
        case NS_INPUT_SYNC.rawValue:
            if UInt32(raw.code) == UInt32(NS_INPUT_DROPPED) {
                hasLost = true
                end(at: time, into: &events)
            } else if hasLost {
                hasLost = false
                if hasSlots {
                    slot = Int(now(UInt16(NS_TOUCH_SLOT)) ?? 0)
                } else {
                    slots[0].x = now(UInt16(NS_TOUCH_X)) ?? slots[0].x
                    slots[0].y = now(UInt16(NS_TOUCH_Y)) ?? slots[0].y
                }
            } else {
                report(time, &events)
            }
        case UInt32(NS_INPUT_PLACE) where !hasLost: takePlace(raw)
        case NS_INPUT_KEY.rawValue where !hasLost && !hasSlots:
            let isButton = raw.code == UInt16(NS_TOUCH_BUTTON) || raw.code == UInt16(NS_TOUCH_LEFT)
            if isButton && raw.value < 2 { slots[0].isDown = raw.value == 1 }
        default: break
        }
    }

    private mutating func takePlace(_ raw: ns_input_event) {
        let code = Int(raw.code)
        if hasSlots {
            if code == NS_TOUCH_SLOT { slot = Int(raw.value) }
            guard slots.indices.contains(slot) else { return }
            if code == NS_TOUCH_TRACKING {
                if raw.value >= 0 { slots[slot].isNew = true }
                slots[slot].isDown = raw.value >= 0
            } else if code == NS_TOUCH_SLOT_X {
                slots[slot].x = raw.value
                slots[slot].hasMoved = true
            } else if code == NS_TOUCH_SLOT_Y {
                slots[slot].y = raw.value
                slots[slot].hasMoved = true
            }
        } else if code == NS_TOUCH_X {
            slots[0].x = raw.value
            slots[0].hasMoved = true
        } else if code == NS_TOUCH_Y {
            slots[0].y = raw.value
            slots[0].hasMoved = true
        }
    }

    private mutating func report(_ time: MonotonicTime, _ events: inout [TouchEvent]) {
        for index in slots.indices {
            let slot = slots[index]
            if slot.wasDown && (!slot.isDown || slot.isNew) { tell(index, .up, time, &events) }
            if slot.isDown && (!slot.wasDown || slot.isNew) {
                // After a loss, ignore a finger that is still down.
                if slot.isNew || !hasSlots { tell(index, .down, time, &events) } else { slots[index].isDown = false }
            } else if slot.isDown && slot.hasMoved {
                tell(index, .moved, time, &events)
            }
            slots[index].wasDown = slots[index].isDown
            slots[index].isNew = false
            slots[index].hasMoved = false
        }
    }

    /// Ends all touches, because the device is gone, or reports were lost.
    mutating func end(at time: MonotonicTime, into events: inout [TouchEvent]) {
        for index in slots.indices {
            if slots[index].wasDown { tell(index, .lost, time, &events) }
            slots[index].isDown = false
            slots[index].wasDown = false
            slots[index].isNew = false
        }
    }

    private func tell(
        _ index: Int, _ phase: TouchEvent.Phase, _ time: MonotonicTime, _ events: inout [TouchEvent]
    ) {
        events.append(
            TouchEvent(
                finger: index, phase: phase, x: across.part(slots[index].x), y: down.part(slots[index].y),
                timestamp: time))
    }
}
