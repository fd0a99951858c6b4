// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Console
@testable import Wire

/// Stickers of songs, with the answers of MPD 0.23.12.
@Suite struct StickersTests {
    private let desk = Desk.playing()
    private let song = Desk.lamp

    @Test func aStickerIsSetToldListedFoundAndDeleted() {
        #expect(
            answer(desk, "sticker set song \(song) rating 5", "sticker set song \(song) \"a=b\" \"c d\"")
                == "OK\nOK\n")
        #expect(answer(desk, "sticker get song \(song) rating") == "sticker: rating=5\nOK\n")
        #expect(answer(desk, "sticker list song \(song)") == "sticker: a=b=c d\nsticker: rating=5\nOK\n")
        #expect(answer(desk, "sticker set song französisch.mp3 rating 10") == "OK\n")
        let lamp = "file: \(song)\nsticker: rating=5\n"
        #expect(
            answer(desk, "sticker find song \"\" rating") == "\(lamp)file: französisch.mp3\nsticker: rating=10\nOK\n")
        #expect(answer(desk, "sticker find song stories rating") == lamp + "OK\n")
        #expect(answer(desk, "sticker find song \"\" rating = 5") == lamp + "OK\n")
        #expect(answer(desk, "sticker find song \"\" rating > 4") == lamp + "OK\n")
        #expect(answer(desk, "sticker find song \"\" rating < 4").hasPrefix("file: französisch.mp3\n"))
        desk.forgetTold()
        #expect(answer(desk, "sticker delete song \(song) rating") == "OK\n")
        desk.turn()
        #expect(desk.told == [.sticker])
        #expect(answer(desk, "sticker delete song \(song) rating") == "ACK [50@0] {sticker} no such sticker\n")
        #expect(answer(desk, "sticker delete song \(song)", "sticker list song \(song)") == "OK\nOK\n")
    }

    @Test(arguments: [
        ("sticker get song", "ACK [2@0] {sticker} too few arguments for \"sticker\"\n"),
        ("sticker get song stories/lamp.mp3", "ACK [2@0] {sticker} bad request\n"),
        ("sticker get song stories/lamp.mp3 x y", "ACK [2@0] {sticker} bad request\n"),
        ("sticker get song stories/lamp.mp3 x", "ACK [50@0] {sticker} no such sticker\n"),
        ("sticker set song stories/lamp.mp3 x", "ACK [2@0] {sticker} bad request\n"),
        ("sticker find song \"\" x =", "ACK [2@0] {sticker} bad request\n"),
        ("sticker find song \"\" x >= 4", "ACK [2@0] {sticker} bad operator\n"),
        ("sticker foo song a x", "ACK [2@0] {sticker} bad request\n"),
        ("sticker get playlist foo rating", "ACK [2@0] {sticker} unknown sticker domain\n"),
        ("sticker set song nix.mp3 x 1", "ACK [50@0] {sticker} No such song\n"),
    ])
    func refusalsAreThoseOfMPD(command: String, expected: String) {
        #expect(answer(desk, command) == expected)
    }
}
