import CPosix
import Configuration
import Console
import Design
import Interaction
import Panel
import Pixels
import Posix
import Scenes
import Typography

/// The process that draws: one loop over the speaker's socket, hands and the panel. It draws when something has happened and when the scene
/// says that it looks different, and sleeps else.
final class ScreenRun {
    private var settings: Configuration.Screen
    private let memory: ScreenMemory
    private let families: [FontFamily]
    /// Of the fonts that are missing so many were told of.
    private var toldFonts = 0
    private let loop: EventLoop
    private let speaker: ScreenSpeaker
    private let output: ScreenPanel
    private var inputs: ScreenInputs?
    private var machine: ScreenMachine
    private var pacer = FramePacer(framesPerSecond: 60)
    private var backlight: Backlight?
    private var view: ScreenView?
    private var touches: TouchRecognizer?
    /// How far apart two fingers were when the text last changed.
    private var pinched: Float = 1
    /// The mouse's button is down.
    private var isPointing = false
    /// None of a touch panel.
    private static let pointerFinger = 1000
    /// What was shown last.
    private var light: ScreenMachine.Light?
    private var shownBrightness = -1
    /// Something has happened since the last frame.
    private var isStale = true
    /// When it next looks different by itself, as the scene said after the last frame; nil for never.
    private var due: Int?
    private var timer: EventLoop.TimerToken?
    private var rest = ScreenRest()
    /// The first picture waits for what the speaker says, from when all that takes long is loaded.
    private var waitsUntil: Int?
    /// What is due is drawn once all that has come was looked at: hands come before pictures.
    private var soon: EventLoop.TimerToken?
    private var figures = FrameFigures()

    private static let patienceMilliseconds = 150
    init(
        _ settings: Configuration.Screen, families: [FontFamily], fileSize: (width: Int, height: Int),
        socketPath: String, hasHaptics: Bool, loop: EventLoop
    ) throws(PosixError) {
        self.settings = settings
        self.families = families
        self.loop = loop
        output = ScreenPanel(settings, fileSize: fileSize, loop: loop)
        var timing = ScreenMachine.Settings()
        timing.dimMilliseconds = settings.dimSeconds * 1000
        timing.darkMilliseconds = settings.offSeconds * 1000
        timing.isDarkAtNight = settings.isOffAtNight
        machine = ScreenMachine(timing, at: ScreenRun.moment)
        let speaker = try ScreenSpeaker(socketPath: socketPath, hasHaptics: hasHaptics, loop: loop)
        self.speaker = speaker
        memory = ScreenMemory(folder: environmentVariable("STATE_DIRECTORY")) { speaker.write($0, to: $1) }
        memory.restore(&self.settings)
    }

    /// Milliseconds of a clock that never goes back.
    static var moment: Int { Int(MonotonicTime.now.nanoseconds / 1_000_000) }

    func start() {
        waitsUntil = ScreenRun.moment + 10 * ScreenRun.patienceMilliseconds
        speaker.start(
            ScreenSpeaker.Users(
                stateChanged: { [self] in
                    if waitsUntil != nil {
                        // With its picture, if that comes soon.
                        waitsUntil = speaker.awaitsPicture ? ScreenRun.moment + ScreenRun.patienceMilliseconds : nil
                    }
                    machine.speakerSaid(speaker.state, at: ScreenRun.moment)
                    view?.show(speaker.state, at: ScreenRun.moment)
                    happened()
                },
                artworkChanged: { [self] in
                    waitsUntil = nil
                    view?.setArtwork(speaker.artwork)
                    happened()
                },
                changed: { [self] names in view?.changed(names) },
                pressed: { [self] gesture in pressed(gesture) },
                lost: { [self] in
                    waitsUntil = nil
                    machine.speakerWent(at: ScreenRun.moment)
                    happened()
                }, treeAsked: { [self] in speaker.tellTree(view?.elements ?? [], focus: view?.focus) }))
        do throws(PosixError) { backlight = try Backlight(settings.backlight) } catch {
            // Most panels have none; a name that was written is meant.
            if !settings.backlight.isEmpty { Log.warning("screen: " + error.message) }
        }
        output.start(
            ScreenPanel.Users(opened: { [self] panel in makeView(panel) }, shown: { [self] in updateSoon() }))
        if waitsUntil != nil { waitsUntil = ScreenRun.moment + ScreenRun.patienceMilliseconds }
        happened()
    }

    func stop() {
        if figures.frames > 0 { Log.notice("screen: " + figures.words) }
        inputs = nil
        speaker.stop()
        output.stop()
    }

    // MARK: The panel

