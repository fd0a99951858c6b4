// SPDX-License-Identifier: Apache-2.0
import Configuration
import Core
import Design
import Interaction
import Model
import Pixels
import Posix
import Scenes
import Text
import Wire

/// Carries out the actions of a screen, on the speaker, the pages or the overlays.
final class ScreenActs {
    /// The number of sentences to request, before and after the position that a hand chose.
    private static let neighbours = 60

    let view: ScreenView
    private let speaker: ScreenSpeaker
    private let settings: ScreenSettings
    private let timers: any Timers
    private let happened: () -> Void
    private var menu: (row: ListRow, deeds: [RowDeed])?
    private lazy var regrets = ScreenRegrets(timers)
    private var choice: ScreenChoice?
    /// The finger's latest position on the progress, in milliseconds, while its sentence is requested.
    private var looksFor: Int?
    private var isLooking = false
    /// True if a hand uses buttons and gets the focus as soon as something can have it.
    private var wantsFocus = false
    private var pace = FocusPace()

    /// - Parameter happened: called when a result arrives later, with an answer of the speaker.
    init(
        _ view: ScreenView, _ speaker: ScreenSpeaker, _ settings: ScreenSettings, _ timers: any Timers,
        happened: @escaping () -> Void
    ) {
        self.view = view
        self.speaker = speaker
        self.settings = settings
        self.timers = timers
        self.happened = happened
    }

    private var director: Director { view.director }
    private var pages: ScreenPages { view.pages }

    /// True if the screen has a focus or will get one: buttons then belong to it.
    var hasFocus: Bool { wantsFocus || director.focus != nil }

    func take(_ gesture: Gesture, at moment: Int) {
        switch gesture {
        case .choose, .hold: keepingFocus(at: moment) { carryOut(gesture, at: moment) }
        default: carryOut(gesture, at: moment)
        }
    }

    /// Keeps a focus over a change of screens.
    private func keepingFocus(at moment: Int, _ act: () -> Void) {
        let hadFocus = director.focus != nil
        act()
        if hadFocus && director.focus == nil { wantFocus(at: moment) }
    }

    private func wantFocus(at moment: Int) {
        wantsFocus = true
        focusIfWanted(at: moment)
    }

    private func carryOut(_ gesture: Gesture, at moment: Int) {
        let action = director.take(gesture, at: moment)
        speaker.feel(Haptic(action, after: gesture))
        switch (action, gesture) {
        case (.seek, .tap(let x, let y)):
            guard let duration = view.state.durationMilliseconds, let part = part(of: .seek, x, y) else { return }
            speaker.perform(.seekTo(Int(Float(duration) * part)))
        case (.volume, .tap(let x, let y)):
            if let part = part(of: .volume, x, y) { speaker.tell("setvol \(Int((part * 100).rounded()))") }
        default: act(action, at: moment)
        }
    }

    func act(_ action: Element.Action, at moment: Int) {
        switch action {
        case .none, .seek, .volume: break
        case .show(let tab): view.go(to: tab, at: moment)
        case .leave: leave(at: moment)
        case .retry: speaker.retry()
        case .open(let kind, let name): follow(pages.open(kind, name), at: moment)
        case .play(let kind, let name): follow(pages.play(kind, name), at: moment)
        case .menu(let kind, let name): showMenu(kind, name, at: moment)
        case .ask(let question): ask(question, at: moment)
        case .choose(let index): choose(index, at: moment)
        case .search:
            pages.showSearch()
            view.present(at: moment)
        case .toggleFavourite:
            // The words describe the state after the change.
            let words = view.state.isFavourite ? translated("Removed from Favorites") : translated("Added to Favorites")
            speaker.toggleFavourite { [self] in say(words, at: timers.now.moment) }
        case .look(let place): look(at: place)
        case .undo: regrets.undo()
        case .remove(let file):
            _ = pages.take(action)
            offerUndo(translated("Removed from Favorites")) { [self] in
                speaker.tell("favourite add " + file.quotedArgument)
            }
        default:
            if !pages.take(action) { speaker.perform(action) }
        }
    }

