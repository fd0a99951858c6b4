// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Console
@testable import Wire

/// Messages from client to client, with the texts and bounds of MPD 0.23.12.
@Suite struct ChannelsTests {
    private let desk = Desk()
    private let channels = Channels()

    private func session() -> Session { Session(host: desk.host, manner: .plain, channels: channels) }

    @Test func aMessageReachesAllThatAreSubscribed() {
        var (anna, ben, cleo) = (session(), session(), session())
        #expect(answer(&anna, ["subscribe light"]) == "OK\n")
        #expect(answer(&ben, ["subscribe light", "subscribe door"]) == "OK\nOK\n")
        #expect(answer(&cleo, ["channels"]) == "channel: light\nchannel: door\nOK\n")
        #expect(answer(&cleo, ["sendmessage light \"all on\""]) == "OK\n")
        #expect(answer(&anna, ["readmessages", "readmessages"]) == "channel: light\nmessage: all on\nOK\nOK\n")
        #expect(answer(&ben, ["readmessages"]) == "channel: light\nmessage: all on\nOK\n")
        #expect(answer(&cleo, ["readmessages"]) == "OK\n")
    }

    @Test func refusalsAreThoseOfMPD() {
        var one = session()
        #expect(answer(&one, ["subscribe \"a b\""]) == "ACK [2@0] {subscribe} invalid channel name\n")
        #expect(answer(&one, ["subscribe \"\""]) == "ACK [2@0] {subscribe} invalid channel name\n")
        #expect(answer(&one, ["subscribe a"]) == "OK\n")
        #expect(answer(&one, ["subscribe a"]) == "ACK [56@0] {subscribe} already subscribed to this channel\n")
        #expect(answer(&one, ["unsubscribe b"]) == "ACK [50@0] {unsubscribe} not subscribed to this channel\n")
        #expect(
            answer(&one, ["sendmessage b hi"]) == "ACK [50@0] {sendmessage} nobody is subscribed to this channel\n")
        #expect(answer(&one, ["unsubscribe a"]) == "OK\n")
        #expect(
            answer(&one, ["sendmessage a hi"]) == "ACK [50@0] {sendmessage} nobody is subscribed to this channel\n")
    }

    @Test func whoNeverReadsCostsNoMoreThanItsBounds() {
        var (silent, other) = (session(), session())
        for number in 0..<16 { #expect(answer(&silent, ["subscribe c\(number)"]) == "OK\n") }
        #expect(answer(&silent, ["subscribe c16"]) == "ACK [56@0] {subscribe} subscription list is full\n")
        for _ in 0..<64 { #expect(answer(&other, ["sendmessage c1 hi"]) == "OK\n") }
        #expect(
            answer(&other, ["sendmessage c1 hi"]) == "ACK [50@0] {sendmessage} nobody is subscribed to this channel\n")
        _ = answer(&silent, ["readmessages"])
        let long = String(repeating: "x", count: 15_000)
        for _ in 0..<4 { #expect(answer(&other, ["sendmessage c1 \(long)"]) == "OK\n") }
        #expect(answer(&other, ["sendmessage c1 \(long)"]).hasPrefix("ACK [50@0]"))
    }

    @Test func onlyThoseWithAMessageAreToldOfIt() {
        var (anna, ben) = (session(), session())
        desk.forgetTold()
        _ = answer(&anna, ["subscribe light"])
        desk.turn()
        #expect(desk.told == [.subscription])
        _ = answer(&ben, ["sendmessage light on"])
        desk.turn()
        #expect(desk.told == [.subscription, .message])
        #expect(answer(&anna, ["idle message"]) == "" && answer(&ben, ["idle message"]) == "")
        var response = ResponseBuffer()
        ben.notify(.message, &response)
        #expect(ben.isIdle && response.bytes.isEmpty)
        anna.notify(.message, &response)
        #expect(!anna.isIdle && String(decoding: response.bytes, as: UTF8.self) == "changed: message\nOK\n")
    }

    @Test func whoeverGoesLeavesItsChannels() {
        var anna = session()
        _ = answer(&anna, ["subscribe light"])
        desk.forgetTold()
        anna.end()
        desk.turn()
        #expect(desk.told == [.subscription])
        var ben = session()
        #expect(answer(&ben, ["channels"]) == "OK\n")
    }

    @Test func whoTakesTheButtonsGetsThem() {
        var (screen, other) = (session(), session())
        var heard: [Bool] = []
        channels.takenChanged = { heard.append($0) }
        #expect(!channels.press("play press"))
        #expect(answer(&screen, ["buttons"]) == "taken: 0\nOK\n")
        #expect(answer(&screen, ["buttons take", "buttons take", "buttons"]) == "OK\nOK\ntaken: 1\nOK\n")
        #expect(channels.press("play press") && channels.press("back hold"))
        #expect(answer(&other, ["readmessages", "channels"]) == "OK\nOK\n")
        #expect(
            answer(&screen, ["readmessages"])
                == "channel: buttons\nmessage: play press\nchannel: buttons\nmessage: back hold\nOK\n")
        // The last that took them has them, and the one before when it gives them back.
        #expect(answer(&other, ["buttons take"]) == "OK\n")
        #expect(channels.press("play press"))
        #expect(answer(&screen, ["readmessages"]) == "OK\n")
        #expect(answer(&other, ["readmessages", "buttons give"]).hasPrefix("channel: buttons"))
        #expect(channels.press("forward press"))
        #expect(answer(&screen, ["readmessages"]).contains("forward press"))
        screen.end()
        #expect(!channels.press("play press"))
        #expect(heard == [true, false])
        #expect(answer(&other, ["buttons hide"]).hasPrefix("ACK [2@0] {buttons}"))
    }

    /// A screen that hangs takes no button away for long.
    @Test func whoDoesNotReadLosesTheButtons() {
        var screen = session()
        _ = answer(&screen, ["buttons take"])
        var taken = 0
        while channels.press("play press") { taken += 1 }
        #expect(taken == 16 && answer(&screen, ["buttons"]) == "taken: 0\nOK\n")
    }

    /// To listen on a channel of that name is not to take them.
    @Test func aChannelOfThatNameIsNotTheButtons() {
        var anna = session()
        _ = answer(&anna, ["subscribe buttons"])
        #expect(!channels.press("play press"))
    }
}
