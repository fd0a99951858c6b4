import Playback
import Controls
import Configuration
import Console
import Display
import Posix

/// What surrounds the appliance: screens, buttons, consoles; told of every change.
final class Board {
    private let appliance: Appliance
    private let screens: ScreenDriver
    private var server: ConsoleServer?
    private var serial: SerialConsole?
    private var buttons: Buttons?

    init(appliance: Appliance, screens: [any Screen]) {
        self.appliance = appliance
        self.screens = ScreenDriver(appliance: appliance, screens: screens)
        appliance.didChange = { [self] subsystems in
            self.screens.setNeedsUpdate()
            server?.notify(subsystems)
            serial?.notify(subsystems)
        }
        appliance.announce = { [self] message in self.screens.announce(message) }
        self.screens.setNeedsUpdate()
    }

    func openButtons() {
        if appliance.configuration.buttons.isEmpty { return }
        buttons = Buttons(configuration: appliance.configuration, loop: appliance.loop, warn: appliance.warn) {
            [self] command in appliance.perform(command)
        }
    }

    /// The consoles that the configuration names; one that cannot be had is a warning.
    func openConsoles() {
        let console = appliance.configuration.console
        if !console.socketPath.isEmpty {
            do throws(PosixError) {
                server = try ConsoleServer(path: console.socketPath, speaker: appliance, loop: appliance.loop)
            } catch {
                appliance.warn("console: \(error.message)")
            }
        }
        if !console.serialDevice.isEmpty {
            serial = SerialConsole(
                path: console.serialDevice, baud: console.baud, speaker: appliance, loop: appliance.loop)
        }
    }

    func close() {
        server?.close()
        serial?.close()
    }
}
