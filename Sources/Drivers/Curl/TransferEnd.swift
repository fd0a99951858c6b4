// SPDX-License-Identifier: Apache-2.0
import CCurl

/// The end of a transfer.
public struct TransferEnd: Sendable {
    public enum Cause: Sendable {
        /// Everything has arrived.
        case complete
        /// The address is invalid, or of an unsupported kind: trying again does not help.
        case badAddress
        case noSuchHost
        case refused
        /// The server's certificate is not valid, or this board's clock is wrong.
        case untrusted
        case redirectedTooOften
        /// The receiver stopped it.
        case stopped
        /// The connection timed out, or ended too early.
        case lost
    }

    public let cause: Cause
    /// The words of curl.
    public let words: String

    init(code: Int32, words: String) {
        self.words = words
        cause =
            switch Int(code) {
            case NS_CURL_OK: .complete
            case NS_CURL_UNSUPPORTED_PROTOCOL, NS_CURL_URL_MALFORMAT: .badAddress
            case NS_CURL_COULDNT_RESOLVE_HOST: .noSuchHost
            case NS_CURL_COULDNT_CONNECT: .refused
            case NS_CURL_PEER_FAILED_VERIFICATION: .untrusted
            case NS_CURL_TOO_MANY_REDIRECTS: .redirectedTooOften
            case NS_CURL_WRITE_ERROR: .stopped
            default: .lost
            }
    }
}
