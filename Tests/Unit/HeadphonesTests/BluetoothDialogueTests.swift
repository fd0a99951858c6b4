// SPDX-License-Identifier: Apache-2.0
import Model
import Testing

@testable import Headphones

/// The lines are those of bluetoothctl 5.66, written down from a pipe.
struct BluetoothDialogueTests {
    private let address = "02:00:00:00:00:01"
    private let found =
        "\u{1B}[0;94m[bluetooth]\u{1B}[0m# \r\u{1B}[K[\u{1}\u{1B}[0;92m\u{2}NEW\u{1}\u{1B}[0m\u{2}] Device 02:00:00:00:00:01 Quiet Ears\n"

    private func facts(name: String = "Quiet Ears", paired: String = "no", connected: String = "no") -> String {
        """
        \u{1B}[0;94m[bluetooth]\u{1B}[0m# info 02:00:00:00:00:01
        Device 02:00:00:00:00:01 (public)
        \tName: \(name)
        \tAlias: \(name)
        \tClass: 0x00240404
        \tIcon: audio-headset
        \tPaired: \(paired)
        \tTrusted: no
        \tBlocked: no
        \tConnected: \(connected)
        \tLegacyPairing: no
        \tUUID: Audio Sink                (0000110b-0000-1000-8000-00805f9b34fb)
        \tRSSI: -50

        """
    }

    private func started() -> BluetoothDialogue {
        var dialogue = BluetoothDialogue()
        #expect(dialogue.takeCommands() == ["power on"])
        dialogue.take(
            Array(
                "Waiting to connect to bluetoothd...\r\u{1B}[22P\u{1B}[0;94m[bluetooth]\u{1B}[0m# \r\u{1B}[KAgent registered\n"
                    .utf8))
        return dialogue
    }

    private func states(_ dialogue: BluetoothDialogue) -> [String] { dialogue.list.all.map { $0.words } }

    @Test func newOnesAreFoundPairedTrustedAndConnected() {
        var dialogue = started()
        dialogue.take(.scan)
        #expect(dialogue.takeCommands() == ["scan bredr"] && dialogue.list.isScanning)
        dialogue.take(Array(found.utf8))
        #expect(dialogue.takeCommands() == ["info " + address])
        dialogue.take(Array(facts().utf8))
        #expect(states(dialogue) == ["found new 02:00:00:00:00:01 Quiet Ears"])
        dialogue.take(.pair(address))
        #expect(dialogue.takeCommands() == ["scan off", "pair " + address] && !dialogue.list.isScanning)
        dialogue.take(
            Array("\r\u{1B}[0;94m[Quiet Ears]\u{1B}[0m# \r\u{1B}[KPairing successful\n".utf8))
        #expect(dialogue.takeCommands() == ["trust " + address, "connect " + address])
        dialogue.take(Array(("Connection successful\n" + facts(paired: "yes", connected: "yes")).utf8))
        #expect(states(dialogue) == ["connected paired 02:00:00:00:00:01 Quiet Ears"])
        dialogue.take(Array("[DEL] Device 02:00:00:00:00:01 Quiet Ears\n".utf8))
        #expect(states(dialogue).isEmpty)
    }

    @Test func aFailureIsSaidUntilTheNextAttempt() {
        var dialogue = started()
        dialogue.take(Array((found + facts()).utf8))
        dialogue.take(.pair(address))
        dialogue.take(Array("Failed to pair: org.bluez.Error.AuthenticationFailed\n".utf8))
        #expect(states(dialogue) == ["failed new 02:00:00:00:00:01 Quiet Ears"])
        dialogue.take(.pair(address))
        #expect(states(dialogue) == ["found new 02:00:00:00:00:01 Quiet Ears"])
        dialogue.giveUp()
        #expect(dialogue.takeCommands().last == "cancel-pairing " + address)
        #expect(states(dialogue) == ["failed new 02:00:00:00:00:01 Quiet Ears"])
    }

    /// Headphones that wait for a call are called once, and not again after each time that they go.
    @Test func knownOnesAreCalledOnce() {
        var dialogue = started()
        dialogue.take(Array((found + facts(paired: "yes")).utf8))
        #expect(dialogue.takeCommands() == ["info " + address, "connect " + address])
        dialogue.take(Array("Failed to connect: org.bluez.Error.Failed br-connection-page-timeout\n".utf8))
        dialogue.take(Array(facts(paired: "yes").utf8))
        #expect(dialogue.takeCommands().isEmpty)
    }

    @Test func aNameIsNoFact() {
        var dialogue = started()
        dialogue.take(Array((found + facts(name: "x\n\tPaired: yes\n\tConnected: yes")).utf8))
        #expect(dialogue.list.connected == nil && dialogue.list.known.isEmpty)
        dialogue = started()
        dialogue.take(Array((found + facts(name: "x\nPairing successful")).utf8))
        #expect(dialogue.list.connected == nil && dialogue.takeCommands() == ["info " + address])
    }

    @Test func whatIsNoHeadphonesIsNotListed() {
        var dialogue = started()
        let phone = facts().split(separator: "\n").filter { !$0.contains("audio-") && !$0.contains("Audio Sink") }
        dialogue.take(Array((found + phone.joined(separator: "\n") + "\n").utf8))
        #expect(states(dialogue).isEmpty)
        // Figures of the radio ask for nothing.
        _ = dialogue.takeCommands()
        dialogue.take(Array("[CHG] Device 02:00:00:00:00:01 RSSI: -61\n".utf8))
        #expect(dialogue.takeCommands().isEmpty)
    }

    @Test func strangersCannotFillTheMemory() {
        var dialogue = started()
        dialogue.take([UInt8](repeating: 0x41, count: 1 << 20))
        for index in 0..<1000 {
            let name = "02:00:00:00:\(index / 100 + 10):\(index % 100 < 10 ? "0" : "")\(index % 100)"
            dialogue.take(Array("\n[NEW] Device \(name) x\n".utf8))
        }
        #expect(dialogue.takeCommands().count == 200)
        #expect(states(dialogue).isEmpty)
    }

    @Test func wordsComeBackAsTheyWere() {
        let one = Headphones(address: address, name: "Quiet  Ears \"2\"", state: .connected, isPaired: true)
        #expect(one.flatMap { Headphones(words: $0.words) } == one && one != nil)
        for words in [
            "connected paired 02:00 x", "connected paired 02:00:00:00:00:0g x", "lost paired \(address) x",
            "found new \(address) ",
        ] {
            #expect(Headphones(words: words) == nil)
        }
        for request: HeadphoneRequest in [
            .scan, .pair(address), .connect(address), .disconnect(address), .forget(address),
        ] {
            #expect(HeadphoneRequest(words: request.words) == request)
        }
        #expect(HeadphoneRequest(words: "pair \(address)\nremove") == nil && HeadphoneRequest(words: "quit") == nil)
    }
}
