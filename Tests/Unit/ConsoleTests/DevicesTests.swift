// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Console
@testable import SpeakerBench
@testable import Wire

/// Outputs, and what MPD can have more than one of. The texts are those of MPD 0.23.12.
@Suite struct DevicesTests {
    private let desk = Desk.playing()

    @Test func anOutputIsSwitchedOffAndOn() {
        #expect(
            answer(desk, "outputs")
                == "outputid: 0\noutputname: hw:CARD=DAC\nplugin: alsa\noutputenabled: 1\nOK\n")
        #expect(desk.effect("disableoutput 0") == "paused 0 at 5123")
        #expect(answer(desk, "outputs").contains("outputenabled: 0\n") && !desk.bench.player.isOutputEnabled)
        #expect(answer(desk, "play") == "ACK [5@0] {play} All audio outputs are disabled\n")
        #expect(desk.effect("toggleoutput 0") == "" && desk.bench.player.isOutputEnabled)
        #expect(desk.effect("toggleoutput 0") == "" && !desk.bench.player.isOutputEnabled)
        #expect(desk.effect("enableoutput 0") == "" && desk.bench.player.isOutputEnabled)
        #expect(desk.effect("play") == "playing 0 at 5123")
    }

    @Test(arguments: [
        ("enableoutput 5", "ACK [50@0] {enableoutput} No such audio output\n"),
        ("disableoutput x", "ACK [2@0] {disableoutput} Integer expected: x\n"),
        ("toggleoutput -1", "ACK [2@0] {toggleoutput} Number too large: -1\n"),
        ("outputset 0 a b", "ACK [2@0] {outputset} Unsupported attribute\n"),
        ("outputset 9 a b", "ACK [50@0] {outputset} No such audio output\n"),
        ("moveoutput hw:CARD=DAC", "OK\n"),
        ("moveoutput nix", "ACK [50@0] {moveoutput} No such output\n"),
        ("partition default", "OK\n"),
        ("partition nix", "ACK [50@0] {partition} partition does not exist\n"),
        ("listpartitions", "partition: default\nOK\n"),
        ("newpartition default", "ACK [56@0] {newpartition} name already exists\n"),
        ("newpartition a/b", "ACK [2@0] {newpartition} bad name\n"),
        ("newpartition \"\"", "ACK [2@0] {newpartition} bad name\n"),
        ("newpartition foo", "ACK [5@0] {newpartition} too many partitions\n"),
        ("delpartition default", "ACK [5@0] {delpartition} cannot delete the default partition\n"),
        ("delpartition nix", "ACK [50@0] {delpartition} no such partition\n"),
        ("mount a nfs", "ACK [2@0] {mount} Unrecognized storage URI\n"),
        ("mount \"\" nfs", "ACK [2@0] {mount} Bad mount point\n"),
        ("unmount a", "ACK [2@0] {unmount} Not a mount point\n"),
        ("unmount \"\"", "ACK [2@0] {unmount} Bad mount point\n"),
        ("listmounts", "mount: \nstorage: /books\nOK\n"),
        ("listneighbors", "ACK [5@0] {listneighbors} No neighbor plugin configured\n"),
        ("replay_gain_status", "replay_gain_mode: off\nOK\n"),
        ("replay_gain_mode off", "OK\n"),
        ("replay_gain_mode foo", "ACK [2@0] {replay_gain_mode} Unrecognized replay gain mode\n"),
        ("binarylimit 64", "OK\n"),
        ("binarylimit 63", "ACK [2@0] {binarylimit} Value too small\n"),
        ("binarylimit 8384512", "OK\n"),
        ("binarylimit 8384513", "ACK [2@0] {binarylimit} Number too large: 8384513\n"),
        ("binarylimit -1", "ACK [2@0] {binarylimit} Number too large: -1\n"),
        ("binarylimit x", "ACK [2@0] {binarylimit} Integer expected: x\n"),
        ("config", "music_directory: /books\nOK\n"),
    ])
    func answersAsMPDDoes(command: String, expected: String) {
        #expect(answer(desk, command) == expected)
    }
}
