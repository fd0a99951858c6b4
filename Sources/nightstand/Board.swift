import Configuration
import Console
import Core
import Display
import Playback
import Posix

/// What surrounds the appliance: screens, buttons, consoles; told of every change.
final class Board {
    private let appliance: Appliance
    private let consoles: ConsoleAdapter
    private let screens: ScreenDriver
    private var server: ConsoleServer?
    private var serial: SerialConsole?
    private var buttons: Buttons?
    /// Nil where no service manager started us.
    private var service: ServiceReports?
    private var untold: Subsystems = []

    init(appliance: Appliance, screens: [any Screen]) {
        self.appliance = appliance
        consoles = ConsoleAdapter(appliance: appliance)
        self.screens = ScreenDriver(appliance: appliance, screens: screens)
        appliance.didChange = { [self] changes in
            self.screens.setNeedsUpdate()
            service?.update()
            tellConsoles(Subsystems(changes))
        }
        appliance.announce = { [self] notice in self.screens.announce(notice) }
        self.screens.setNeedsUpdate()
    }

    /// Once the loop goes round again: a change may come from a command that a console is still carrying out.
    private func tellConsoles(_ subsystems: Subsystems) {
        if subsystems.isEmpty { return }
        let wasEmpty = untold.isEmpty
        untold.formUnion(subsystems)
        if !wasEmpty { return }
        appliance.loop.schedule(at: .now) { [self] in
            let told = untold
            untold = []
            server?.notify(told)
            serial?.notify(told)
        }
    }

    func openButtons() {
        if appliance.configuration.buttons.isEmpty { return }
        buttons = Buttons(configuration: appliance.configuration, loop: appliance.loop, warn: appliance.warn) {
            [self] command, time in appliance.perform(command, at: time)
        }
    }

    /// The consoles that the configuration names; one that cannot be had is a warning.
    func openConsoles() {
        let console = appliance.configuration.console
        if !console.socketPath.isEmpty {
            do throws(PosixError) {
                server = try ConsoleServer(path: console.socketPath, speaker: consoles, loop: appliance.loop)
            } catch {
                appliance.warn("console: \(error.message)")
            }
        }
        if !console.serialDevice.isEmpty {
            serial = SerialConsole(
                path: console.serialDevice, baud: console.baud, speaker: consoles, loop: appliance.loop)
        }
    }

    /// Everything is open: buttons and consoles are answered from here on.
    func ready() {
        service = ServiceManager().map { ServiceReports(appliance: appliance, manager: $0) }
        service?.ready()
        Log.notice("ready")
    }

    func stopping() { service?.stopping() }

    func close() {
        server?.close()
        serial?.close()
    }
}
