// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Pixels
import Posix
import Scenes
import Text
import Wire
import Workers

/// The speaker to ask: `SpeakerLink`, or a test.
protocol SpeakerAsked: AnyObject {
    func start()
    func ask(_ command: String, then: @escaping (SpeakerLink.Answer?) -> Void)
    func retry()
}

extension SpeakerLink: SpeakerAsked {}

/// The speaker as a screen knows it: its state, the playing item's picture, and its commands. Nothing waits: the socket is non-blocking,
/// and pictures are decoded on a separate thread.
final class ScreenSpeaker {
    struct Users {
        let stateChanged: () -> Void
        let artworkChanged: () -> Void
        /// Called with MPD's names of changes outside the state.
        let changed: ([String]) -> Void
        /// Called with a button of the speaker while this screen has the buttons: "play press".
        let pressed: (String) -> Void
        /// Called when a hand requests one of the screens.
        let asked: (ScreenName) -> Void
        let lost: () -> Void
        /// Called with the reason when the speaker refuses a request.
        let refused: (String) -> Void
        /// Called when a console client requests the elements on the screen.
        let treeAsked: () -> Void
    }

    /// The number of sentences to request before and after the spoken one.
    private static let neighbours = 30
    /// The number of remaining sentences at which more are requested.
    private static let fewSentences = 3
    /// The time without an awaited answer after which the screen reports silence, in milliseconds.
    private static let silenceMilliseconds = 2000
    static let interests =
        "database stored_playlist player sound playlist mixer options output sticker message transcript screen"

    private(set) var state = SpeakerStatus()
    /// The playing item's picture; it also gives access to the pictures of songs and lists.
    private(set) var artwork: ScreenArtwork!

    private let timers: any Timers
    private let worker: any Performer
    private let connect: (SpeakerLink.Users) -> any SpeakerAsked
    private var link: (any SpeakerAsked)?
    private var users: Users?
    /// The moment of `state`; 0 before the first report.
    private var told = 0
    private var isAsking = false
    private var asksAgain = false
    var wishes = ScreenWishes()
    private let hasHaptics: Bool
    /// The focused element in the last report; "" for none.
    private var toldFocus = ""
    private var unanswered = 0
    /// The timer that runs while an answer is awaited.
    private var silence: EventLoop.TimerToken?

    /// - Parameters:
    ///   - folder: the folder of pictures; nil to keep none.
    ///   - deaths: the folder of `PictureDeaths`.
    ///   - connect: makes the connection, which reports from its `start` on.
    init(
        hasHaptics: Bool, timers: any Timers, worker: any Performer, folder: String?, deaths: String,
        connect: @escaping (SpeakerLink.Users) -> any SpeakerAsked
    ) {
        self.timers = timers
        self.worker = worker
        self.connect = connect
        self.hasHaptics = hasHaptics
        artwork = ScreenArtwork(
            ScreenPictures(worker: worker, folder: folder, deaths: deaths) { [self] command, then in
                ask(command, then: then)
            }, timers)
    }

    func start(_ users: Users) {
        self.users = users
        artwork.changed = users.artworkChanged
        let link = connect(
            SpeakerLink.Users(
                connected: { [self] in
                    // Fetch a cover in a few large pieces.
                    tell("binarylimit 65536")
                    artwork.askAgain()
                    askState()
                    tell("subscribe screen")
                    if takesButtons { tell(ScreenSpeaker.take) }
                },
                lost: { reason in
                    Log.notice("screen: " + reason)
                    users.lost()
                },
                changed: { [self] names in
                    if names.contains(where: { $0 == "screen" }) { users.treeAsked() }
                    if names.contains(where: { $0 == "message" }) { readPresses() }
                    if !names.contains(where: { $0 != "screen" && $0 != "message" }) { return }
                    if names.contains(where: { $0 == "database" }) { artwork.lookAgain() }
                    askState()
                    users.changed(names)
                }))
        self.link = link
        link.start()
    }

    // MARK: How it stands

    func askState() {
        if isAsking {
            asksAgain = true
            return
        }
        isAsking = true
        ask("screenstate \(ScreenSpeaker.neighbours)") { [self] answer in
            isAsking = false
            if let answer, answer.refusal == nil { take(answer) }
            if asksAgain {
                asksAgain = false
                if answer != nil { askState() }
            }
        }
    }