    private func makeView(_ panel: any Panel) {
        if let view, view.width == panel.width, view.height == panel.height {
            view.drawAnew()
        } else {
            do throws(MissingLibrary) {
                view = try ScreenView(
                    settings, memory, width: panel.width, height: panel.height, isDark: isDark,
                    families: families, speaker: speaker
                ) { [self] in happened() }
            } catch {
                // Without letters there is nothing to show, and to try again would not help until they are installed.
                Log.error("screen: " + error.message)
                exit(ServeSubcommand.badConfiguration)
            }
        }
        guard let view else { return }
        speaker.artworkSide = view.artworkSide
        touches = TouchRecognizer(TouchRecognizer.Settings(factor: view.pixelsPerPoint))
        let moment = ScreenRun.moment
        view.show(speaker.state(at: moment), at: moment)
        view.setArtwork(speaker.artwork)
        light = nil
        happened()
    }

    // MARK: Hands

    /// Once there is something to be seen: to look at them takes longer than the first picture may wait.
    private func openInputs() {
        if inputs != nil || !settings.hasInput { return }
        inputs = ScreenInputs(
            settings, loop: loop,
            users: ScreenInputs.Users(
                touched: { [self] contact, moment in touched(contact, moment) },
                key: { [self] key, press in keyed(key, press) },
                pointed: { [self] act, moment in pointed(act, moment) }))
    }

    /// - Parameter place: in parts of the panel as it is made.
    private func touched(_ place: ScreenInputs.Place, _ moment: Int) {
        guard let view, touches != nil else { return }
        let pixel = place.calibration.pixel(
            place.x, place.y, PanelRotation(rawValue: settings.rotation) ?? .none, width: view.width,
            height: view.height)
        let contact = Contact(finger: place.finger, phase: place.phase, x: pixel.x, y: pixel.y)
        if machine.handActs(contact.phase, at: moment) {
            for output in touches!.take(contact, at: moment) { act(output, at: moment) }
            if contact.phase != .moved { figures.touched(at: moment) }
        }
        happened()
    }

    private func act(_ output: TouchRecognizer.Output, at moment: Int) {
        guard let view else { return }
        switch output {
        case .gesture(let gesture):
            if case .press = gesture { pinched = 1 }
            view.take(gesture, at: moment)
        case .swipe(let direction, let x, let y):
            if direction == .right { view.goBack(fromX: x, fromY: y, at: moment) }
            if direction == .left { view.goOn(fromX: x, fromY: y, at: moment) }
        case .twoFingerTap: speaker.perform(.togglePlayback)
        case .pinch(let part):
            // A step for each third that they go apart or together.
            if part > pinched * 1.3 || part < pinched / 1.3 {
                view.scaleText(isMore: part > pinched, at: moment)
                pinched = part
            }
        }
    }

    private func keyed(_ key: ScreenInputs.Key, _ press: ScreenInputs.Press) {
        guard let view else { return }
        let moment = ScreenRun.moment
        let counts = machine.handActs(press.phase, at: moment)
        if counts && press != .up { view.answer(key, isAgain: press == .again, at: moment) }
        happened()
    }

    /// A mouse without a place of its own.
    private func pointed(_ act: ScreenInputs.PointerAct, _ moment: Int) {
        guard let view, touches != nil else { return }
        switch act {
        case .moved(let x, let y):
            let place = view.movePointer(byX: x, y: y, at: moment)
            if isPointing { return pointed(.moved, place, moment) }
            _ = machine.handActs(.moved, at: moment)
        case .button(let isDown):
            isPointing = isDown
            return pointed(isDown ? .down : .up, view.movePointer(byX: 0, y: 0, at: moment), moment)
        case .wheel(let steps):
            if machine.handActs(.moved, at: moment) { view.turnWheel(steps, at: moment) }
        }
        happened()
    }

    private func pointed(_ phase: Contact.Phase, _ place: (x: Int, y: Int), _ moment: Int) {
        let contact = Contact(finger: ScreenRun.pointerFinger, phase: phase, x: place.x, y: place.y)
        if machine.handActs(phase, at: moment) {
            for output in touches?.take(contact, at: moment) ?? [] { act(output, at: moment) }
        }
        happened()
    }

    /// A button of the speaker: what it does while a list is shown.
    private func pressed(_ gesture: String) {
        guard let view else { return }
        let moment = ScreenRun.moment
        let counts = machine.handActs(.down, at: moment)
        _ = machine.handActs(.up, at: moment)
        if counts {
            switch ButtonUse(gesture: gesture) {
            case .choose: view.take(.choose, at: moment)
            case .hold: view.take(.hold, at: moment)
            case .backward: view.take(.focus(forward: false), at: moment)
            case .forward: view.take(.focus(forward: true), at: moment)
            case .leave: view.goBack(fromX: 0, fromY: 0, at: moment)
            case nil: break
            }
        }
        happened()
    }

    // MARK: Drawing

    /// Something is to be shown.
    private func happened() {
        (isStale, _) = (true, rest.happened(at: ScreenRun.moment))
        updateSoon()
    }

