// SPDX-License-Identifier: Apache-2.0
import ALSA
import Audio
import CPosix
import Posix
import Workers

/// Keeps a card open in the wanted format: opens it, reopens it for another format, and retries while it is missing. Control thread.
final class OutputKeeper {
    private enum State: Equatable {
        case closed
        case opening
        case open
        /// The audio thread has to return the card.
        case closing
        /// There is no card, or no longer; a timer will try again.
        case waiting
    }

    struct Format: Equatable {
        /// The rate in Hz.
        var rate: Int
        var channels: Int
    }

    let settings: Player.Settings
    private let audio: any AudioPort
    private let opener: any OutputOpener
    private let feed: any Performer
    private let scheduler: any Scheduler
    private var state = State.closed
    private var backoff = Backoff()
    /// The timer of the next attempt.
    private var waiting: EventLoop.TimerToken?
    private var hasOpened = false
    private var choice: CardChoice
    private var loss = Loss()
    /// The number of cards being closed.
    private var closes = 0
    /// True if the keeper may open a card at all.
    private var isEnabled = true
    /// The facts about the open card, or the last one.
    private var last: Opened?
    /// Called once for each missing card with the reason, for each that is back or closed, and for new possibilities.
    var told: (Event) -> Void = { _ in }

    enum Event {
        case lost(String)
        case found
        case closed
        case canGoOn
    }

    /// The reason why there is no card.
    private struct Loss {
        /// True if the owner knows it.
        var isTold = false
        /// True if another program had the card at the last attempt.
        var isBusy = false
        /// The name of that program; nil if unknown.
        var holder: String?
    }

    private struct Opened {
        var format: Format
        /// The card's own format.
        var card: Format
        var periodMicroseconds: Int
    }

    init(
        settings: Player.Settings, audio: any AudioPort, opener: any OutputOpener, feed: any Performer,
        scheduler: any Scheduler
    ) {
        self.settings = settings
        self.audio = audio
        self.opener = opener
        self.feed = feed
        self.scheduler = scheduler
        choice = CardChoice(configured: settings.device, silent: settings.silentDevice)
    }

    /// The stream format of the open card, or of the last one.
    var format: Format? { last?.format }
    /// The card's own format.
    var card: Format? { last?.card }
    /// The length of the card's period; 0 before the first opening.
    var periodMicroseconds: Int { last?.periodMicroseconds ?? 0 }
    /// True if no card opened at the start and there is no search for one: playback runs in time, without sound.
    var isSilent: Bool { choice.isSilent }
    /// True if another program had the card at the last attempt.
    var isBusy: Bool { loss.isBusy }
    /// The name of that program; nil if unknown.
    var holder: String? { loss.holder }

    var isOpen: Bool { state == .open }

    /// True while a card is being released for other programs.
    var isLettingGo: Bool { state == .closing || closes > 0 }

    /// The longest wait between attempts while an alarm rings.
    private static let urgentMilliseconds = 1000

    /// Returns true if a change of urgency closes the open card in favor of the configured one, or of headphones.
    func leaves(forUrgent isUrgent: Bool) -> Bool { isOpen && choice.leaves(forUrgent: isUrgent) }

    /// Plays on headphones from now on, or on the configured card if nil.
    func setDevice(_ device: String?) {
        if choice.take(device) { tryNow() }
    }

    /// Accepts any card that opens from now on, or returns to the configured one.
    func setUrgent(_ isUrgent: Bool) {
        if isUrgent == choice.isUrgent { return }
        let leaves = choice.leaves(forUrgent: isUrgent)
        choice.setUrgent(isUrgent)
        if isUrgent && waiting != nil {
            tryNow()
        } else if leaves {
            rest()
        }
    }

    /// Ends a wait for a card, or closes the open one.
    private func tryNow() {
        guard let waiting else { return rest() }
        scheduler.cancel(waiting)
        tryAgain()
    }

    /// Returns true if the card is open for streams of this format.
    func isOpen(for wanted: Format) -> Bool { isOpen && format == wanted }

    /// Allows opening a card, or forbids it and closes an open one for other programs.
    func setEnabled(_ isEnabled: Bool) {
        self.isEnabled = isEnabled
        if isEnabled {
            told(.canGoOn)
        } else {
            rest()
        }
    }

    /// Closes an open card for other programs, until playback needs it again.
    func rest() {
        if state != .open { return }
        state = .closing
        audio.send(.detach)
    }

