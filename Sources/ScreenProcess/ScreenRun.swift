// SPDX-License-Identifier: Apache-2.0
import Configuration
import Interaction
import Model
import Panel
import Posix
import Scenes
import Typography

/// The drawing process: it connects the speaker's state, the hands' actions and the panel. It draws after events and when the scene changes
/// by itself, and sleeps otherwise. One thread.
final class ScreenRun {
    /// The outside world of the process.
    struct Surroundings {
        let timers: any Timers
        /// Returns the wall clock's time; nil on a board that does not know it yet.
        let clock: () -> (minuteOfDay: Int, second: Int)?
        /// Calls back whenever the wall clock is set.
        let watchClock: (@escaping () -> Void) -> Void
        /// Sets the panel's lamp, in percent; 0 is off.
        let setLamp: (Int) -> Void
        /// Opens touch panels and keys.
        /// - Returns: an object to hold while they are in use.
        let openInputs: (ScreenInputs.Users) -> AnyObject?
    }

    /// The time that the first picture waits for the speaker's state after everything is loaded, in milliseconds.
    private static let patienceMilliseconds = 150

    private let settings: ScreenSettings
    private let families: [FontFamily]
    private let speaker: ScreenSpeaker
    private let output: ScreenPanel
    private let around: Surroundings
    private let light: ScreenLight
    private let frames: ScreenFrames
    private let hands: ScreenHands
    private var acts: ScreenActs?
    private var inputs: AnyObject?
    /// The timer for the next due change.
    private var timer: EventLoop.TimerToken?
    /// The timer for drawing after all pending events: hands come before pictures.
    private var soon: EventLoop.TimerToken?
    private var waitsUntil: Int?

    init(
        _ settings: ScreenSettings, families: [FontFamily], speaker: ScreenSpeaker, output: ScreenPanel,
        around: Surroundings
    ) {
        self.settings = settings
        self.families = families
        self.speaker = speaker
        self.output = output
        self.around = around
        light = ScreenLight(settings.current, at: around.timers.now.moment, setLamp: around.setLamp)
        frames = ScreenFrames(around.timers)
        hands = ScreenHands(light, frames, rotation: settings.current.rotation)
    }

    private var moment: Int { around.timers.now.moment }
    private var view: ScreenView? { acts?.view }

    func start() {
        waitsUntil = moment + 10 * ScreenRun.patienceMilliseconds
        hands.happened = { [self] in happened() }
        around.watchClock { [self] in happened() }
        speaker.start(
            ScreenSpeaker.Users(
                stateChanged: { [self] in
                    if waitsUntil != nil {
                        // Wait for its picture, too, if that comes soon.
                        waitsUntil = speaker.artwork.isAwaited ? moment + ScreenRun.patienceMilliseconds : nil
                    }
                    if settings.speak(speaker.state.language) { view?.drawAnew() }
                    light.machine.speakerSaid(speaker.state, at: moment)
                    view?.show(speaker.state, at: moment)
                    happened()
                },
                artworkChanged: { [self] in
                    waitsUntil = nil
                    view?.setArtwork(speaker.artwork.surface)
                    happened()
                },
                changed: { [self] names in view?.changed(names) },
                pressed: { [self] gesture in hands.pressed(gesture, at: moment) },
                asked: { [self] screen in hands.asked(for: screen, at: moment) },
                lost: { [self] in
                    waitsUntil = nil
                    light.machine.speakerWent(at: moment)
                    acts?.speakerWent(at: moment)
                    happened()
                }, refused: { [self] words in acts?.say(words, .refused, at: moment) },
                treeAsked: { [self] in speaker.tellTree(view?.elements ?? [], focus: view?.focus) }))
        output.start(
            ScreenPanel.Users(opened: { [self] panel in makeView(panel) }, shown: { [self] in updateSoon() }))
        if waitsUntil != nil { waitsUntil = moment + ScreenRun.patienceMilliseconds }
        happened()
    }

