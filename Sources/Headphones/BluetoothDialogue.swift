// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Posix

/// The conversation with `bluetoothctl`: its lines come in, and the commands for it go out. No thread, no clock.
public struct BluetoothDialogue {
    private struct Device {
        var name = ""
        var isAudio = false
        var isPaired = false
        var isConnected = false
        var hasFailed = false
        /// True if the speaker has tried to connect it. It tries each known device once after the start: many only wait.
        var wasCalled = false
    }

    private static let mostDevices = 200
    private static let mostLineBytes = 1024
    /// The service of headphones and loudspeakers, in BlueZ's words.
    private static let sink = "Audio Sink "

    private var devices: [(address: String, device: Device)] = []
    /// The beginning of an unfinished line.
    private var rest: [UInt8] = []
    /// The address that the lines of `info` are about.
    private var subject: String?
    /// The address that is being paired, and the one that is being connected.
    private var pairing: String?
    private var connecting: String?
    private var isScanning = false
    /// The commands to write, a line each.
    public private(set) var commands: [String] = ["power on"]

    public init() {}

    public mutating func takeCommands() -> [String] {
        defer { commands = [] }
        return commands
    }

    public var list: HeadphoneList {
        HeadphoneList(
            devices.compactMap { entry in
                let device = entry.device
                if !device.isAudio || !device.isPaired && device.isConnected { return nil }
                return Headphones(
                    address: entry.address, name: device.name,
                    state: device.isConnected
                        ? .connected : device.hasFailed ? .failed : device.isPaired ? .known : .found,
                    isPaired: device.isPaired)
            }, isScanning: isScanning)
    }

    public mutating func take(_ request: HeadphoneRequest) {
        switch request {
        case .scan:
            isScanning = true
            for index in devices.indices { devices[index].device.hasFailed = false }
            commands.append("scan bredr")
        case .pair(let address):
            stopScan()
            change(address) { $0.hasFailed = false }
            pairing = address
            commands.append("pair " + address)
        case .connect(let address): connect(address)
        case .disconnect(let address): commands.append("disconnect " + address)
        case .forget(let address): commands.append("remove " + address)
        }
    }

    /// Ends a scan or a pairing after its timeout.
    public mutating func giveUp() {
        stopScan()
        guard let pairing else { return }
        commands.append("cancel-pairing " + pairing)
        change(pairing) { $0.hasFailed = true }
        self.pairing = nil
    }

    private mutating func stopScan() {
        if isScanning { commands.append("scan off") }
        isScanning = false
    }

    private mutating func connect(_ address: String) {
        change(address) { $0.hasFailed = false }
        connecting = address
        commands.append("connect " + address)
    }

    /// Takes the program's output.
    public mutating func take(_ bytes: [UInt8]) {
        for byte in bytes {
            if byte == 0x0A {
                take(line: BluetoothDialogue.plain(rest))
                rest = []
            } else if rest.count < BluetoothDialogue.mostLineBytes {
                rest.append(byte)
            }
        }
    }

    /// Returns a line without its prompt and the terminal's control sequences.
    private static func plain(_ line: [UInt8]) -> String {
        var bytes: [UInt8] = []
        var index = 0
        while index < line.count {
            let byte = line[index]
            index += 1
            switch byte {
            // The line begins anew.
            case 0x0D: bytes = []
            // ESC [ 0 ; 9 4 m
            case 0x1B:
                if index < line.count, line[index] == UInt8(ascii: "[") { index += 1 }
                while index < line.count, !(0x40...0x7E).contains(line[index]) { index += 1 }
                index += 1
            case 0x01, 0x02: break
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func take(line: String) {
        if line.begins(with: "\t") { return takeFact(line.after("\t")) }
        subject = nil
        if line.begins(with: "[NEW] Device ") {
            look(line.after("[NEW] Device "))
        } else if line.begins(with: "[CHG] Device ") {
            let words = line.after("[CHG] Device ")
            // Signal strengths come every second.
            let fact = String(Substring(words.utf8.dropFirst(18)))
            if !["RSSI:", "TxPower:", "ManufacturerData"].contains(where: { fact.begins(with: $0) }) { look(words) }
        } else if line.begins(with: "[DEL] Device ") {
            let address = String(Substring(line.after("[DEL] Device ").utf8.prefix(17)))
            devices.removeAll { $0.address == address }
        } else if line.begins(with: "Device ") {
            let address = String(Substring(line.after("Device ").utf8.prefix(17)))
            if Headphones.isAddress(address) { subject = address }
        } else if line.begins(with: "Pairing successful")
            || line.begins(with: "Failed to pair: org.bluez.Error.AlreadyExists")
        {
            guard let address = pairing else { return }
            pairing = nil
            // The headphones may reconnect by themselves from now on.
            commands.append("trust " + address)
            connect(address)
        } else if line.begins(with: "Failed to pair: ") {
            if let pairing { change(pairing) { $0.hasFailed = true } }
            pairing = nil
        } else if line.begins(with: "Connection successful") {
            connecting = nil
        } else if line.begins(with: "Failed to connect: ") {
            if let connecting { change(connecting) { $0.hasFailed = !$0.isConnected } }
            connecting = nil
        }
    }

    /// Asks for all facts of a device that is new or has changed.
    private mutating func look(_ words: String) {
        let address = String(Substring(words.utf8.prefix(17)))
        guard Headphones.isAddress(address) else { return }
        if !devices.contains(where: { $0.address == address }) {
            if devices.count >= BluetoothDialogue.mostDevices { return }
            devices.append((address, Device()))
        }
        let command = "info " + address
        if !commands.contains(command) { commands.append(command) }
    }

    /// Takes a fact. Of two lines with one name the last counts: a device's own name comes first, and could pretend to be other facts.
    private mutating func takeFact(_ line: String) {
        guard let subject else { return }
        var call = false
        change(subject) { device in
            if line.begins(with: "Alias: ") {
                device.name = line.after("Alias: ")
                device.isAudio = false
            } else if line.begins(with: "Icon: audio-") || line.begins(with: "UUID: " + BluetoothDialogue.sink) {
                device.isAudio = true
            } else if line.begins(with: "Paired: ") {
                device.isPaired = line == "Paired: yes"
            } else if line.begins(with: "Connected: ") {
                device.isConnected = line == "Connected: yes"
                if device.isConnected { device.hasFailed = false }
                call = device.isPaired && !device.isConnected && !device.wasCalled
                device.wasCalled = device.wasCalled || device.isPaired
            }
        }
        if call && pairing == nil && connecting == nil { commands.append("connect " + subject) }
    }

    private mutating func change(_ address: String, _ body: (inout Device) -> Void) {
        guard let index = devices.firstIndex(where: { $0.address == address }) else { return }
        body(&devices[index].device)
    }
}

extension String {
    fileprivate func after(_ start: String) -> String { String(Substring(utf8.dropFirst(start.utf8.count))) }
}
