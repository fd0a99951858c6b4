// SPDX-License-Identifier: Apache-2.0
import CEvdev
import Configuration
import Core
import Evdev
import Interaction
import Posix
import Scenes

/// The touch panels, pointers and keyboards of a screen, which may come and go at any time.
final class ScreenInputs {
    /// A finger's place, as a part of the unrotated panel.
    struct Place {
        var finger: Int
        var phase: Contact.Phase
        var x: Float
        var y: Float
        var calibration: Calibration
    }

    enum Key: Equatable {
        case move(Side)
        case after, before, choose, leave, hold
        /// An action that works on any screen.
        case act(Element.Action)
        case louder, quieter
        case show(Element.Tab)
        case search
        /// A typed letter, by its ASCII code.
        case letter(UInt8)
        case erase

        /// True if the held key repeats: for motion along a list, and for the volume. Commands to play or to keep act once.
        var repeats: Bool {
            switch self {
            case .move, .after, .before, .louder, .quieter: true
            default: false
            }
        }
    }

    enum Press {
        case down
        /// The held key repeats.
        case again
        case up

        var phase: Contact.Phase {
            switch self {
            case .down: .down
            case .again: .moved
            case .up: .up
            }
        }
    }

    enum PointerAct {
        case moved(x: Int, y: Int)
        case button(isDown: Bool)
        /// The turn of a wheel; positive away from the hand.
        case wheel(Int)
    }

    struct Users {
        /// Called with a touch and its time, in milliseconds of a monotonic clock.
        let touched: (Place, Int) -> Void
        let key: (Key, Press, Int) -> Void
        let pointed: (PointerAct, Int) -> Void
    }

    private let loop: EventLoop
    private let users: Users
    private let calibration: Calibration
    private var folder: DeviceFolder?
    private var panels: [TouchDevice] = []
    private var keyboards: [InputDevice] = []
    /// The devices that were opened and are of no use here.
    private var others: [String] = []
    private var touches: [TouchEvent] = []
    private var events: [InputEvent] = []

    init(_ settings: Configuration.Screen, loop: EventLoop, users: Users) {
        self.loop = loop
        self.users = users
        let six = settings.calibration
        calibration = six.count == 6 ? Calibration(six[0], six[1], six[2], six[3], six[4], six[5]) : .none
        do throws(PosixError) {
            let folder = try InputFolder.watch()
            try loop.add(folder.descriptor, .readable) { [self] _ in look() }
            self.folder = folder
        } catch { Log.warning("screen: " + error.message) }
        look()
    }

    deinit {
        for device in panels { loop.remove(device.descriptor) }
        for device in keyboards { loop.remove(device.descriptor) }
        if let folder { loop.remove(folder.descriptor) }
    }

    /// Opens new devices.
    private func look() {
        folder?.drain()
        let nodes = folder?.nodes ?? []
        others.removeAll { !nodes.contains($0) }
        for node in nodes
        where !others.contains(node) && !panels.contains(where: { $0.node == node })
            && !keyboards.contains(where: { $0.node == node })
        { open(node) }
    }

    private func open(_ node: String) {
        // udev sets a new device's permissions a moment later, and the folder reports that, too.
        do throws(PosixError) {
            if let panel = try TouchDevice(node: node) {
                try loop.add(panel.descriptor, .readable) { [self] _ in read(panel) }
                panels.append(panel)
                return Log.notice("screen: \(panel.name) (\(node)) is touched")
            }
            let device = try InputDevice(node: node)
            let isMouse = device.hasAxis(UInt16(REL_X)) && device.hasKey(UInt16(BTN_LEFT))
            let isRemote = ScreenInputs.usefulKeys.contains { device.hasKey(UInt16($0)) }
            if !isMouse && !isRemote { return others.append(node) }
            try loop.add(device.descriptor, .readable) { [self] _ in read(device) }
            keyboards.append(device)
            Log.notice("screen: \(device.name) (\(node)) " + (isMouse ? "moves a pointer" : "moves the focus"))
        } catch {}
    }

    private func read(_ panel: TouchDevice) {
        touches.removeAll(keepingCapacity: true)
        do throws(PosixError) { try panel.readEvents(into: &touches) } catch {
            loop.remove(panel.descriptor)
            panels.removeAll { $0 === panel }
            Log.notice("screen: \(panel.name) (\(panel.node)) has gone")
        }
        for event in touches {
            let phase: Contact.Phase =
                switch event.phase {
                case .down: .down
                case .moved: .moved
                case .up: .up
                case .lost: .lost
                }
            users.touched(
                Place(finger: event.finger, phase: phase, x: event.x, y: event.y, calibration: calibration),
                event.timestamp.moment)
        }
    }

