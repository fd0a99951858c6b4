// SPDX-License-Identifier: Apache-2.0
import CCurl
import Posix

/// libcurl, loaded once and kept for as long as the process lives. One thread.
public final class CurlLibrary {
    /// The functions, at a constant address, since transfers keep it.
    let table: UnsafeMutablePointer<ns_curl_table>
    private let multi: UnsafeMutableRawPointer
    /// The transfers by their handles.
    private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]

    /// - Throws: the message of the dynamic linker or of curl.
    public init() throws(CurlError) {
        table = .allocate(capacity: 1)
        table.initialize(to: ns_curl_table())
        if let problem = ns_curl_load(table) { throw CurlError(message: String(cString: problem)) }
        guard table.pointee.curl_global_init(Int(NS_CURL_GLOBAL_DEFAULT)) == 0,
            let multi = table.pointee.curl_multi_init()
        else { throw CurlError(message: "libcurl cannot start: no memory?") }
        self.multi = multi
    }

    /// Begins a transfer, which `performTransfers` continues.
    public func add(_ transfer: Transfer) {
        transfers[transfer.easy] = transfer
        _ = table.pointee.curl_multi_add_handle(multi, transfer.easy)
    }

    /// Removes a transfer, finished or not. Not allowed within its own closures.
    public func remove(_ transfer: Transfer) {
        guard transfers.removeValue(forKey: transfer.easy) != nil else { return }
        _ = table.pointee.curl_multi_remove_handle(multi, transfer.easy)
    }

    /// Does the work that needs no waiting. Returns and removes the finished transfers, each with its end.
    public func performTransfers() -> [(transfer: Transfer, end: TransferEnd)] {
        var running: Int32 = 0
        _ = table.pointee.curl_multi_perform(multi, &running)
        var ended: [(transfer: Transfer, end: TransferEnd)] = []
        var left: Int32 = 0
        while let message = table.pointee.curl_multi_info_read(multi, &left) {
            guard message.pointee.kind == Int32(NS_CURL_MESSAGE_DONE), let easy = message.pointee.easy,
                let transfer = transfers[easy]
            else { continue }
            let end = TransferEnd(
                code: message.pointee.data.result,
                words: table.pointee.curl_easy_strerror(message.pointee.data.result).map { String(cString: $0) } ?? "")
            remove(transfer)
            ended.append((transfer, end))
        }
        return ended
    }

    /// Waits for any transfer, or until one of these descriptors is readable.
    public func wait(for descriptors: [Int32], milliseconds: Int) {
        var extra = descriptors.map { ns_curl_waitfd(fd: $0, events: Int16(NS_CURL_WAIT_READ), revents: 0) }
        var ready: Int32 = 0
        _ = table.pointee.curl_multi_poll(
            multi, &extra, UInt32(extra.count), Int32(clamping: milliseconds), &ready)
    }
}

/// The reason why libcurl is unusable.
public struct CurlError: Error {
    public let message: String

    public init(message: String) { self.message = message }
}
