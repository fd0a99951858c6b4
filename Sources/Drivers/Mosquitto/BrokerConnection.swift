// SPDX-License-Identifier: Apache-2.0
import CMosquitto
import CPosix
import Posix

/// A connection to an MQTT broker by libmosquitto, which it loads. It reconnects by itself, and blocks the thread of its loop while it
/// connects: for a process that does nothing else.
public final class BrokerConnection {
    /// The broker, and the way to it.
    public struct Broker {
        public var host: String
        public var port: UInt16
        public var usesTLS: Bool
        /// A file with the authority's certificate; "" for those that the system trusts.
        public var authorityPath: String
        /// nil for none.
        public var account: (user: String, password: String)?

        public init(
            host: String, port: UInt16, usesTLS: Bool, authorityPath: String, account: (user: String, password: String)?
        ) {
            self.host = host
            self.port = port
            self.usesTLS = usesTLS
            self.authorityPath = authorityPath
            self.account = account
        }
    }

    public struct Message {
        public var topic: String
        /// nil if it is longer than `mostPayloadBytes`.
        public var payload: [UInt8]?
        /// True if the broker had kept it from before this connection.
        public var isRetained: Bool
    }

    /// The receivers of the connection's events.
    public struct Users {
        public var connected: () -> Void
        /// With the reason; once until it has been connected again.
        public var lost: (String) -> Void
        public var received: (Message) -> Void

        public init(
            connected: @escaping () -> Void, lost: @escaping (String) -> Void, received: @escaping (Message) -> Void
        ) {
            self.connected = connected
            self.lost = lost
            self.received = received
        }
    }

    /// The broker cannot be asked: why.
    public struct Failure: Error {
        public let message: String
    }

    public static let mostPayloadBytes = 4096
    private static let keepAliveSeconds: Int32 = 60
    /// A ping is late by no more than this: a broker waits for one and a half of `keepAliveSeconds`.
    private static let careMilliseconds = 15_000

    private let table: UnsafeMutablePointer<ns_mosquitto_table>
    private let client: UnsafeMutableRawPointer
    private let broker: Broker
    private let loop: EventLoop
    private let users: Users
    private var socket: Int32 = -1
    private var isWriting = true
    /// The library calls back, and must not be asked to write meanwhile.
    private var isCalledBack = false
    private var careTimer: EventLoop.TimerToken?
    private var hasComplained = false
    private var backoff = Backoff(firstMilliseconds: 1000, longestMilliseconds: 60_000)
    /// The broker's own words for not letting it in.
    private var refusal: String?
    public private(set) var isConnected = false

