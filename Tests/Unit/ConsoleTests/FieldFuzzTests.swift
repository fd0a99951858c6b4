// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Console
@testable import Wire

/// Commands with numbers of any size, from any client: each is answered or refused, and the session continues.
@Suite struct FieldFuzzTests {
    private static let commands = """
        seek 7 12.345
        seekid 1 12.345
        seekcur -10.5
        seekcur +1:02:03
        setvol 50
        volume -7
        play 3
        playid 2
        move 0 2
        moveid 1 1
        delete 1
        delete 0:2
        prio 7 0:1
        shuffle 0:2
        rangeid 1 1.5:2.5
        playlistinfo 0:10
        plchanges 7 0:10
        plchangesposid 7
        readpicture willows/1.mp3 8192
        albumart willows/1.mp3 8192
        screenstate 7
        screen element button Play "" "" "" "10 20 44 44"
        screen end 7
        speed 1.25
        sleep 20
        sleep 1200 fade 30
        crossfade 7
        mixrampdb -7.5
        replay_gain_status
        find "(modified-since '1700000000')" sort Track window 0:10
        search title a window 7:9
        listfiles 7
        sticker set song willows/1.mp3 n 7
        sentence 7
        segments 7 9
        podcast 7
        bookmark 7
        idle 7
        command_list_begin
        playlistid 1
        command_list_end
        counters 7
        """.split(separator: "\n").map(String.init)

    @Test func numbersOfClients() {
        for (number, command) in FieldFuzzTests.commands.enumerated() {
            guard command.utf8.contains(where: { $0 >= 0x30 && $0 <= 0x39 }) else { continue }
            FieldFile(text: command).fuzz("command-\(number)", cases: 60) { bytes, comment in
                let desk = Desk.playing()
                var session = Session(host: desk.host, manner: .plain)
                // Damage may have made two lines of it, or one that waits.
                let lines = bytes.split(separator: 0x0A).map { Array($0) }
                if bytes.starts(with: "idle".utf8) || lines.count != 1 { return }
                let said = answer(&session, lines, desk)
                #expect(said.starts(with: "ACK [".utf8) || said.suffix(3).elementsEqual("OK\n".utf8), "\(comment)")
            }
        }
    }
}
