// SPDX-License-Identifier: Apache-2.0
import CCurl
import Posix

/// A request to a server, and its answer as it arrives. The thread of its `CurlLibrary`.
public final class Transfer {
    public enum Verdict {
        case taken
        /// Refuses the bytes for now; they are offered again after `resume`.
        case notNow
        /// Ends the transfer.
        case stop
    }

    /// The most redirections: podcast episodes pass six and more counters.
    public static let mostRedirections = 20

    let easy: UnsafeMutableRawPointer
    private let library: CurlLibrary
    private var headers: UnsafeMutablePointer<ns_curl_slist>?
    private var aliases: UnsafeMutablePointer<ns_curl_slist>?
    private var gate: UnsafeMutablePointer<ns_curl_gate>?
    /// Receives a line of the answer's header without its end, also of redirections; each answer begins with its status line.
    public var takeHeader: (UnsafeRawBufferPointer) -> Void = { _ in }
    /// Receives bytes of the answer's body.
    public var takeBody: (UnsafeRawBufferPointer) -> Verdict = { _ in .taken }

    /// - Parameters:
    ///   - url: an http or https address; other schemes are refused, also in redirections.
    ///   - range: the value of `Range: bytes=…`; "" for all.
    ///   - credentials: `user:password`; "" for none.
    ///   - authorities: the folder of trusted certificates, hashed.
    public init(
        _ library: CurlLibrary, url: String, range: String, requestHeaders: [String], userAgent: String,
        credentials: String, authorities: String
    ) throws(CurlError) {
        guard let easy = library.table.pointee.curl_easy_init() else { throw CurlError(message: "no memory") }
        self.library = library
        self.easy = easy
        let table = library.table
        func set(_ option: Int, _ text: String) { _ = ns_curl_set_text(table, easy, Int32(option), text) }
        func set(_ option: Int, _ value: Int) { _ = ns_curl_set_long(table, easy, Int32(option), value) }
        set(NS_CURL_OPTION_URL, url)
        set(NS_CURL_OPTION_PROTOCOLS_STR, "http,https")
        set(NS_CURL_OPTION_REDIR_PROTOCOLS_STR, "http,https")
        set(NS_CURL_OPTION_FOLLOWLOCATION, 1)
        set(NS_CURL_OPTION_MAXREDIRS, Transfer.mostRedirections)
        set(NS_CURL_OPTION_CAPATH, authorities)
        // Otherwise the library would read this file as a whole, too: 200 KB of certificates in memory.
        _ = ns_curl_set_pointer(table, easy, Int32(NS_CURL_OPTION_CAINFO), nil)
        set(NS_CURL_OPTION_NOSIGNAL, 1)
        // Request an uncompressed answer; a compressed one is still decompressed.
        set(NS_CURL_OPTION_ACCEPT_ENCODING, "identity")
        set(NS_CURL_OPTION_CONNECTTIMEOUT, 15)
        // The silence after which a connection counts as lost.
        set(NS_CURL_OPTION_LOW_SPEED_LIMIT, 1)
        set(NS_CURL_OPTION_LOW_SPEED_TIME, 15)
        set(NS_CURL_OPTION_USERAGENT, userAgent)
        if !range.isEmpty { set(NS_CURL_OPTION_RANGE, range) }
        if !credentials.isEmpty { set(NS_CURL_OPTION_USERPWD, credentials) }
        for header in requestHeaders { headers = table.pointee.curl_slist_append(headers, header) }
        _ = ns_curl_set_pointer(table, easy, Int32(NS_CURL_OPTION_HTTPHEADER), headers)
        // SHOUTcast servers answer with this line and mean HTTP.
        aliases = table.pointee.curl_slist_append(nil, "ICY 200 OK")
        _ = ns_curl_set_pointer(table, easy, Int32(NS_CURL_OPTION_HTTP200ALIASES), aliases)
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = ns_curl_set_pointer(table, easy, Int32(NS_CURL_OPTION_HEADERDATA), context)
        _ = ns_curl_set_pointer(table, easy, Int32(NS_CURL_OPTION_WRITEDATA), context)
        _ = ns_curl_set_sink(table, easy, Int32(NS_CURL_OPTION_HEADERFUNCTION)) { bytes, size, count, context in
            let transfer = Unmanaged<Transfer>.fromOpaque(context!).takeUnretainedValue()
            var line = UnsafeRawBufferPointer(start: bytes, count: size * count)
            while let last = line.last, last == 0x0A || last == 0x0D {
                line = UnsafeRawBufferPointer(rebasing: line.dropLast())
            }
            transfer.gate?.pointee.has_answered = 1
            transfer.takeHeader(line)
            return size * count
        }
        _ = ns_curl_set_sink(table, easy, Int32(NS_CURL_OPTION_WRITEFUNCTION)) { bytes, size, count, context in
            let transfer = Unmanaged<Transfer>.fromOpaque(context!).takeUnretainedValue()
            switch transfer.takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count)) {
            case .taken: return size * count
            case .notNow: return ns_curl_write_pause
            case .stop: return size * count == 0 ? 1 : 0
            }
        }
    }

    deinit {
        library.table.pointee.curl_easy_cleanup(easy)
        library.table.pointee.curl_slist_free_all(headers)
        library.table.pointee.curl_slist_free_all(aliases)
        gate?.deallocate()
    }

    /// Accepts compressed answers: for text, not for sound.
    public func acceptPacked() {
        _ = ns_curl_set_text(library.table, easy, Int32(NS_CURL_OPTION_ACCEPT_ENCODING), "")
    }

    /// Follows no redirections, since its headers are for this server alone. Call it before the start.
    public func stayThere() { _ = ns_curl_set_long(library.table, easy, Int32(NS_CURL_OPTION_FOLLOWLOCATION), 0) }

    /// Sends a body by POST. Call it before the start.
    public func post(_ body: [UInt8]) {
        _ = ns_curl_set_long(library.table, easy, Int32(NS_CURL_OPTION_POSTFIELDSIZE), body.count)
        var body = body
        _ = ns_curl_set_pointer(library.table, easy, Int32(NS_CURL_OPTION_COPYPOSTFIELDS), &body)
    }

    /// Refuses addresses of the local network, behind any name or redirection. Call it before the start.
    /// - Parameter trustsFirst: true allows the first host anywhere, since the user has named it.
    public func stayOutside(trustsFirst: Bool) {
        let gate = UnsafeMutablePointer<ns_curl_gate>.allocate(capacity: 1)
        gate.initialize(to: ns_curl_gate())
        gate.pointee.trusts_first = trustsFirst ? 1 : 0
        self.gate?.deallocate()
        self.gate = gate
        ns_curl_set_gate(library.table, easy, gate)
    }

    /// True if the transfer was refused because it led into the local network.
    public var hasStayedOutside: Bool { gate?.pointee.has_refused == 1 }

    /// Uses a separate connection for this request: some servers close connections that they promised to keep. Call it before the start.
    public func standAlone() {
        _ = ns_curl_set_long(library.table, easy, Int32(NS_CURL_OPTION_FRESH_CONNECT), 1)
        _ = ns_curl_set_long(library.table, easy, Int32(NS_CURL_OPTION_FORBID_REUSE), 1)
    }

    /// Offers refused bytes again.
    public func resume() {
        _ = library.table.pointee.curl_easy_pause(easy, Int32(NS_CURL_PAUSE_NONE))
    }

    /// The status of the last answer; 0 without one.
    public var status: Int {
        ns_curl_get_long(library.table, easy, Int32(NS_CURL_INFO_RESPONSE_CODE))
    }

    /// The address after all redirections.
    public var finalURL: String {
        ns_curl_get_text(library.table, easy, Int32(NS_CURL_INFO_EFFECTIVE_URL)).map { String(cString: $0) }
            ?? ""
    }
}
