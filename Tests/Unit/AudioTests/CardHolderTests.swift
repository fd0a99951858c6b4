// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import ALSA

/// The kernel's description of its sound cards, in a folder of the test's own.
@Suite("Holder of a card") struct CardHolderTests {
    private let root = NSTemporaryDirectory() + "card-holder-" + UUID().uuidString

    private func write(_ path: String, _ text: String) throws {
        let file = URL(fileURLWithPath: root + "/" + path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private func running(_ owner: Int32) -> String {
        "state: RUNNING\nowner_pid   : \(owner)\ntrigger_time: 1254.1\navail       : 441\n"
    }

    @Test func theProgramIsFoundByTheCardThatADeviceNames() throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        try write("asound/card0/pcm0p/sub0/status", "closed\n")
        try write("asound/card0/pcm0c/sub0/status", running(7))
        try write("asound/card1/pcm3p/sub0/status", running(501))
        try FileManager.default.createSymbolicLink(
            atPath: root + "/asound/DAC", withDestinationPath: "card1")
        try write("7/comm", "arecord\n")
        try write("501/comm", "squeezelite\n")
        for device in [
            "hw:1", "hw:1,3", "plughw:CARD=DAC,DEV=3", "hw:CARD=1", "default", "sysdefault", "hw:../card1", "hw:",
            "hw:CARD=",
        ] {
            #expect(CardHolder.name(of: device, root: root) == "squeezelite", "\(device)")
        }
        for device in ["hw:0", "hw:2", "hdmi:CARD=HDMI"] {
            #expect(CardHolder.name(of: device, root: root) == nil, "\(device)")
        }
        // Two programs play: the device does not say which of them is meant.
        try write("asound/card0/pcm0p/sub0/status", running(7))
        #expect(CardHolder.name(of: "default", root: root) == nil)
        #expect(CardHolder.name(of: "hw:0", root: root) == "arecord")
        // This program's own stream is no other's, and a process of another user may be hidden.
        try write("asound/card0/pcm0p/sub0/status", running(getpid()))
        #expect(CardHolder.name(of: "hw:0", root: root) == nil)
        try write("asound/card0/pcm0p/sub0/status", running(502))
        #expect(CardHolder.name(of: "hw:0", root: root) == nil)
    }
}
