// SPDX-License-Identifier: Apache-2.0
import Core
import Testing

@testable import Configuration

@Suite struct TheScreenInTheFile {
    private func screen(_ text: String) throws(ConfigurationError) -> Configuration.Screen {
        try Configuration(parsing: Array(("[screen]\n" + text).utf8), file: "x").screen
    }

    @Test func everyKey() throws {
        let screen = try screen(
            """
            enabled = yes
            device = /dev/fb1
            output = fb
            rotation = 270
            layout = simple
            text_size = 200
            theme = dark
            night = 21:30-06:15
            backlight = rpi_backlight
            brightness = 90
            dim_brightness = 0
            dim_seconds = 0
            off_seconds = 300
            off_at_night = no
            reduce_motion = yes
            reduce_transparency = yes
            contrast = more
            low_power = yes
            input = no
            calibration = 0 1 0 -1.05 0 1.025
            """)
        #expect(
            screen.isEnabled && screen.device == "/dev/fb1" && screen.output == .framebuffer && screen.rotation == 270)
        #expect(screen.isSimple && screen.textPercent == 200 && screen.theme == .dark)
        #expect(screen.night == NightHours(from: 21 * 60 + 30, to: 6 * 60 + 15))
        #expect(screen.backlight == "rpi_backlight" && screen.brightness == 90 && screen.dimBrightness == 0)
        #expect(screen.dimSeconds == 0 && screen.offSeconds == 300 && !screen.isOffAtNight)
        #expect(screen.reducesMotion && screen.reducesTransparency && screen.hasMoreContrast && screen.savesPower)
        #expect(!screen.hasInput && screen.calibration == [0, 1, 0, -1.05, 0, 1.025])
    }

    @Test func nothingIsWritten() throws {
        let screen = try screen("night =\ncalibration =\ndevice =\nlayout = full\n")
        #expect(
            !screen.isSimple && screen.night == nil && screen.calibration.isEmpty && screen.device.isEmpty)
    }

    @Test(arguments: [
        "enabled = 1", "device = fb0", "output = egl", "rotation = 45", "layout = large",
        "text_size = 40", "theme = pink",
        "night = 22-7", "night = 24:00-07:00", "backlight = ../x", "brightness = 0", "dim_seconds = -1",
        "contrast = less", "calibration = 1 0 0", "calibration = 1 0 0 0 1 x", "calibration = 1e3 0 0 0 1 0",
    ]) func whatIsWrong(line: String) {
        let error = #expect(throws: ConfigurationError.self) { try screen(line) }
        #expect(error?.line == 2)
    }

    @Test func nightGoesPastMidnight() {
        let night = NightHours(from: 22 * 60, to: 7 * 60)
        #expect(night.contains(minute: 23 * 60) && night.contains(minute: 0) && night.contains(minute: 419))
        #expect(!night.contains(minute: 420) && !night.contains(minute: 12 * 60))
        #expect(!NightHours(from: 600, to: 600).contains(minute: 600))
    }
}

@Suite struct HapticsInTheFile {
    private func haptics(_ text: String) throws(ConfigurationError) -> Configuration.Haptics {
        try Configuration(parsing: Array(text.utf8), file: "x").haptics
    }

    @Test func everyKey() throws {
        let haptics = try haptics("[haptics]\nline = 12,active-low\nstrength = 150\nbuttons = no\n")
        #expect(haptics.line == "GPIO12" && haptics.isActiveLow)
        #expect(haptics.strengthPercent == 150 && !haptics.hasButtons)
        let pwm = try self.haptics("[haptics]\npwm = pwmchip0/1\npwm_hz = 200\n")
        #expect(
            pwm.pwm == .init(chip: "pwmchip0", channel: 1) && pwm.pwmHertz == 200 && pwm.isThere && pwm.line.isEmpty)
        #expect(try self.haptics("[haptics]\npwm = /tmp/chip/0\n").pwm?.chip == "/tmp/chip")
        let none = try self.haptics("")
        #expect(!none.isThere && none.pwm == nil && none.pwmHertz == 20_000)
        #expect(none.line.isEmpty && none.hasButtons && none.strengthPercent == 100)
    }

    @Test func mistakesNameTheirLine() {
        for (text, line) in [
            ("[haptics]\nline = GPIO12,pull-up\n", 2), ("[haptics]\npwm = pwmchip0\n", 2),
            ("[haptics]\npwm = pwmchip0/x\n", 2), ("[haptics]\npwm = /0\n", 2), ("[haptics]\npwm_hz = 5\n", 2),
            ("[haptics]\npwm = pwmchip0/0\nline = GPIO12\n", 3), ("[haptics]\nstrength = 0\n", 2),
            ("[haptics]\nline = GPIO17\n[buttons]\nplay = GPIO17\n", 2), ("[haptics]\nmotor = GPIO12\n", 2),
        ] {
            let error = #expect(throws: ConfigurationError.self) { try haptics(text) }
            #expect(error?.line == line)
        }
    }
}
