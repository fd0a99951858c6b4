// SPDX-License-Identifier: Apache-2.0
import Configuration
import Console
import Core
import Model
import Posix

/// The configured consoles, which hear of every change.
final class Consoles {
    private let host: ConsoleHost
    private let loop: EventLoop
    private let channels = Channels()
    private var server: ConsoleServer?
    private var serial: SerialConsole?
    private var isOpen = true

    init(host: ConsoleHost, loop: EventLoop) {
        self.host = host
        self.loop = loop
        host.didCome = { [self] in
            server?.goOn()
            serial?.goOn()
        }
        host.changes.tell = { [self] subsystems in
            server?.notify(subsystems)
            serial?.notify(subsystems)
        }
    }

    /// Opens the consoles. One that cannot be opened causes a warning.
    /// - Parameter inherited: sockets from the service manager.
    func open(_ console: Configuration.Console, inherited: [Int32], warn: @escaping (String) -> Void) {
        var isClosedToNetwork = false
        let doorkeeper = Doorkeeper(
            defaultPermissions: console.defaultPermissions ?? (console.passwordPath.isEmpty ? .remote : []))
        // These processes handle data from strangers. Their group opens the socket to them, and not the speaker's files.
        for user in SystemUser.all() {
            switch user.name {
            case "nightstand-sync": doorkeeper.add(user: user.id, .carrier)
            case "nightstand-bridge", "nightstand-guest", "nightstand-headphones", "shairport-sync":
                doorkeeper.add(user: user.id, .remote)
            case "nightstand-screen": doorkeeper.add(user: user.id, .panel)
            default: break
            }
        }
        if !console.passwordPath.isEmpty {
            if PasswordFile.isOpen(at: console.passwordPath) {
                warn("console: everybody on this board may read the passwords in \(console.passwordPath); chmod o= it")
            }
            do throws(ConfigurationError) {
                for entry in try PasswordFile.entries(at: console.passwordPath) {
                    doorkeeper.add(password: entry.password, entry.permissions)
                }
            } catch {
                // Better closed than open to all.
                isClosedToNetwork = console.listen != nil || !inherited.isEmpty
                warn(
                    "console: \(error.message)"
                        + (isClosedToNetwork ? "; until that is mended nobody is let in over the network" : ""))
            }
        }
        let server = ConsoleServer(host: host, loop: loop, channels: channels, doorkeeper: doorkeeper)
        self.server = server
        if !console.socketPath.isEmpty {
            do throws(PosixError) { try server.listen(path: console.socketPath) } catch {
                warn("console: \(error.message)")
            }
        }
        if !console.serialDevice.isEmpty {
            if let warning = Consoles.warning(ofSerialLine: console.serialDevice) { warn("console: " + warning) }
            serial = SerialConsole(
                path: console.serialDevice, baud: console.baud, host: host, loop: loop, channels: channels)
        }
        for number in inherited {
            if isClosedToNetwork {
                _ = FileDescriptor(owning: number)
                continue
            }
            do throws(PosixError) { try server.listen(inherited: number) } catch { warn("console: \(error.message)") }
        }
        // A socket from the service manager replaces this one.
        if let address = console.listen, inherited.isEmpty, !isClosedToNetwork {
            listen(at: address, Backoff(firstMilliseconds: 1000, longestMilliseconds: 60_000), warn)
        }
    }

    /// Listens, and tries again if another program still has the port.
    private func listen(at address: InternetAddress, _ backoff: Backoff, _ warn: @escaping (String) -> Void) {
        guard let server, isOpen else { return }
        do throws(PosixError) {
            try server.listen(at: address)
            if backoff.failures > 0 { Log.notice("console: listens at \(address.text)") }
        } catch {
            if backoff.failures == 0 { warn("console: \(error.message)") }
            if !error.mayPass { return }
            var backoff = backoff
            loop.schedule(at: MonotonicTime.now.adding(milliseconds: backoff.failed())) { [self, backoff] in
                listen(at: address, backoff, warn)
            }
        }
    }

    func setHaptics(_ play: @escaping (Haptic) -> Void) { host.haptics = play }

    func tell(_ changes: Changes) { host.note(changes) }

    /// Calls back when a client takes the speaker's own buttons, and when the last gives them back.
    func followButtons(_ changed: @escaping (_ areTaken: Bool) -> Void) { channels.takenChanged = changed }

    /// Reports a gesture of one of the speaker's own buttons, such as "play press". Returns whether a client takes it instead.
    func press(_ gesture: String) -> Bool {
        let (isTold, isTaken) = (channels.tell(press: gesture), channels.press(gesture))
        if isTold || isTaken { host.changes.note(.message) }
        return isTaken
    }

    /// Sends a request to the headphones' process. Returns whether there is one.
    func ask(_ request: HeadphoneRequest) -> Bool {
        let isTold = channels.tell(headphones: request.words)
        if isTold { host.changes.note(.message) }
        return isTold
    }

    /// Shows one of a panel's screens, if there is a panel.
    func show(_ screen: ScreenName) { if channels.show(screen) { host.changes.note(.message) } }

    func close() {
        isOpen = false
        server?.close()
        serial?.close()
    }
}

extension Consoles {
    /// Returns what else uses a serial line, in words for people; nil if nothing is known. Reads /dev and /sys.
    /// - Parameter path: may be a link, like `/dev/serial0`.
    static func warning(ofSerialLine path: String) -> String? {
        func resolved(_ path: String) -> String? { try? Files.resolved(path) }
        guard let line = resolved(path) else { return nil }
        if let bluetooth = resolved("/dev/serial1"), line.utf8.elementsEqual(bluetooth.utf8) {
            return "\(path) is the line of the Bluetooth chip: the pins are /dev/serial0"
        }
        let active = (try? Files.read("/sys/class/tty/console/active", limit: 4096)) ?? []
        let names = String(decoding: active, as: UTF8.self).utf8.split { $0 <= 0x20 }
        guard names.contains(where: { $0.elementsEqual(line.pathName.utf8) }) else { return nil }
        return "the kernel prints on \(path), too: take console=… out of cmdline.txt"
    }
}
