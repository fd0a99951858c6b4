// SPDX-License-Identifier: Apache-2.0
import CCurl

/// The end of a transfer.
public struct TransferEnd: Sendable {
    public enum Cause: Sendable {
        /// All that was to come has come.
        case complete
        /// The address is none, or of a kind that is not fetched: trying again does not help.
        case badAddress
        case noSuchHost
        case refused
        /// The server's certificate, or this board's clock.
        case untrusted
        case redirectedTooOften
        /// The receiver wanted no more.
        case stopped
        /// Silence, or an end before the end.
        case lost
    }

    public let cause: Cause
    /// curl's own.
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
