// SPDX-License-Identifier: Apache-2.0
import CMosquitto
import CPosix
import Posix

/// A connection to an MQTT broker by libmosquitto, which it loads. It reconnects by itself, and blocks its loop's thread while it connects.
/// For a process that does nothing else, for its whole life.
public final class BrokerConnection {
    /// The reason why the broker cannot be used.
    public struct Failure: Error {
        public let message: String
    }

    private static let mostPayloadBytes: Int32 = 4096
    private static let authorities = "/etc/ssl/certs"
    private static let keepAliveSeconds: Int32 = 60
    /// The interval of pings and checks. A broker waits for one and a half of `keepAliveSeconds`.
    private static let careMilliseconds = 15_000

    public var connected: () -> Void = {}
    /// Called with the reason, once until the next connection.
    public var lost: (_ reason: String) -> Void = { _ in }
    /// Called with a message. The payload is nil if it is too long. Retained messages are older than this connection.
    public var received: (_ topic: String, _ payload: [UInt8]?, _ isRetained: Bool) -> Void = { _, _, _ in }
    public private(set) var isConnected = false

    private let table: UnsafeMutablePointer<ns_mosquitto_table>
    private let client: UnsafeMutableRawPointer
    private let loop: EventLoop
    private var socket: Int32 = -1
    private var isWriting = true
    /// True during a callback, when the library manages its socket itself.
    private var isCalledBack = false
    private var careTimer: EventLoop.TimerToken?
    private var reconnect: () -> Void = {}
    private var hasComplained = false
    private var backoff = Backoff(firstMilliseconds: 1000, longestMilliseconds: 60_000)
    /// The broker's reason for refusing the connection.
    private var refusal: String?

    /// - Parameters:
    ///   - id: the identifier; the broker accepts one connection for each.
    ///   - account: the login; nil for none.
    ///   - authority: the file of the authority's certificate, "" for the system's; nil without TLS.
    ///   - will: the retained text that the broker publishes when the connection ends.
    public init(
        id: String, account: (user: String, password: String)?, authority: String?, will: (topic: String, text: String),
        loop: EventLoop
    ) throws(Failure) {
        let missing = MissingLibrary(name: "libmosquitto", package: "libmosquitto1")
        table = .allocate(capacity: 1)
        table.initialize(to: ns_mosquitto_table())
        do throws(MissingLibrary) {
            let library = try SharedLibrary.open([NS_MOSQUITTO_LIBRARY], isLazy: true, else: missing)
            if !ns_mosquitto_find(library, table) { throw missing }
        } catch { throw Failure(message: error.message) }
        // TLS may write to a broker that has gone away.
        signal(SIGPIPE, ns_ignore_signal())
        _ = table.pointee.mosquitto_lib_init()
        guard let client = table.pointee.mosquitto_new(id, true, nil) else {
            throw Failure(message: "libmosquitto cannot start: no memory?")
        }
        self.client = client
        self.loop = loop
        let text = Array(will.text.utf8)
        var code = table.pointee.mosquitto_will_set(client, will.topic, Int32(clamping: text.count), text, 1, true)
        if let account, code == 0 {
            code = table.pointee.mosquitto_username_pw_set(client, account.user, account.password)
        }
        if let authority, code == 0 {
            code = table.pointee.mosquitto_tls_set(
                client, authority.isEmpty ? nil : authority, authority.isEmpty ? BrokerConnection.authorities : nil,
                nil, nil, nil)
            if code != 0 { throw Failure(message: "cannot use \(authority): " + words(code)) }
        }
        if code != 0 { throw Failure(message: words(code)) }
        table.pointee.mosquitto_user_data_set(client, Unmanaged.passUnretained(self).toOpaque())
        table.pointee.mosquitto_connect_callback_set(client) { _, context, code in
            BrokerConnection.of(context).wasAnswered(code)
        }
        table.pointee.mosquitto_message_callback_set(client) { _, context, message in
            if let message { BrokerConnection.of(context).take(message.pointee) }
        }
    }

