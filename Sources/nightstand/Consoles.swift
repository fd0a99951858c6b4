import Adapters
import Configuration
import Console
import Core
import Posix

/// The consoles that the configuration names, told of every change.
final class Consoles {
    private let adapter: ConsoleAdapter
    private let loop: EventLoop
    private let channels = Channels()
    private var server: ConsoleServer?
    private var serial: SerialConsole?

    init(adapter: ConsoleAdapter, loop: EventLoop) {
        self.adapter = adapter
        self.loop = loop
        adapter.tell = { [self] subsystems in
            server?.notify(subsystems)
            serial?.notify(subsystems)
        }
    }

    /// One that cannot be opened is a warning.
    func open(_ console: Configuration.Console, warn: (String) -> Void) {
        if !console.socketPath.isEmpty {
            do throws(PosixError) {
                server = try ConsoleServer(path: console.socketPath, speaker: adapter, loop: loop, channels: channels)
            } catch {
                warn("console: \(error.message)")
            }
        }
        if !console.serialDevice.isEmpty {
            serial = SerialConsole(
                path: console.serialDevice, baud: console.baud, speaker: adapter, loop: loop, channels: channels)
        }
    }

    func tell(_ changes: Changes) { adapter.note(changes) }

    func close() {
        server?.close()
        serial?.close()
    }
}