    private func read(_ keyboard: InputDevice) {
        events.removeAll(keepingCapacity: true)
        do throws(PosixError) { try keyboard.readEvents(into: &events) } catch {
            loop.remove(keyboard.descriptor)
            keyboards.removeAll { $0 === keyboard }
            Log.notice("screen: \(keyboard.name) (\(keyboard.node)) has gone")
        }
        var (x, y) = (0, 0)
        for event in events {
            let moment = event.timestamp.moment
            switch event.change {
            case .turned(let steps):
                switch Int32(event.code) {
                case Int32(REL_X): x += steps
                case Int32(REL_Y): y += steps
                case Int32(REL_WHEEL): users.pointed(.wheel(steps), moment)
                default: break
                }
            case .key(let isPressed):
                // Report the motion before the button.
                if x != 0 || y != 0 { users.pointed(.moved(x: x, y: y), moment) }
                (x, y) = (0, 0)
                if Int32(event.code) == Int32(BTN_LEFT) {
                    users.pointed(.button(isDown: isPressed), moment)
                } else if let key = ScreenInputs.key(event.code) {
                    users.key(key, isPressed ? .down : .up, moment)
                }
            case .repeated:
                if let key = ScreenInputs.key(event.code) { users.key(key, .again, moment) }
            }
        }
        if let last = events.last, x != 0 || y != 0 {
            users.pointed(.moved(x: x, y: y), last.timestamp.moment)
        }
    }

    /// A device with one of these keys is worth reading.
    private static let usefulKeys = [KEY_ENTER, KEY_OK, KEY_SELECT, KEY_PLAYPAUSE, KEY_NEXTSONG]

    private static func key(_ code: UInt16) -> Key? {
        switch Int32(code) {
        case Int32(KEY_UP): .move(.up)
        case Int32(KEY_DOWN): .move(.down)
        case Int32(KEY_LEFT): .move(.left)
        case Int32(KEY_RIGHT): .move(.right)
        case Int32(KEY_TAB), Int32(KEY_PAGEDOWN), Int32(KEY_CHANNELDOWN): .after
        case Int32(KEY_PAGEUP), Int32(KEY_CHANNELUP): .before
        case Int32(KEY_ENTER), Int32(KEY_KPENTER), Int32(KEY_SELECT), Int32(KEY_OK): .choose
        case Int32(KEY_ESC), Int32(KEY_BACK), Int32(KEY_EXIT): .leave
        case Int32(KEY_MENU), Int32(KEY_COMPOSE), Int32(KEY_CONTEXT_MENU): .hold
        case Int32(KEY_PLAYPAUSE), Int32(KEY_PLAYCD), Int32(KEY_PLAY), Int32(KEY_PAUSECD), Int32(KEY_PAUSE),
            Int32(KEY_STOPCD), Int32(KEY_STOP):
            .act(.togglePlayback)
        case Int32(KEY_NEXTSONG): .act(.next)
        case Int32(KEY_PREVIOUSSONG): .act(.previous)
        case Int32(KEY_FASTFORWARD): .act(.forward)
        case Int32(KEY_REWIND): .act(.back)
        case Int32(KEY_FAVORITES), Int32(KEY_BOOKMARKS): .act(.toggleFavourite)
        case Int32(KEY_VOLUMEUP): .louder
        case Int32(KEY_VOLUMEDOWN): .quieter
        case Int32(KEY_HOMEPAGE), Int32(KEY_HOME): .show(.player)
        case Int32(KEY_SEARCH), Int32(KEY_FIND): .search
        case Int32(KEY_BACKSPACE): .erase
        case Int32(KEY_SPACE): .letter(0x20)
        default: letter(code).map { .letter($0) }
        }
    }

    /// Returns a key's letter on an English keyboard.
    private static func letter(_ code: UInt16) -> UInt8? {
        let rows: [(Int32, StaticString)] = [
            (Int32(KEY_1), "1234567890"), (Int32(KEY_Q), "qwertyuiop"), (Int32(KEY_A), "asdfghjkl"),
            (Int32(KEY_Z), "zxcvbnm"),
        ]
        for (first, letters) in rows {
            let index = Int(Int32(code) - first)
            if index >= 0 && index < letters.utf8CodeUnitCount { return letters.utf8Start[index] }
        }
        return nil
    }
}