    /// Shows the result of an action.
    func say(_ words: String, _ kind: Toast.Kind = .done, at moment: Int) {
        director.put(.toast(Toast(words, kind)), at: moment)
        happened()
    }

    /// Shows an action with a button to undo it.
    /// - Parameters:
    ///   - end: the final step when it can no longer be undone.
    ///   - undo: the action of the button.
    private func offerUndo(
        _ words: String, button: String = translated("Undo"), end: @escaping () -> Void = {}, undo: @escaping () -> Void
    ) {
        regrets.offer(undo, end)
        director.put(.toast(Toast(words, button: button)), at: timers.now.moment)
        happened()
    }

    /// Closes questions, because the speaker no longer answers.
    func speakerWent(at moment: Int) { if director.isAsking { director.takeAway(at: moment) } }

    /// Shows a screen and closes earlier questions. The first element gets the focus, since the hand may have nothing but buttons.
    func show(_ screen: ScreenName, at moment: Int) {
        if view.place != .speaker { return }
        if director.isAsking { director.takeAway(at: moment) }
        if view.tab == view.lead(to: screen) && !view.isStandby { return wantFocus(at: moment) }
        view.go(to: screen, at: moment)
        wantFocus(at: moment)
    }

    /// Sets the wanted focus. On a list it waits for the rows, which come before other elements. The player needs no focus.
    private func focusIfWanted(at moment: Int) {
        if !wantsFocus { return }
        if view.hasList {
            if !director.isAsking && view.isLoading { return }
            if director.focus == nil { _ = director.take(.enter, at: moment) }
            if director.focus == nil { return }
        }
        wantsFocus = false
        happened()
    }

    /// Moves the focus.
    /// - Parameter isAgain: true while the button or key stays held, which accelerates.
    func walk(isForward: Bool, isAgain: Bool, at moment: Int) {
        take(pace.step(isForward: isForward, isAgain: isAgain, at: moment), isForward: isForward, at: moment)
    }

    /// Moves the focus by a detent of a knob.
    func turn(isForward: Bool, at moment: Int) {
        take(pace.turn(isForward: isForward, at: moment), isForward: isForward, at: moment)
    }

    private func take(_ step: FocusPace.Step?, isForward: Bool, at moment: Int) {
        switch step {
        case .element: take(.focus(forward: isForward), at: moment)
        case .lines(let count): take(.run(lines: isForward ? count : -count), at: moment)
        case .letter: take(.leap(forward: isForward), at: moment)
        case nil: break
        }
    }

    /// Handles the arrows of a keyboard or remote control. Held down, they run along a list.
    private func move(_ side: Side, isAgain: Bool, at moment: Int) {
        let isAlong = side == .up || side == .down
        let step = isAlong ? pace.step(isForward: side == .down, isAgain: isAgain, at: moment) : .element
        if step == .element { return take(.move(side), at: moment) }
        take(step, isForward: side == .down, at: moment)
    }

    // MARK: Sentences

    /// Shows the sentence spoken at the finger's position.
    private func look(at place: Int) {
        looksFor = place
        if isLooking { return }
        isLooking = true
        speaker.askSentences(around: place, neighbours: 0) { [self] told in
            isLooking = false
            view.player.showSentence(told?.segments.first?.text ?? "")
            happened()
            // The finger has moved on meanwhile.
            if told != nil, let next = looksFor, next != place { look(at: next) }
        }
    }

    /// Requests the rows drawn as placeholder shapes. Call it after each frame.
    func fetch(at moment: Int) {
        focusIfWanted(at: moment)
        pages.fetchRows()
        pages.fetchPictures()
        let file = view.state.file
        if view.player.wantsChapters() {
            speaker.askRows("book") { [self] rows in
                guard view.state.file == file else { return }
                view.player.show(chapters: rows.compactMap { $0.startMilliseconds }, of: file)
                happened()
            }
        }
        guard let place = view.player.wantedPlace(at: moment) else { return }
        // The hand has scrolled through the known transcript.
        speaker.askSentences(around: place, neighbours: ScreenActs.neighbours) { [self] told in
            guard let told, view.state.file == file else { return }
            view.player.addSentences(told)
            happened()
        }
    }