    func stop() {
        frames.tellFigures()
        inputs = nil
        output.stop()
    }

    private func makeView(_ panel: any Panel) {
        if let view, view.width == panel.width, view.height == panel.height {
            view.drawAnew()
        } else {
            do throws(MissingLibrary) {
                let stage = try settings.makeStage(
                    width: panel.width, height: panel.height, millimetres: panel.widthMillimetres, isNight: isNight,
                    families: families)
                let view = ScreenView(stage, settings, speaker) { [self] in happened() }
                acts = ScreenActs(view, speaker, settings, around.timers) { [self] in happened() }
            } catch {
                // Without fonts nothing can be shown, and a retry would not help until they are installed.
                ScreenSubcommand.endWithoutLetters(error)
            }
        }
        guard let acts else { return }
        speaker.artwork.side = acts.view.artworkSide
        hands.work(acts)
        acts.view.show(speaker.state(at: moment), at: moment)
        acts.view.setArtwork(speaker.artwork.surface)
        light.forget()
        happened()
    }

    // MARK: What is due

    /// Schedules an update after an event.
    private func happened() {
        frames.happened(at: moment)
        updateSoon()
    }

    private func updateSoon() {
        if soon == nil { soon = around.timers.schedule(at: around.timers.now) { [self] in update() } }
    }

    private var isNight: Bool { settings.isNight(around.clock()?.minuteOfDay) }

    /// Draws what is due, and sets the timer for what is due next.
    private func update() {
        if let due = soon.take() { around.timers.cancel(due) }
        if let due = timer.take() { around.timers.cancel(due) }
        let moment = moment
        MonotonicTime.endWhereMomentsDo(moment)
        if hands.pass(moment) { frames.isStale = true }
        if let waitsUntil, moment < waitsUntil { return wake(at: waitsUntil) }
        let clock = around.clock()
        let isNight = settings.isNight(clock?.minuteOfDay)
        light.machine.pass(moment, isNight: isNight)
        if light.shine(settings.brightness(isNight: isNight), on: output.panel) { frames.isStale = true }
        let isDark = light.machine.light == .dark
        if light.machine.place == .speaker { view?.keepPage(light.machine.light, at: moment) }
        // In the dark, on the player and without a focus, the buttons are the speaker's: play is play.
        let hasFocus = acts.map { $0.view.hasList && $0.hasFocus } ?? false
        speaker.takesButtons = light.machine.light == .bright && hasFocus
        var wakes = [light.machine.nextChange(after: moment), hands.deadline]
        if !isDark, let acts, let panel = output.panel {
            if let clock, acts.view.setClock(clock.minuteOfDay, at: moment) { frames.isStale = true }
            if acts.view.set(light.machine.place, light.machine.light, isNight: isNight, at: moment) {
                frames.isStale = true
            }
            speaker.look(at: moment)
            speaker.artwork.pictures.beginFrame()
            defer { speaker.artwork.pictures.endFrame() }
            do throws(PosixError) {
                let next = try frames.draw(acts, panel)
                // Open them only after the first picture: it must not wait that long.
                if inputs == nil && settings.current.hasInput { inputs = around.openInputs(hands.users) }
                wakes += [next, frames.rest(acts.view, until: next, at: moment), speaker.nextLook(at: moment)]
            } catch { output.lose(error.message) }
            speaker.tellFocus(
                acts.view.focus.flatMap { focus in
                    let elements = acts.view.elements
                    return elements.indices.contains(focus) ? elements[focus] : nil
                })
        }
        var next = wakes.compactMap { $0 }.min()
        // Night begins by the wall clock, without an event. A dark panel need not watch it.
        if !isDark, let clock, settings.current.night != nil || view?.hasClock ?? false {
            next = min(next ?? .max, moment + (60 - clock.second) * 1000)
        }
        if let next { wake(at: next) }
    }

    private func wake(at moment: Int) {
        timer = around.timers.schedule(at: MonotonicTime(moment: moment)) { [self] in
            timer = nil
            update()
        }
    }
}