    /// - Parameters:
    ///   - id: the broker knows one connection by each.
    ///   - will: the broker publishes this when the connection ends, retained.
    public init(
        id: String, _ broker: Broker, will: (topic: String, text: String), loop: EventLoop, users: Users
    ) throws(Failure) {
        let missing = MissingLibrary(name: "libmosquitto", package: "libmosquitto1")
        let library: UnsafeMutableRawPointer
        do throws(MissingLibrary) {
            library = try SharedLibrary.open([NS_MOSQUITTO_LIBRARY], isLazy: true, else: missing)
        } catch { throw Failure(message: error.message) }
        table = .allocate(capacity: 1)
        table.initialize(to: ns_mosquitto_table())
        guard ns_mosquitto_find(library, table) else { throw Failure(message: missing.message) }
        self.broker = broker
        self.loop = loop
        self.users = users
        // A broker that goes away while TLS writes.
        signal(SIGPIPE, ns_ignore_signal())
        _ = table.pointee.mosquitto_lib_init()
        guard let client = table.pointee.mosquitto_new(id, true, nil) else {
            throw Failure(message: "libmosquitto cannot start: no memory?")
        }
        self.client = client
        var code: Int32 = 0
        if let account = broker.account {
            code = table.pointee.mosquitto_username_pw_set(client, account.user, account.password)
        }
        if code == 0 && broker.usesTLS {
            code =
                broker.authorityPath.isEmpty
                ? table.pointee.mosquitto_tls_set(client, nil, BrokerConnection.authorities, nil, nil, nil)
                : table.pointee.mosquitto_tls_set(client, broker.authorityPath, nil, nil, nil, nil)
            if code != 0 { throw Failure(message: "cannot use \(broker.authorityPath): " + words(code)) }
        }
        if code == 0 {
            let text = Array(will.text.utf8)
            code = table.pointee.mosquitto_will_set(client, will.topic, Int32(clamping: text.count), text, 1, true)
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

    /// Connects, now and after each loss.
    public func start() {
        refusal = nil
        let code = table.pointee.mosquitto_connect(
            client, broker.host, Int32(broker.port), BrokerConnection.keepAliveSeconds)
        if code != 0 { return lose(words(code)) }
        socket = table.pointee.mosquitto_socket(client)
        isWriting = true
        do throws(PosixError) {
            try loop.add(socket, [.readable, .writable]) { [self] interest in ready(interest) }
        } catch { return lose(error.message) }
        care()
    }

    /// Publishes a text that the broker keeps for those who come later. Does nothing while there is no connection.
    public func publish(_ topic: String, _ text: String) {
        let bytes = Array(text.utf8)
        if isConnected {
            check(
                table.pointee.mosquitto_publish(client, nil, topic, Int32(clamping: bytes.count), bytes, 0, true))
        }
    }

    /// Receives these topics, until the connection ends.
    public func subscribe(_ topics: String) { check(table.pointee.mosquitto_subscribe(client, nil, topics, 0)) }

    private static let authorities = "/etc/ssl/certs"

    private static func of(_ context: UnsafeMutableRawPointer?) -> BrokerConnection {
        Unmanaged<BrokerConnection>.fromOpaque(context!).takeUnretainedValue()
    }

    private func words(_ code: Int32) -> String {
        var text = table.pointee.mosquitto_strerror(code).map { String(cString: $0) } ?? "error \(code)"
        while text.utf8.last == UInt8(ascii: ".") { text.removeLast() }
        return text
    }

    private func ready(_ interest: EventLoop.Interest) {
        isCalledBack = true
        var code: Int32 = 0
        if interest.contains(.writable) { code = table.pointee.mosquitto_loop_write(client, 1) }
        if code == 0 && interest != .writable { code = table.pointee.mosquitto_loop_read(client, 1) }
        isCalledBack = false
        check(code)
    }

    /// Looks after a call whether the connection still is, and what it waits for.
    private func check(_ code: Int32) {
        if isCalledBack || socket < 0 { return }
        if code != 0 { return lose(refusal ?? words(code)) }
        let wantsToWrite = table.pointee.mosquitto_want_write(client)
        if wantsToWrite != isWriting {
            isWriting = wantsToWrite
            loop.change(socket, to: wantsToWrite ? [.readable, .writable] : .readable)
        }
    }

    /// Pings the broker in time, and notices its silence.
    private func care() {
        careTimer = loop.schedule(at: MonotonicTime.now.adding(milliseconds: BrokerConnection.careMilliseconds)) {
            [self] in
            check(table.pointee.mosquitto_loop_misc(client))
            if socket >= 0 { care() }
        }
    }

    private func wasAnswered(_ code: Int32) {
        if code != 0 {
            refusal = table.pointee.mosquitto_connack_string(code).map { String(cString: $0) } ?? "refused: \(code)"
            return
        }
        isConnected = true
        hasComplained = false
        backoff.succeeded()
        users.connected()
    }

    private func take(_ message: ns_mosquitto_message) {
        let count = Int(message.payloadlen)
        users.received(
            Message(
                topic: message.topic.map { String(cString: $0) } ?? "",
                payload: count > BrokerConnection.mostPayloadBytes
                    ? nil : Array(UnsafeRawBufferPointer(start: message.payload, count: max(0, count))),
                isRetained: message.retain))
    }

    private func lose(_ reason: String) {
        if socket >= 0 { loop.remove(socket) }
        socket = -1
        isConnected = false
        if let careTimer { loop.cancel(careTimer) }
        careTimer = nil
        loop.schedule(at: MonotonicTime.now.adding(milliseconds: backoff.failed())) { [self] in start() }
        if !hasComplained { users.lost(reason) }
        hasComplained = true
    }
}
