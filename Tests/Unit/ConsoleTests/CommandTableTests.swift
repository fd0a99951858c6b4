// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Console
@testable import Wire

/// The table of commands: each row agrees with itself, and no name stands twice.
@Suite struct CommandTableTests {
    private let commands = ProtocolCommand.names { _ in true }.map { ProtocolCommand.named($0)! }

    @Test func eachNameIsFoundAndStandsOnce() {
        #expect(commands.count > 130)
        #expect(Set(commands.map(\.name)).count == commands.count)
        for command in commands { #expect(ProtocolCommand.named(command.name)?.name == command.name) }
        #expect(ProtocolCommand.named("favorite")?.name == "favourite")
        for name in ["", "Play", "pla", "play ", "playx"] { #expect(ProtocolCommand.named(name) == nil) }
    }

    /// The session accepts the arguments that `help` shows. A handler that takes more refuses with a message of its own.
    @Test func aCommandTakesTheArgumentsThatHelpShows() {
        for command in commands {
            var help = ResponseBuffer()
            command.writeHelp(to: &help)
            let lines = String(decoding: help.bytes, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix(" ") }
            var (least, most) = (Int.max, 0)
            for line in lines {
                var (depth, needed, possible) = (0, 0, 0)
                for word in line.split(separator: " ").dropFirst() {
                    depth += word.count { $0 == "[" }
                    if depth == 0 { needed += 1 }
                    if !word.contains("...") { possible += 1 }
                    depth -= word.count { $0 == "]" }
                }
                #expect(depth == 0, "\(line)")
                least = min(least, needed)
                most = max(most, possible)
            }
            #expect(command.arguments.lowerBound == least, "\(command.name)")
            #expect(command.arguments.upperBound >= most, "\(command.name)")
            #expect(command.arguments.upperBound > 0 || most == 0, "\(command.name)")
        }
    }

    /// Looking needs no more than the right to look, and only an action counts as work of its own.
    @Test func aCommandForEveryoneCostsNothing() {
        for command in commands where command.permission.isEmpty { #expect(command.cost == 0, "\(command.name)") }
        for name in ["kill"] { #expect(ProtocolCommand.named(name)?.permission == .nobody) }
    }
}