    /// Connects, now and after each lost connection.
    public func start(host: String, port: UInt16) {
        refusal = nil
        reconnect = { [self] in start(host: host, port: port) }
        let code = table.pointee.mosquitto_connect(client, host, Int32(port), BrokerConnection.keepAliveSeconds)
        if code != 0 { return lose(words(code)) }
        socket = table.pointee.mosquitto_socket(client)
        isWriting = true
        do throws(PosixError) {
            try loop.add(socket, [.readable, .writable]) { [self] interest in ready(interest) }
            care()
        } catch { lose(error.message) }
    }

    /// Publishes a text. Does nothing without a connection.
    /// - Parameter isKept: true makes the broker keep it for later subscribers.
    public func publish(_ topic: String, _ text: String, isKept: Bool = true) {
        if !isConnected { return }
        let bytes = Array(text.utf8)
        check(table.pointee.mosquitto_publish(client, nil, topic, Int32(clamping: bytes.count), bytes, 0, isKept))
    }

    /// Subscribes to topics, until the connection ends.
    public func subscribe(_ topics: String) { check(table.pointee.mosquitto_subscribe(client, nil, topics, 0)) }

    private static func of(_ context: UnsafeMutableRawPointer?) -> BrokerConnection {
        Unmanaged<BrokerConnection>.fromOpaque(context!).takeUnretainedValue()
    }

    private func words(_ code: Int32) -> String {
        table.pointee.mosquitto_strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }

    private func ready(_ interest: EventLoop.Interest) {
        isCalledBack = true
        var code: Int32 = 0
        if interest.contains(.writable) { code = table.pointee.mosquitto_loop_write(client, 1) }
        if code == 0 && interest != .writable { code = table.pointee.mosquitto_loop_read(client, 1) }
        isCalledBack = false
        check(code)
    }

    /// Checks after a call whether the connection is alive, and what it waits for.
    private func check(_ code: Int32) {
        if isCalledBack || socket < 0 { return }
        if code != 0 { return lose(refusal ?? words(code)) }
        let wantsToWrite = table.pointee.mosquitto_want_write(client)
        if wantsToWrite == isWriting { return }
        isWriting = wantsToWrite
        loop.change(socket, to: wantsToWrite ? [.readable, .writable] : .readable)
    }

    /// Pings the broker in time, and detects its silence.
    private func care() {
        careTimer = loop.schedule(at: MonotonicTime.now.adding(milliseconds: BrokerConnection.careMilliseconds)) {
            [self] in
            // Reset it only now: two clients with one id disconnect each other at once.
            if isConnected { backoff.succeeded() }
            check(table.pointee.mosquitto_loop_misc(client))
            if socket >= 0 { care() }
        }
    }

    private func wasAnswered(_ code: Int32) {
        if code != 0 {
            refusal = table.pointee.mosquitto_connack_string(code).map { String(cString: $0) }
            return
        }
        (isConnected, hasComplained) = (true, false)
        connected()
    }

    private func take(_ message: ns_mosquitto_message) {
        let bytes = UnsafeRawBufferPointer(start: message.payload, count: Int(max(0, message.payloadlen)))
        let isShort = message.payloadlen <= BrokerConnection.mostPayloadBytes
        received(message.topic.map { String(cString: $0) } ?? "", isShort ? Array(bytes) : nil, message.retain)
    }

    private func lose(_ reason: String) {
        if socket >= 0 { loop.remove(socket) }
        if let careTimer { loop.cancel(careTimer) }
        (socket, isConnected, careTimer) = (-1, false, nil)
        loop.schedule(at: MonotonicTime.now.adding(milliseconds: backoff.failed())) { [self] in reconnect() }
        if !hasComplained { lost(reason) }
        hasComplained = true
    }
}