    private func take(_ answer: SpeakerLink.Answer) {
        var new = SpeakerStatus(fields: answer.fields)
        new.setDay()
        wishes.fulfil(&new)
        state = new
        told = timers.now.moment
        artwork.show(state)
        users?.stateChanged()
    }

    /// Returns the playback position, in milliseconds.
    private func elapsed(at moment: Int) -> Int { state.elapsed(after: moment - told) }

    /// Returns the present state, as far as known.
    func state(at moment: Int) -> SpeakerStatus { state.later(by: moment - told) }

    /// Returns when more sentences will be needed; nil for never.
    func nextLook(at moment: Int) -> Int? {
        guard !isAsking, state.isRunning, let due = lookPlace, due > state.positionMilliseconds else {
            return nil
        }
        return moment + max(1, (due - elapsed(at: moment)) * 100 / max(1, state.speed.percent))
    }

    /// The position at which to request more sentences, in milliseconds.
    private var lookPlace: Int? {
        let sentences = state.segments
        // Fewer sentences than requested are the transcript's last ones.
        if sentences.count < ScreenSpeaker.neighbours { return nil }
        return sentences[sentences.count - ScreenSpeaker.fewSentences].startMilliseconds
    }

    func look(at moment: Int) {
        guard !isAsking, state.state == .playing, let place = lookPlace, elapsed(at: moment) >= place,
            // Request once for each position.
            state.positionMilliseconds < place
        else { return }
        askState()
    }

    /// Requests the sentences around a position, and their total number. The result is nil if the speaker is away.
    /// - Parameters:
    ///   - place: the position, in milliseconds.
    ///   - neighbors: the most sentences before and after it.
    func askSentences(around place: Int, neighbours: Int, then: @escaping (SpeakerStatus?) -> Void) {
        ask("transcript \(neighbours) " + Seconds.text(place)) { answer in
            then(answer.map { SpeakerStatus(fields: $0.fields) })
        }
    }

    // MARK: Its buttons

    /// True if the speaker's buttons move a focus here instead of acting.
    var takesButtons = false {
        didSet { if takesButtons != oldValue { tell(takesButtons ? ScreenSpeaker.take : "buttons give") } }
    }

    /// The command that takes the buttons. All others keep their meaning: louder is louder, on any page.
    private static var take: String { "buttons take " + ButtonUse.gestures }

    private func readPresses() {
        ask("readmessages") { [self] answer in
            for field in answer?.fields ?? [] where field.name == "message" {
                let words = field.value.parts(between: " ")
                if words.count == 2, words[0] == "show", let name = ScreenName(rawValue: words[1]) {
                    users?.asked(name)
                } else {
                    users?.pressed(field.value)
                }
            }
        }
    }

    /// Writes on the other thread, so that nothing waits for a disk.
    func write(_ bytes: [UInt8], to path: String) {
        let step: () -> Job.Step = {
            do throws(PosixError) { try Files.replace(path, with: bytes) } catch {
                Log.warning("screen: " + error.message)
            }
            return .done
        }
        _ = try? worker.perform(.pressed, key: "settings", step: step) { _ in }
    }

    // MARK: Commands

    func perform(_ action: Element.Action) {
        switch action {
        case .togglePlayback: togglePlayback()
        case .back: tell("seekcur -10")
        case .forward: tell("seekcur +10")
        case .previous: tell("previous")
        case .next: tell("next")
        case .toggleFavourite: toggleFavourite()
        case .alarm(let answer): tell("alarm " + answer.rawValue)
        case .setVolume(let percent): tell("setvol \(percent)")
        case .seekTo(let milliseconds): tell("seekcur " + Seconds.text(milliseconds))
        default: break
        }
    }

    /// Shows the requests as fulfilled until the speaker reports its state.
    func pretend() {
        let moment = timers.now.moment
        state = state(at: moment)
        told = moment
        wishes.fulfil(&state)
        users?.stateChanged()
    }