    private func updateSoon() {
        if soon == nil { soon = loop.schedule(at: loop.turnBegan) { [self] in update() } }
    }

    /// By the wall; nil on a board that does not know it yet.
    private var clock: (minuteOfDay: Int, second: Int)? {
        var now = time(nil)
        var parts = tm()
        // Before there was a Nightstand.
        if now < 1_600_000_000 || localtime_r(&now, &parts) == nil { return nil }
        return (Int(parts.tm_hour) * 60 + Int(parts.tm_min), Int(parts.tm_sec))
    }

    private var isNight: Bool { clock.map { settings.night?.contains(minute: $0.minuteOfDay) ?? false } ?? false }

    private var isDark: Bool {
        switch settings.theme {
        case .light: false
        case .dark: true
        case .byHour: isNight
        }
    }

    /// Draws what is due, and has itself woken when something is due next.
    private func update() {
        if let due = soon.take() { loop.cancel(due) }
        if let due = timer.take() { loop.cancel(due) }
        let moment = ScreenRun.moment
        if var touches {
            let due = touches.pass(moment)
            self.touches = touches
            for output in due { act(output, at: moment) }
            isStale = isStale || !due.isEmpty
        }
        if let waitsUntil, moment < waitsUntil { return wake(at: waitsUntil) }
        machine.pass(moment, isNight: isNight)
        setLight()
        // In the dark, and on the player, they are the speaker's.
        speaker.takesButtons = machine.light == .bright && view?.hasList ?? false
        var wakes = [machine.nextChange(after: moment), touches?.deadline]
        if machine.light != .dark, let view, let panel = output.panel {
            if let clock { view.setClock(clock.minuteOfDay, at: moment) }
            if view.set(machine.place, machine.light, isDark: isNight, at: moment) { isStale = true }
            let next = draw(view, panel)
            openInputs()
            wakes += [next, rest.use(for: view, until: next, at: moment), speaker.nextLook(at: moment)]
        }
        var next = wakes.compactMap { $0 }.min()
        // Night comes by the wall clock, which tells nobody; nothing is looked at while it is dark.
        if machine.light != .dark, let clock, settings.night != nil || view?.isStandby ?? false {
            next = min(next ?? .max, moment + (60 - clock.second) * 1000)
        }
        if let next { wake(at: next) }
    }

    private func wake(at moment: Int) {
        timer = loop.schedule(at: MonotonicTime(nanoseconds: Int64(moment) * 1_000_000)) { [self] in
            timer = nil
            update()
        }
    }

    /// One picture, if one is due: what has come meanwhile is looked at before the next.
    /// - Returns: when the next is.
    private func draw(_ view: ScreenView, _ panel: any Panel) -> Int? {
        let slowest = view.frameMilliseconds
        pacer.intervalMicroseconds = slowest > 0 ? slowest * 1000 : 16_667
        let micros = Int(MonotonicTime.now.nanoseconds / 1000)
        let moment = micros / 1000
        speaker.look(at: moment)
        let wanted = isStale ? moment : due
        if pacer.decide(wanted: wanted.map { $0 * 1000 }, isPanelBusy: panel.isBusy, now: micros) == .now {
            let damage = view.draw(at: moment)
            isStale = false
            rest.drew(at: moment)
            due = view.nextFrame(after: moment)
            tellOfFonts(view)
            pacer.drew(at: micros)
            if damage.isEmpty {
                figures.nothingChanged()
            } else {
                do throws(PosixError) { try panel.show(view.surface, changed: damage) } catch {
                    output.lose(error.message)
                    return nil
                }
                figures.shown(at: ScreenRun.moment)
            }
        }
        let next = isStale ? moment : due
        switch pacer.decide(wanted: next.map { $0 * 1000 }, isPanelBusy: panel.isBusy, now: micros) {
        case .now: return moment
        case .at(let due): return (due + 999) / 1000
        // Its descriptor wakes the loop, or nothing does.
        case .whenShown, .never: return nil
        }
    }

    /// What a text needed and nobody has installed, once.
    private func tellOfFonts(_ view: ScreenView) {
        let missing = view.missingFonts
        while toldFonts < missing.count {
            Log.notice("screen: a text needs " + missing[toldFonts])
            toldFonts += 1
        }
    }

    private func setLight() {
        let percent = view?.brightness ?? settings.brightness
        if light == machine.light && (light != .bright || percent == shownBrightness) { return }
        shownBrightness = percent
        let wasDark = light == .dark
        light = machine.light
        switch machine.light {
        case .bright: backlight?.set(percent: percent)
        case .dimmed: backlight?.set(percent: settings.dimBrightness)
        case .dark: backlight?.set(percent: 0)
        }
        if machine.light == .dark {
            output.panel?.setLit(false)
        } else if wasDark {
            output.panel?.setLit(true)
            isStale = true
        }
    }
}
