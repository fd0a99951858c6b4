// SPDX-License-Identifier: Apache-2.0
import CEvdev
import Posix

/// Makes events of the kernel's reports about one device. If the kernel dropped some, the present state of the keys replaces them.
struct InputStream {
    /// The keys that are down according to the events so far.
    private(set) var down: Set<UInt16> = []
    private var hasLost = false

    /// - Parameter isDown: asks the device for the state of a key, after a loss.
    mutating func take(
        _ raw: ns_input_event, into events: inout [InputEvent], isDown: (UInt16) -> Bool
    ) {
        let time = MonotonicTime(nanoseconds: max(0, raw.nanoseconds))
        switch UInt32(raw.type) {
        case NS_INPUT_SYNC.rawValue:
            if UInt32(raw.code) == UInt32(NS_INPUT_DROPPED) {
                hasLost = true
            } else if hasLost {
                // The dropped part has ended. A key that is up by now is released; a dropped press stays lost.
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
            // A hand turns a knob no further between two reads.
            let steps = max(-100, min(100, Int(raw.value)))
            events.append(InputEvent(code: raw.code, change: .turned(steps), timestamp: time))
        default: break
        }
    }

    /// Records a key that was down before the first event, so that its release is reported.
    mutating func hold(_ code: UInt16) { down.insert(code) }

    /// Releases all keys, because the device is gone.
    mutating func end(at time: MonotonicTime, into events: inout [InputEvent]) {
        for code in down.sorted() { release(code, time, &events) }
    }

    private mutating func release(_ code: UInt16, _ time: MonotonicTime, _ events: inout [InputEvent]) {
        down.remove(code)
        events.append(InputEvent(code: code, change: .key(isPressed: false), timestamp: time))
    }
}
