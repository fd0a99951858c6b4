// SPDX-License-Identifier: Apache-2.0
import Model
import Mosquitto
import Posix
import Wire

/// Carries the speaker's state to an MQTT broker, and commands from there to the speaker's console. Either end may be away. Its loop's thread.
public final class Bridge {
    /// The longest interval between two published positions.
    private static let positionMilliseconds = 10_000
    /// The limit of commands without an answer: more are refused.
    private static let mostCommands = 16

    private let home: HomeAssistant
    private let loop: EventLoop
    private let broker: BrokerConnection
    private var speaker: SpeakerLink?
    /// The last state that the broker has; "" for none.
    private var published = ""
    private var isAsking = false
    private var hasChanged = false
    private var timer: EventLoop.TimerToken?
    private var commandCount = 0

    /// - Parameters:
    ///   - account: nil for none.
    ///   - authority: the file with the certificate of the broker's authority, "" for the system's authorities; nil without TLS.
    public init(
        _ home: HomeAssistant, account: (user: String, password: String)?, authority: String?, loop: EventLoop
    ) throws(BrokerConnection.Failure) {
        self.home = home
        self.loop = loop
        broker = try BrokerConnection(
            id: home.id, account: account, authority: authority, will: home.availability(false), loop: loop)
        broker.connected = { [self] in greet() }
        broker.received = { [self] in take($0, $1, isRetained: $2) }
    }

    public func start(socketPath: String, host: String, port: UInt16) {
        broker.lost = { Log.warning("bridge: no broker at \(host):\(port): \($0)") }
        let users = SpeakerLink.Users(
            connected: { [self] in
                speaker?.ask("subscribe press") { _ in }
                tellAvailability()
            },
            lost: { [self] reason in
                Log.warning("bridge: " + reason)
                tellAvailability()
            },
            changed: { [self] changes in
                if changes.contains("message") { readPresses() }
                if changes.contains(where: { $0 != "message" }) { look() }
            })
        speaker = SpeakerLink(
            socketPath: socketPath, interests: "player mixer options message", loop: loop, users: users)
        speaker?.start()
        broker.start(host: host, port: port)
    }

    private var hasSpeaker: Bool { speaker?.isConnected ?? false }

    /// Publishes everything anew: the broker may have lost it.
    private func greet() {
        Log.notice("bridge: joined the broker as \(home.id)")
        published = ""
        broker.subscribe(home.commands)
        for entity in home.entities { broker.publish(entity.topic, entity.text) }
        tellAvailability()
    }

    private func tellAvailability() {
        let kept = home.availability(hasSpeaker)
        broker.publish(kept.topic, kept.text)
        look()
    }

    /// Asks for the state, and publishes it if it has changed.
    private func look() {
        hasChanged = isAsking
        guard let speaker, !isAsking, hasSpeaker, broker.isConnected else { return }
        isAsking = true
        speaker.ask("screenstate 0") { [self] answer in
            isAsking = false
            guard let answer, answer.refusal == nil else { return }
            var status = SpeakerStatus()
            for field in answer.fields { status.take(field.name, field.value) }
            publish(status)
            if hasChanged { look() }
        }
    }

    private func publish(_ status: SpeakerStatus) {
        let kept = home.state(status)
        if kept.text != published { broker.publish(kept.topic, kept.text) }
        published = kept.text
        if let timer { loop.cancel(timer) }
        timer = nil
        if !status.isRunning { return }
        timer = loop.schedule(at: MonotonicTime.now.adding(milliseconds: Bridge.positionMilliseconds)) { [self] in
            look()
        }
    }

    private func readPresses() {
        speaker?.ask("readmessages") { [self] answer in
            for field in answer?.fields ?? [] where field.name == "message" {
                if let event = home.press(field.value) { broker.publish(event.topic, event.text, isKept: false) }
            }
        }
    }

    private func take(_ topic: String, _ payload: [UInt8]?, isRetained: Bool) {
        // A retained command would run again at each start.
        if isRetained { return Log.warning("bridge: refused a retained command") }
        guard let payload, let line = home.line(topic, payload) else {
            return Log.warning("bridge: refused a command that no entity sends")
        }
        guard let speaker, hasSpeaker, commandCount < Bridge.mostCommands else {
            return Log.warning("bridge: refused a command: the speaker is " + (hasSpeaker ? "busy" : "away"))
        }
        commandCount += 1
        speaker.ask(line) { [self] answer in
            commandCount -= 1
            if let refusal = answer?.refusal { Log.warning("bridge: the speaker refused a command: " + refusal) }
        }
    }
}
