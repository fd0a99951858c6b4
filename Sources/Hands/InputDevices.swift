// SPDX-License-Identifier: Apache-2.0
import CPosix
import Configuration
import Controls
import Evdev
import Posix

/// The kernel's keyboards, remotes and knobs with a configured key or axis, which may come and go at any time. A missing device is no
/// fault: remotes sleep.
final class InputDevices {
    /// The receivers of the devices' events.
    struct Users {
        /// Called when the key with this index in the configuration is pressed or released.
        let key: (Int, Bool, MonotonicTime) -> Void
        /// Called for a key that is down when its device opens.
        let held: (Int) -> Void
        let turned: (KnobName, Int, MonotonicTime) -> Void
    }

    /// The time that udev may take for a new device's permissions.
    private static let patienceMilliseconds = 10_000

    private let keys: [Configuration.Key]
    private let axes: [(knob: KnobName, input: Configuration.Input)]
    private let loop: EventLoop
    private let warn: (String) -> Void
    private let users: Users
    /// Called when events are waiting.
    private let wake: () -> Void
    private var folder: DeviceFolder?
    private var devices: [InputDevice] = []
    private var events: [InputEvent] = []
    private var hasComplained = false

    init(
        keys: [Configuration.Key], knobs: [Configuration.Knob], loop: EventLoop, warn: @escaping (String) -> Void,
        users: Users, wake: @escaping () -> Void
    ) {
        self.keys = keys
        axes = knobs.flatMap { knob in knob.axes.map { (knob.name, $0) } }
        self.loop = loop
        self.warn = warn
        self.users = users
        self.wake = wake
        do throws(PosixError) {
            let folder = try InputFolder.watch()
            try loop.add(folder.descriptor, .readable) { [self] _ in look() }
            self.folder = folder
        } catch { warn("buttons: \(error.message)") }
        look()
        loop.schedule(at: MonotonicTime.now.adding(milliseconds: InputDevices.patienceMilliseconds)) { [self] in
            complain()
        }
    }

    /// Opens new devices.
    private func look() {
        folder?.drain()
        for node in folder?.nodes ?? [] where !devices.contains(where: { $0.node == node }) {
            if let device = try? InputDevice(node: node) { take(device) }
        }
    }

    private func complain() {
        for node in folder?.nodes ?? [] where !hasComplained && !devices.contains(where: { $0.node == node }) {
            do throws(PosixError) { _ = try InputDevice(node: node) } catch {
                if error.code != EACCES { continue }
                hasComplained = true
                warn(
                    "buttons: \(error.message): its users are group input (sudo usermod -aG input USER, then log in again)"
                )
            }
        }
    }

    private func take(_ device: InputDevice) {
        let inputs = keys.map { $0.input } + axes.map { $0.input }
        let wanted = inputs.filter { matches($0, device) }
        if wanted.isEmpty { return }
        do throws(PosixError) {
            if wanted.contains(where: { $0.isGrabbed }) { try device.grab() }
        } catch { warn("buttons: \(error.message)") }
        do throws(PosixError) {
            try loop.add(device.descriptor, .readable) { [self] _ in wake() }
        } catch {
            warn("buttons: \(error.message)")
            return
        }
        devices.append(device)
        for (index, key) in keys.enumerated()
        where key.input.code.kind == .key && matches(key.input, device) && device.isHeld(key.input.code.number) {
            users.held(index)
        }
        let names = wanted.map { $0.code.name }.joined(separator: ", ")
        Log.notice("buttons: \(device.name) (\(device.node)) is there, with \(names)")
    }

    private func matches(_ input: Configuration.Input, _ device: InputDevice) -> Bool {
        if !input.device.isEmpty && input.device != device.name { return false }
        return input.code.kind == .key ? device.hasKey(input.code.number) : device.hasAxis(input.code.number)
    }

    /// Reads all waiting events.
    func read() {
        for device in devices {
            events.removeAll(keepingCapacity: true)
            do throws(PosixError) { try device.readEvents(into: &events) } catch {
                // The device is gone, or sleeps; `readEvents` has released its keys.
                loop.remove(device.descriptor)
                devices.removeAll { $0 === device }
                Log.notice("buttons: \(device.name) (\(device.node)) has gone")
            }
            for event in events { tell(event, of: device) }
        }
    }

    private func tell(_ event: InputEvent, of device: InputDevice) {
        switch event.change {
        case .key(let isPressed):
            for (index, key) in keys.enumerated() where isMeant(key.input, .key, event, device) {
                users.key(index, isPressed, event.timestamp)
            }
        // The speaker recognizes holds itself.
        case .repeated: break
        case .turned(let steps):
            for (knob, input) in axes where isMeant(input, .axis, event, device) {
                users.turned(knob, steps, event.timestamp)
            }
        }
    }

    private func isMeant(
        _ input: Configuration.Input, _ kind: InputCode.Kind, _ event: InputEvent, _ device: InputDevice
    ) -> Bool {
        input.code == InputCode(kind, event.code) && (input.device.isEmpty || input.device == device.name)
    }
}
