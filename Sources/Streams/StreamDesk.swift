// SPDX-License-Identifier: Apache-2.0
import Posix

/// The speaker's half of fetching: a link to the fetching process for each wanted stream. Control thread; nothing here waits. Without a
/// wanted stream it has neither a descriptor nor a timer. no descriptor, no timer.
public final class StreamDesk {
    /// The playing stream, the next one, and one more during the change.
    private static let mostLinks = 4
    private static let tidyMilliseconds = 5000

    let process: FetchProcess
    private var links: [StreamLink] = []
    private var tidies: EventLoop.TimerToken?

    /// More is there of a stream, or it has failed.
    public var didAdvance: () -> Void = {}
    /// A stream waits, or goes on: why, or "".
    public var didWait: (_ address: String, _ message: String) -> Void = { _, _ in }
    /// A station's title of the playing item.
    public var didHearTitle: (_ address: String, _ title: String) -> Void = { _, _ in }
    /// A station's own name.
    public var didHearStation: (_ address: String, _ name: String) -> Void = { _, _ in }
    /// All of it has come: its length can be counted.
    public var didComplete: (_ address: String) -> Void = { _ in }

    public init(_ process: FetchProcess) { self.process = process }

    /// Returns the stream of an address. The same object while another holder exists.
    /// - Parameter question: set if the recording has another name than its address: `address` then is what it goes by here.
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

    /// The stream of an address, if one is wanted at present.
    public func known(_ address: String) -> StreamLink? { place(of: address).map { links[$0] } }

    private func place(of address: String) -> Int? {
        links.firstIndex { $0.channel.address.utf8.elementsEqual(address.utf8) }
    }

    /// Lets go of what is there for an address: asked for again, it begins anew.
    public func forget(_ address: String) { if let place = place(of: address) { links.remove(at: place).close() } }

    /// Lets go of all.
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