    // MARK: Hands

    /// Changes the text size by one step, after a pinch.
    /// - Parameter isMore: true for larger letters.
    func scaleText(isMore: Bool, at moment: Int) {
        // On the simple screens a sleeping hand's fingers change nothing.
        if view.simple != nil { return }
        _ = pages.take(.change(.textSize, isMore ? .more : .less))
        director.drawAnew()
        say(translated("Text %1 %", "\(settings.current.textPercent)"), at: moment)
    }

    /// Handles a key of a keyboard or remote control.
    func answer(_ key: ScreenInputs.Key, isAgain: Bool, at moment: Int) {
        let isTyping = view.tab == .library && pages.isSearching && !director.isAsking
        if isAgain && !key.repeats && !(key == .erase && isTyping) { return }
        switch key {
        case .move(let side): move(side, isAgain: isAgain, at: moment)
        case .after: walk(isForward: true, isAgain: isAgain, at: moment)
        case .before: walk(isForward: false, isAgain: isAgain, at: moment)
        // Without a focus it acts like the speaker's own buttons.
        case .choose where director.isRinging && director.focus == nil: act(.alarm(.snooze), at: moment)
        // A hand that wants silence at night gets it, with any list open.
        case .choose where director.focus == nil && !director.isAsking && !isTyping:
            speaker.perform(.togglePlayback)
        case .hold where director.isRinging: act(.alarm(.end), at: moment)
        case .choose: take(.choose, at: moment)
        case .hold: take(.hold, at: moment)
        case .leave: goBack(fromX: -1, fromY: -1, at: moment)
        case .show(let tab):
            act(.show(tab), at: moment)
            wantFocus(at: moment)
        case .search:
            search(at: moment)
            wantFocus(at: moment)
        case .act(.toggleFavourite): act(.toggleFavourite, at: moment)
        case .act(let action): speaker.perform(action)
        case .louder: speaker.tell("volume +5")
        case .quieter: speaker.tell("volume -5")
        case .letter(let byte) where isTyping: act(.type(.letter(UInt32(byte))), at: moment)
        case .erase where isTyping: act(.type(.erase), at: moment)
        case .letter(0x20): speaker.perform(.togglePlayback)
        case .erase: goBack(fromX: -1, fromY: -1, at: moment)
        case .letter: break
        }
    }

    private func search(at moment: Int) {
        if view.simple != nil { return act(.show(.library), at: moment) }
        if view.place != .speaker || view.tab == .library && pages.isSearching { return }
        _ = pages.closeAll()
        if view.tab != .library { view.go(to: .library, at: moment) }
        act(.search, at: moment)
    }

    /// Scrolls what lies under the pointer.
    func turnWheel(_ steps: Int, at moment: Int) {
        let (x, y) = view.pointerPlace
        take(.drag(x: x, y: y, byX: 0, byY: steps * Int(40 * view.pixelsPerPoint)), at: moment)
        take(.drop(speedX: 0, speedY: 0), at: moment)
    }

    /// Returns the touched position on a slider, 0…1.
    private func part(of action: Element.Action, _ x: Int, _ y: Int) -> Float? {
        guard let bar = director.elements.last(where: { $0.action == action && $0.frame.contains(x: x, y: y) })
        else { return nil }
        return min(1, max(0, Float(x - bar.frame.x) / Float(max(1, bar.frame.width - 1))))
    }

    /// Goes back, after a swipe to the right or its key.
    func goBack(fromX x: Int, fromY y: Int, at moment: Int) {
        if director.isRinging { return act(.alarm(.snooze), at: moment) }
        if director.isAsking { return director.takeAway(at: moment) }
        if view.place == .speaker && view.tab != .player && part(of: .seek, x, y) == nil {
            keepingFocus(at: moment) { leave(at: moment) }
        }
    }

