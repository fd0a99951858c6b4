// SPDX-License-Identifier: Apache-2.0
import CEvdev
import Posix

/// Makes events of what the kernel tells of one device: the present state of the keys replaces events that came too fast for the reader.
struct InputStream {
    /// Keys that are down as far as was told.
    private(set) var down: Set<UInt16> = []
    private var hasLost = false

    /// - Parameter isDown: asks the device how a key stands, after a loss.
    mutating func take(
        _ raw: ns_input_event, into events: inout [InputEvent], isDown: (UInt16) -> Bool
    ) {
        let time = MonotonicTime(nanoseconds: max(0, raw.nanoseconds))
        switch UInt32(raw.type) {
        case NS_INPUT_SYNC.rawValue:
            if UInt32(raw.code) == UInt32(NS_INPUT_DROPPED) {
                hasLost = true
            } else if hasLost {
                // The end of what was lost in part. A key that is up now came up by then; a press that was lost is lost.
                hasLost = false
                for code in down.sorted() where !isDown(code) { release(code, time, &events) }
            }
        case NS_INPUT_KEY.rawValue where !hasLost:
            if raw.value == 1 && down.insert(raw.code).inserted {
                events.append(InputEvent(code: raw.code, change: .key(isPressed: true), timestamp: time))
            } else if raw.value == 0 && down.contains(raw.code) {
                release(raw.code, time, &events)
            } else if raw.value == 2 && down.contains(raw.code) {
                events.append(InputEvent(code: raw.code, change: .repeated, timestamp: time))
            }
        case NS_INPUT_AXIS.rawValue where !hasLost && raw.value != 0:
            // A hand turns a knob no further between two looks.
            let steps = max(-100, min(100, Int(raw.value)))
            events.append(InputEvent(code: raw.code, change: .turned(steps), timestamp: time))
        default: break
        }
    }

    /// A key was down before the first event: its release will be told.
    mutating func hold(_ code: UInt16) { down.insert(code) }

    /// The device is gone, and no key of it is down any more.
    mutating func end(at time: MonotonicTime, into events: inout [InputEvent]) {
        for code in down.sorted() { release(code, time, &events) }
    }

    private mutating func release(_ code: UInt16, _ time: MonotonicTime, _ events: inout [InputEvent]) {
        down.remove(code)
        events.append(InputEvent(code: code, change: .key(isPressed: false), timestamp: time))
    }
}
