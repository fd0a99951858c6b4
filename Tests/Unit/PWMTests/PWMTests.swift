// SPDX-License-Identifier: Apache-2.0
import Foundation
import Posix
import Testing

@testable import PWM

/// A chip's folder as the kernel has it: files that hold what was written last.
final class FakeChip {
    let path = NSTemporaryDirectory() + "pwmchip-" + UUID().uuidString

    init(channels: [Int]) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: path + "/export"))
        for channel in channels { try export(channel) }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func export(_ channel: Int) throws {
        let folder = path + "/pwm\(channel)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in ["period", "duty_cycle", "enable"] {
            try Data("0\n".utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
        }
    }

    func text(_ name: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path + "/" + name) ?? Data(), as: UTF8.self)
    }
}

@Suite struct PWMTests {
    @Test func aPartOfThePeriodIsOn() throws {
        let chip = try FakeChip(channels: [1])
        do {
            let channel = try PWMChannel(chip: chip.path, channel: 1, hertz: 20_000)
            #expect(chip.text("pwm1/period") == "50000" && chip.text("pwm1/enable") == "1")
            #expect(chip.text("pwm1/duty_cycle") == "0" && chip.text("export").isEmpty)
            for (percent, duty) in [(100, "50000"), (60, "30000"), (1, "500"), (0, "0"), (300, "50000"), (-5, "0")] {
                try channel.set(percent: percent)
                #expect(chip.text("pwm1/duty_cycle") == duty)
            }
            try channel.set(percent: 70)
        }
        // The channel is off without an owner.
        #expect(chip.text("pwm1/duty_cycle") == "0" && chip.text("pwm1/enable") == "0")
    }

    @Test func aChannelIsAskedForFirst() throws {
        let chip = try FakeChip(channels: [])
        // The kernel makes its files, and udev gives them to us a moment later.
        #expect(throws: PosixError.self) { _ = try PWMChannel(chip: chip.path, channel: 0, hertz: 200) }
        #expect(chip.text("export") == "0")
        try chip.export(0)
        let channel = try PWMChannel(chip: chip.path, channel: 0, hertz: 200)
        #expect(chip.text("pwm0/period") == "5000000")
        _ = consume channel
    }

    @Test func whatIsNotThereIsSaid() {
        let error = #expect(throws: PosixError.self) {
            _ = try PWMChannel(chip: "pwmchip99", channel: 0, hertz: 200)
        }
        #expect(error?.message.contains("/sys/class/pwm/pwmchip99/export") == true)
    }
}
