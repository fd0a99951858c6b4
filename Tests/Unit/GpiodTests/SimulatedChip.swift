// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A GPIO chip of the kernel's gpio-sim, eight lines wide, made through configfs and removed with its owner. Lines 0…3 are named
/// SIM-A…SIM-D, line 4 is GPIO17, line 5 is held by "somebody else", the others have no name.
final class SimulatedChip {
    private static let root = "/sys/kernel/config/gpio-sim"

    /// Needs root, gpio-sim in the kernel, and configfs mounted.
    static var isAvailable: Bool { access(root, W_OK) == 0 }

    /// "gpiochip0".
    let name: String
    private let folder: String
    private let device: String

    init() throws {
        folder = Self.root + "/nightstand-" + UUID().uuidString
        let bank = folder + "/bank"
        try Self.makeFolder(bank)
        try Self.write("8", to: bank + "/num_lines")
        for (line, name) in [(0, "SIM-A"), (1, "SIM-B"), (2, "SIM-C"), (3, "SIM-D"), (4, "GPIO17"), (5, "TAKEN")] {
            try Self.makeFolder(bank + "/line\(line)")
            try Self.write(name, to: bank + "/line\(line)/name")
        }
        try Self.makeFolder(bank + "/line5/hog")
        try Self.write("somebody else", to: bank + "/line5/hog/name")
        try Self.write("input", to: bank + "/line5/hog/direction")
        try Self.write("1", to: folder + "/live")
        name = try Self.read(bank + "/chip_name")
        device = try Self.read(folder + "/dev_name")
    }

    deinit {
        try? Self.write("0", to: folder + "/live")
        for path in ["/bank/line5/hog"] + (0...5).map({ "/bank/line\($0)" }) + ["/bank", ""] { rmdir(folder + path) }
    }

    /// Puts a level on a line, as a wire does.
    func pull(_ line: Int, high: Bool) throws {
        try Self.write(
            high ? "pull-up" : "pull-down", to: "/sys/devices/platform/\(device)/\(name)/sim_gpio\(line)/pull")
    }

    private static func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// One write(2), as these files ask for.
    private static func write(_ text: String, to path: String) throws {
        guard let file = FileHandle(forWritingAtPath: path) else { throw CocoaError(.fileNoSuchFile) }
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }

    private static func read(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