    /// Returns true if the card is open for streams of this format; otherwise begins to open it. `canGoOn` tells when to ask again.
    func open(for wanted: Format) -> Bool {
        if !isEnabled { return false }
        switch state {
        case .open where format == wanted: return true
        case .open: rest()
        case .closed: begin(wanted)
        case .opening, .closing, .waiting: break
        }
        return false
    }

    private func begin(_ wanted: Format) {
        state = .opening
        let request = PlaybackDevice.Request(
            device: choice.device, rate: wanted.rate,
            channels: wanted.channels, bufferMilliseconds: settings.bufferMilliseconds,
            periodMilliseconds: settings.periodMilliseconds, cut: settings.cut)
        let opener = opener
        var opened: OpenOutput?
        var problem: PlaybackError?
        var isBusy = false
        var holder: String?
        let job = Job(.pressed) {
            do throws(PlaybackError) { opened = try opener.open(request) } catch {
                problem = error
                if case .device(let error) = error { isBusy = error.code == -EBUSY }
                if isBusy { holder = opener.holder(of: request.device) }
            }
            return .done
        } finish: { [self] _ in
            if let opened {
                didOpen(opened, wanted, isElsewhere: !choice.isFirst(request.device))
            } else {
                didFailToOpen(problem?.message ?? "stopped", isBusy: isBusy, holder: holder)
            }
        }
        do throws(Job.Refusal) { try feed.take(job) } catch {
            state = .waiting
            later(error) { [self] in
                state = .closed
                told(.canGoOn)
            }
        }
    }

    private func didOpen(_ opened: OpenOutput, _ wanted: Format, isElsewhere: Bool) {
        if !isEnabled || isElsewhere && !choice.isUrgent {
            close(opened.output)
            state = .closed
            return isEnabled ? told(.canGoOn) : ()
        }
        state = .open
        last = Opened(format: wanted, card: opened.card, periodMicroseconds: opened.periodMicroseconds)
        let wasMissing = loss.isTold
        loss = Loss()
        backoff.succeeded()
        hasOpened = true
        audio.send(.attach(opened.output))
        if wasMissing && !isSilent { told(.found) }
        told(.canGoOn)
    }

    private func didFailToOpen(_ message: String, isBusy: Bool, holder: String?) {
        if !hasOpened && choice.becomeSilent() {
            state = .closed
            told(.lost("no sound card, playing in silence (\(message))"))
            return told(.canGoOn)
        }
        if choice.isFirst {
            // Report it once, and again if the reason has changed.
            let isNews = !loss.isTold || isBusy != loss.isBusy || holder != loss.holder
            loss = Loss(isTold: true, isBusy: isBusy, holder: holder)
            if isNews { told(.lost(message + (holder.map { "; \($0) has it" } ?? ""))) }
        }
        if choice.next() { return tryAgain() }
        waitForDevice()
    }

    private func waitForDevice() {
        state = .waiting
        let delay = min(backoff.failed(), choice.isUrgent ? OutputKeeper.urgentMilliseconds : Int.max)
        waiting = scheduler.schedule(at: scheduler.now.adding(milliseconds: delay)) { [self] in tryAgain() }
    }

    private func tryAgain() {
        waiting = nil
        state = .closed
        told(.canGoOn)
    }

    /// Handles a card that the audio thread returned.
    func didDetach(_ output: UnsafeMutablePointer<Output>) {
        // Close it first, then open another: jobs go in order.
        close(output)
        state = .closed
        told(.canGoOn)
    }

    /// Handles a failed card that the audio thread returned. Returns the reason in words.
    func didLose(_ output: UnsafeMutablePointer<Output>, code: Int32) -> String {
        close(output)
        choice.beginAgain()
        loss.isTold = true
        waitForDevice()
        return ALSAError(code, "sound device \(choice.wanted)").message
    }

    private func close(_ output: UnsafeMutablePointer<Output>) {
        let opener = opener
        let job = Job(.pressed) {
            opener.close(output)
            return .done
        } finish: { [self] _ in
            closes -= 1
            if !isLettingGo { told(.closed) }
        }
        closes += 1
        do throws(Job.Refusal) { try feed.take(job) } catch {
            closes -= 1
            later(error) { [self] in close(output) }
        }
    }

    /// Tries a refused job again later, since no other event would do so.
    private func later(_ refusal: Job.Refusal, _ body: @escaping () -> Void) {
        if refusal == .full {
            scheduler.schedule(at: scheduler.now.adding(milliseconds: DeckPool.retryMilliseconds), body)
        }
    }
}
