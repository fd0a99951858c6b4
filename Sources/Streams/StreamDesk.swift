// SPDX-License-Identifier: Apache-2.0
import Posix

/// The speaker's half of fetching: a link to the fetching process for each wanted stream. Control thread; nothing here waits. Without a
/// wanted stream it has neither a descriptor nor a timer.
public final class StreamDesk {
    /// The limit of links: the playing stream, the next one, and one more during the change.
    private static let mostLinks = 4
    private static let tidyMilliseconds = 5000

    let process: FetchProcess
    private var links: [StreamLink] = []
    private var tidies: EventLoop.TimerToken?

    /// Called when a stream has more bytes, or has failed.
    public var didAdvance: () -> Void = {}
    /// Called when a stream waits, with the reason, or continues, with "".
    public var didWait: (_ address: String, _ message: String) -> Void = { _, _ in }
    /// Called with a station's title of the playing item.
    public var didHearTitle: (_ address: String, _ title: String) -> Void = { _, _ in }
    /// Called with a station's own name.
    public var didHearStation: (_ address: String, _ name: String) -> Void = { _, _ in }
    /// Called when all of a stream has come: its length can be counted.
    public var didComplete: (_ address: String) -> Void = { _ in }

    public init(_ process: FetchProcess) { self.process = process }

    /// Returns the stream of an address: the same object while another holder exists.
    /// - Parameter question: set if the recording has another name than its address; `address` is then its name here.
    public func stream(_ address: String, _ question: StreamQuestion? = nil) throws(PosixError) -> StreamChannel {
        if let place = place(of: address) {
            let known = links.remove(at: place)
            // A failed or changed stream is requested anew.
            if known.channel.state < StreamState.failed {
                links.append(known)
                return known.channel
            }
            known.close()
        }
        let link = StreamLink(self, try StreamChannel(address, question))
        links.append(link)
        if links.count > StreamDesk.mostLinks { links.removeFirst().close() }
        link.connect()
        tidyLater()
        return link.channel
    }

    /// Returns the stream of an address, if it is wanted at present.
    public func known(_ address: String) -> StreamLink? { place(of: address).map { links[$0] } }

    private func place(of address: String) -> Int? {
        links.firstIndex { $0.channel.address.utf8.elementsEqual(address.utf8) }
    }

    /// Drops the present bytes of an address: another request starts anew.
    public func forget(_ address: String) { if let place = place(of: address) { links.remove(at: place).close() } }

    /// Drops all streams.
    public func close() {
        for link in links { link.close() }
        links = []
        if let tidies { process.loop.cancel(tidies) }
        tidies = nil
    }

    /// Releases streams that neither play nor are about to.
    private func tidyLater() {
        if tidies != nil || links.isEmpty { return }
        let due = process.loop.now.adding(milliseconds: StreamDesk.tidyMilliseconds)
        tidies = process.loop.schedule(at: due, latest: due.adding(milliseconds: StreamDesk.tidyMilliseconds)) {
            [self] in
            tidies = nil
            links.removeAll { $0.closeIfUnused() }
            tidyLater()
        }
    }
}
