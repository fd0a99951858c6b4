// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Gpiod

@Suite struct LineCatalogueTests {
    /// As a Raspberry Pi 4 shows itself.
    private let pi4 = LineCatalogue(chips: [
        LineCatalogue.Chip(
            name: "gpiochip0", label: "pinctrl-bcm2711",
            lines: ["ID_SDA", "ID_SCL"] + (2...27).map { "GPIO\($0)" } + ["RGMII_MDIO", "RGMIO_MDC"]
                + [String](repeating: "", count: 28)),
        LineCatalogue.Chip(name: "gpiochip1", label: "raspberrypi-exp-gpio", lines: ["BT_ON", "WL_ON", "PWR_LED_OFF"]),
    ])

    /// As a Raspberry Pi 5 does: the header's chip was renumbered, and its old name is a link.
    private let pi5 = LineCatalogue(chips: [
        LineCatalogue.Chip(
            name: "gpiochip0", aliases: ["gpiochip4"], label: "pinctrl-rp1",
            lines: ["ID_SDA", "ID_SCL"] + (2...27).map { "GPIO\($0)" } + ["PCIE_RP1_WAKE"]),
        LineCatalogue.Chip(name: "gpiochip10", label: "gpio-brcmstb@107d508500", lines: ["-", "2712_BOOT_CS_N"]),
    ])

    /// A kernel from outside Raspberry Pi, which names lines by their function.
    private let mainline = LineCatalogue(chips: [
        LineCatalogue.Chip(name: "gpiochip0", label: "raspberrypi-exp-gpio", lines: ["BT_ON"]),
        LineCatalogue.Chip(name: "gpiochip1", label: "pinctrl-bcm2835", lines: ["ID_SDA", "ID_SCL", "SDA1", "SCL1"]),
    ])

    @Test func linesAreFoundByNameNumberAndPlace() throws {
        for text in ["GPIO17", "17", "gpiochip0:17", "/dev/gpiochip0:17"] {
            #expect(try pi4.find(text) == LineCatalogue.Address(chip: 0, offset: 17), "\(text)")
            #expect(try pi5.find(text) == LineCatalogue.Address(chip: 0, offset: 17), "\(text)")
        }
        #expect(try pi5.find("gpiochip4:17") == LineCatalogue.Address(chip: 0, offset: 17))
        #expect(try pi4.find("WL_ON") == LineCatalogue.Address(chip: 1, offset: 1))
        #expect(try pi4.find("gpiochip0:57") == LineCatalogue.Address(chip: 0, offset: 57))
        #expect(try mainline.find("3") == LineCatalogue.Address(chip: 1, offset: 3))
        #expect(try mainline.find("GPIO2") == LineCatalogue.Address(chip: 1, offset: 2))
    }

    @Test func aLineWhoseNameHoldsAColonIsFoundByItsName() throws {
        let catalogue = LineCatalogue(chips: [
            LineCatalogue.Chip(name: "gpiochip0", label: "x", lines: ["", "led:1"])
        ])
        #expect(try catalogue.find("led:1") == LineCatalogue.Address(chip: 0, offset: 1))
    }

    @Test(arguments: [
        (
            "GPIO99",
            "no GPIO line 'GPIO99': there are gpiochip0: ID_SDA, ID_SCL, GPIO2 to GPIO27, RGMII_MDIO, RGMIO_MDC, "
                + "28 without a name (gpiochip0:0 to 57); gpiochip1: BT_ON, WL_ON, PWR_LED_OFF"
        ),
        ("", "no GPIO line ''"),
        ("99", "no GPIO line '99'"),
        ("-1", "no GPIO line '-1'"),
        ("99999999999999999999999", "no GPIO line '9999"),
        ("gpiochip0:58", "no line '58' on gpiochip0: it has 0 to 57"),
        ("gpiochip0:-1", "no line '-1' on gpiochip0: it has 0 to 57"),
        ("gpiochip0:", "no line '' on gpiochip0"),
        ("gpiochip7:1", "no GPIO chip 'gpiochip7': there are gpiochip0, gpiochip1"),
        (":", "no GPIO chip ''"),
    ]) func whatIsNotThereIsAnErrorThatNamesWhatIs(text: String, message: String) {
        do throws(GpioError) {
            _ = try pi4.find(text)
            Issue.record("found")
        } catch {
            #expect(error.reason == .noSuchLine)
            #expect(error.message.contains(message), "\(error.message)")
        }
    }

    @Test func aChipWithHundredsOfNamesIsCutShort() {
        let catalogue = LineCatalogue(chips: [
            LineCatalogue.Chip(name: "gpiochip0", label: "x", lines: (0..<500).map { "L\($0 * 2)" })
        ])
        #expect(catalogue.summary.hasSuffix("L76, L78, and 460 more"))
        #expect(catalogue.summary.utf8.count < 300)
        let none = LineCatalogue(chips: [LineCatalogue.Chip(name: "gpiochip0", label: "x", lines: [])])
        #expect(none.summary == "gpiochip0: no lines")
    }

    @Test func namesThatEndInAHugeNumberDoNoHarm() {
        let catalogue = LineCatalogue(chips: [
            LineCatalogue.Chip(
                name: "gpiochip0", label: "x", lines: ["A9223372036854775807", "A99999999999999999999", "7", "8", "9"])
        ])
        #expect(catalogue.summary == "gpiochip0: A9223372036854775807, A99999999999999999999, 7 to 9")
    }
}
