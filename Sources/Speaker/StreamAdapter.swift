// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Media
import Model
import Playback
import Posix
import Streams

/// Streams for the speaker: passes the desk's reports on to the speaker and the player. Control thread.
public final class StreamAdapter: StreamPort {
    private let desk: StreamDesk
    private let warn: (String) -> Void

    public init(_ desk: StreamDesk, speaker: Speaker, player: Player, warn: @escaping (String) -> Void) {
        self.desk = desk
        self.warn = warn
        desk.didAdvance = {
            player.streamsDidAdvance()
            speaker.streamDidAdvance()
        }
        desk.didWait = { address, message in
            speaker.streamDidWait(
                address,
                message.isEmpty
                    ? "" : (desk.known(address)?.channel.name ?? StreamAddress.shown(address)) + ": " + message)
        }
        desk.didHearTitle = { address, title in speaker.streamDidSay(address, title: title, name: nil) }
        desk.didHearStation = { address, name in speaker.streamDidSay(address, title: nil, name: name) }
        desk.didComplete = { address in
            speaker.streaming.podcasts.streamIsWhole(address)
            guard let track = player.track, let item = speaker.currentItem, item.path.utf8.elementsEqual(address.utf8)
            else { return }
            player.measure(track)
        }
    }

    public func source(of address: String) -> MediaSource? {
        do throws(PosixError) { return .stream(try desk.stream(address)) } catch {
            warn(error.message)
            return nil
        }
    }

    public func source(of path: String, address: String, name: String, feed: String) -> MediaSource? {
        do throws(PosixError) {
            return .stream(try desk.stream(path, StreamQuestion(address: address, name: name, feed: feed)))
        } catch {
            warn(error.message)
            return nil
        }
    }

    public func forget(_ address: String) { desk.forget(address) }

    public func waitMessage(of address: String) -> String? {
        desk.known(address).flatMap { $0.waitMessage.isEmpty ? nil : $0.waitMessage }
    }

    public func waitReason(of address: String) -> Trouble? { desk.known(address)?.waitReason }

    public func failure(of address: String) -> String? { desk.known(address)?.channel.failureWords }

    public func aheadMilliseconds(of address: String) -> Int? { desk.known(address)?.channel.aheadMilliseconds }

    public func rendition(of address: String) -> String? {
        desk.known(address).flatMap { $0.rendition.isEmpty ? nil : $0.rendition }
    }

    public func close() { desk.close() }
}
