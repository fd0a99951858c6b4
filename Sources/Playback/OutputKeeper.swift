// SPDX-License-Identifier: Apache-2.0
import ALSA
import Audio
import CPosix
import Posix
import Workers

/// Keeps a card open for the wanted format: opens it, reopens it for another format, and looks for it again and again when it is away.
/// Control thread.
final class OutputKeeper {
    private enum State: Equatable {
        case closed
        case opening
        case open
        /// Asked back from the audio thread.
        case closing
        /// Lost or never had; a timer will try again.
        case waiting
    }

    struct Format: Equatable {
        /// Hz.
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
    private var hasOpened = false
    /// True if a card may be opened at all.
    private var isEnabled = true
    /// Of the card that is, or was last, open.
    private(set) var format: Format?
    /// The card's own format.
    private(set) var card: Format?
    /// At the start no card opened, and the keeper looks for none: it plays in time, without a sound.
    private(set) var isSilent = false
    /// Length of the card's period; 0 before the first open.
    private(set) var periodMicroseconds = 0
    /// Told of a card that is away, in words, once; of one that is back; and of new possibilities.
    var told: (Event) -> Void = { _ in }

    enum Event {
        case lost(String)
        case found
        case canGoOn
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
    }

    var isOpen: Bool { state == .open }

    /// True if another program had the card at the last attempt.
    private(set) var isBusy = false

    /// Returns whether the card is open for streams of this format.
    func isOpen(for wanted: Format) -> Bool { isOpen && format == wanted }

    /// Opens a card from here on only if it may be; otherwise one that is open is let go of, so that other programs can have it.
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

    /// Returns whether the card is open for streams of this format; if not, it begins to open it. Tells `canGoOn` when to ask again.
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
            device: isSilent ? settings.silentDevice ?? settings.device : settings.device, rate: wanted.rate,
            channels: wanted.channels, bufferMilliseconds: settings.bufferMilliseconds,
            periodMilliseconds: settings.periodMilliseconds, cut: settings.cut)
        let opener = opener
        var opened: OpenOutput?
        var problem: PlaybackError?
        let job = Job(.pressed) {
            do throws(PlaybackError) { opened = try opener.open(request) } catch { problem = error }
            return .done
        } finish: { [self] _ in
            if let opened {
                didOpen(opened, wanted)
            } else {
                var isBusy = false
                if case .device(let error)? = problem { isBusy = error.code == -EBUSY }
                didFailToOpen(problem?.message ?? "stopped", isBusy: isBusy)
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

    private func didOpen(_ opened: OpenOutput, _ wanted: Format) {
        if !isEnabled {
            close(opened.output)
            state = .closed
            return
        }
        state = .open
        isBusy = false
        format = wanted
        card = opened.card
        periodMicroseconds = opened.periodMicroseconds
        let wasMissing = backoff.failures > 0
        backoff.succeeded()
        hasOpened = true
        audio.send(.attach(opened.output))
        if wasMissing && !isSilent { told(.found) }
        told(.canGoOn)
    }

    private func didFailToOpen(_ message: String, isBusy: Bool) {
        if !hasOpened && !isSilent && settings.silentDevice != nil {
            isSilent = true
            state = .closed
            told(.lost("no sound card, playing in silence (\(message))"))
            return told(.canGoOn)
        }
        // Once, and again if the reason is another.
        let isNews = backoff.failures == 0 || isBusy != self.isBusy
        self.isBusy = isBusy
        if isNews { told(.lost(message)) }
        waitForDevice()
    }

    private func waitForDevice() {
        state = .waiting
        scheduler.schedule(at: scheduler.now.adding(milliseconds: backoff.failed())) { [self] in
            state = .closed
            told(.canGoOn)
        }
    }

    /// The audio thread returns the card.
    func didDetach(_ output: UnsafeMutablePointer<Output>) {
        // Close it first, then open another: jobs go in order.
        close(output)
        state = .closed
        told(.canGoOn)
    }

    /// The audio thread has given back a card that failed. Returns why, in words.
    func didLose(_ output: UnsafeMutablePointer<Output>, code: Int32) -> String {
        close(output)
        waitForDevice()
        return ALSAError(code, "sound device \(settings.device)").message
    }

    private func close(_ output: UnsafeMutablePointer<Output>) {
        let opener = opener
        let job = Job(.pressed) {
            opener.close(output)
            return .done
        } finish: { _ in
        }
        do throws(Job.Refusal) { try feed.take(job) } catch { later(error) { [self] in close(output) } }
    }

    /// Tries a refused job again some time later: no other event would do so.
    private func later(_ refusal: Job.Refusal, _ body: @escaping () -> Void) {
        if refusal == .full {
            scheduler.schedule(at: scheduler.now.adding(milliseconds: DeckPool.retryMilliseconds), body)
        }
    }
}