    /// Reports the elements on the screen, one by one.
    func tellTree(_ elements: [Element], focus: Int?) {
        for (index, element) in elements.enumerated() {
            let frame = element.frame
            var line = "screen element " + element.roleWord
            for text in [
                element.label, element.value, element.hint, element.stateWords(isFocused: index == focus),
                "\(frame.x) \(frame.y) \(frame.width) \(frame.height)",
            ] { line += " " + ScreenSpeaker.oneLine(text).quotedArgument }
            ask(line) { _ in }
        }
        ask("screen end") { _ in }
    }

    /// Reports the focused element for the voice, each once; nil for none.
    func tellFocus(_ element: Element?) {
        guard let element else {
            toldFocus = ""
            return
        }
        var line = "screen focus"
        for text in [element.label, element.value, element.hint, element.stateWords(isFocused: true)] {
            line += " " + ScreenSpeaker.oneLine(text).quotedArgument
        }
        if line == toldFocus { return }
        toldFocus = line
        ask(line) { _ in }
    }

    /// Returns the text as one line of limited length.
    private static func oneLine(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8.prefix(1000) { bytes.append(byte < 0x20 ? 0x20 : byte) }
        while text.utf8.count > 1000, let last = bytes.last, last & 0xC0 == 0x80 { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Gives haptic feedback, if the board has a motor.
    func feel(_ haptic: Haptic?) {
        if hasHaptics, let haptic { ask("haptic " + haptic.name) { _ in } }
    }

    /// - Parameter then: called with the result.
    func tell(_ command: String, then: @escaping (Bool) -> Void = { _ in }) {
        ask(command) { [self] answer in
            if let refusal = answer?.refusal {
                Log.notice("screen: " + command + ": " + refusal)
                refuse(refusal)
            }
            then(answer != nil && answer?.refusal == nil)
        }
    }

    /// Reports to the hand why a request failed.
    func refuse(_ words: String) {
        feel(.error)
        users?.refused(words)
    }

    /// Sends a question. The answer is nil if the speaker disconnects before it answers.
    func ask(_ command: String, then: @escaping (SpeakerLink.Answer?) -> Void) {
        guard let link else { return }
        unanswered += 1
        if unanswered == 1 { awaitAnswer() }
        link.ask(command) { [self] answer in
            unanswered -= 1
            awaitAnswer()
            if answer == nil { state.isSilent = false } else { setSilent(false) }
            then(answer)
        }
    }

    /// Starts the timer for an awaited answer.
    private func awaitAnswer() {
        if let before = silence.take() { timers.cancel(before) }
        if unanswered == 0 { return }
        silence = timers.schedule(inMilliseconds: ScreenSpeaker.silenceMilliseconds) { [self] in
            silence = nil
            setSilent(true)
        }
    }

    private func setSilent(_ isSilent: Bool) {
        // A speaker that never answered is still starting.
        if state.isSilent == isSilent || told == 0 { return }
        state = state(at: timers.now.moment)
        told = timers.now.moment
        state.isSilent = isSilent
        users?.stateChanged()
    }

    /// Tries to connect now.
    func retry() { link?.retry() }

    /// Sends a command that starts playback, and shows the player once the speaker accepts it.
    func play(_ command: String) {
        tell(command) { [self] isDone in if isDone { users?.asked(.player) } }
    }

    /// Plays a file of the library, from its saved position or from another one.
    func play(file: String, from milliseconds: Int? = nil) {
        let name = file.quotedArgument
        let begin: (String) -> Void = { [self] id in
            if let milliseconds {
                tell("seekid " + id + " " + Seconds.text(milliseconds)) { [self] isDone in if isDone { play("play") } }
            } else {
                play("playid " + id)
            }
        }
        ask("playlistfind file " + name) { [self] answer in
            if let id = answer?.value("Id") { return begin(id) }
            ask("addid " + name) { [self] answer in
                if let id = answer?.value("Id") { begin(id) } else if let refusal = answer?.refusal { refuse(refusal) }
            }
        }
    }

    /// Plays a stored playlist in place of the queue. An empty playlist leaves the queue unchanged.
    func play(playlist name: String) {
        let name = name.quotedArgument
        ask("listplaylist " + name) { [self] answer in
            guard let answer else { return }
            if let refusal = answer.refusal { return refuse(refusal) }
            if answer.value("file") == nil { return refuse(translated("The playlist is empty")) }
            tell("clear")
            tell("load " + name) { [self] isDone in if isDone { play("play") } }
        }
    }
}