    /// Goes from the player to the next screen after a swipe to the left, if there is no room for tabs.
    func goOn(fromX x: Int, fromY y: Int, at moment: Int) {
        // On the progress bar a swipe would have been a drag.
        if view.place == .speaker && view.tab == .player && !view.isStandby && !director.isAsking
            && part(of: .seek, x, y) == nil
        {
            view.go(to: .library, at: moment)
        }
    }

    /// Returns to the previous screen.
    private func leave(at moment: Int) {
        if view.tab == .library && pages.close() { return view.present(at: moment) }
        view.goBack(at: moment)
    }

    private func follow(_ outcome: ScreenPages.Outcome, at moment: Int) {
        switch outcome {
        case .nothing: break
        case .plays: view.go(to: .player, at: moment)
        case .shows: view.present(at: moment)
        }
    }

    // MARK: Acts on a row

    private func showMenu(_ kind: ListRow.Kind, _ name: String, at moment: Int) {
        guard let row = pages.row(kind, name) else { return }
        let deeds = RowDeed.all(row, isFavourite: row.playsFile == view.state.file && view.state.isFavourite)
        (menu, choice) = ((row, deeds), nil)
        let place = director.elements.first { $0.action == .open(kind, name) }?.frame
        director.put(.menu(title: row.title, items: deeds.map { $0.item }, at: place), at: moment)
    }

    private func ask(_ question: Element.Question, at moment: Int) {
        let made = ScreenChoice(question, view.state)
        (menu, choice) = (nil, made)
        director.put(made.overlay, at: moment)
    }

    private func choose(_ index: Int, at moment: Int) {
        if let step = choice?.step(index) {
            choice = nil
            switch step {
            case .tell(let command): speaker.tell(command)
            case .ask(let question): ask(question, at: moment)
            }
            return
        }
        guard let (row, deeds) = menu, deeds.indices.contains(index) else { return }
        menu = nil
        perform(deeds[index], on: row, at: moment)
    }

    private func perform(_ deed: RowDeed, on row: ListRow, at moment: Int) {
        switch deed.kind {
        case .play: return follow(pages.play(row.kind, row.name), at: moment)
        case .open: return follow(pages.open(row.kind, row.name), at: moment)
        case .delete: return delete(row, by: deed)
        case .finish where row.file.isEmpty:
            // A book that was never begun has its folder as its name. Any of its files stands for it.
            return speaker.ask("listall " + row.name.quotedArgument) { [self] answer in
                guard let file = answer?.value("file") else { return speaker.refuse(answer?.refusal ?? "") }
                var row = row
                row.file = file
                let all = RowDeed.all(row, isFavourite: false)
                if let whole = all.first(where: { $0.kind == .finish }) { perform(whole, on: row, at: moment) }
            }
        default: break
        }
        speaker.ask(deed.command) { [self] answer in
            guard let answer else { return }
            guard let refusal = answer.refusal else { return didPerform(deed, on: row) }
            if deed.kind == .keep && answer.refusalCode == ScreenActs.alreadyThere {
                offerUndo(translated("Already in Favorites"), button: translated("Remove")) { [self] in
                    speaker.tell("favourite remove " + row.playsFile.quotedArgument)
                }
            } else if deed.kind == .next && row.kind != .playlist {
                // Without a playing item the row is added at the end.
                speaker.tell("add " + row.name.quotedArgument) { [self] isDone in
                    if isDone { say(translated("Added to the queue"), at: timers.now.moment) }
                }
            } else {
                speaker.refuse(refusal)
            }
        }
    }

    /// MPD's error number for something that exists already.
    private static let alreadyThere = 56

    private func didPerform(_ deed: RowDeed, on row: ListRow) {
        if deed.kind != .forget { return say(deed.said, at: timers.now.moment) }
        offerUndo(deed.said) { [self] in speaker.tell("favourite add " + row.playsFile.quotedArgument) }
    }

    /// Hides the row at once. Deletes what it stands for when undo is no longer possible, since a playlist has no copy.
    private func delete(_ row: ListRow, by deed: RowDeed) {
        pages.setHidden(row, true)
        let show = { [self] in pages.setHidden(row, false) }
        offerUndo(deed.said, end: { [self] in speaker.tell(deed.command) { _ in show() } }, undo: show)
    }
}
