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

/// Carries out a hand's acts on a screen: at the speaker, on the pages, over them.
final class ScreenActs {
    /// The number of sentences to ask for, before and after a place of a hand's choice.
    private static let neighbours = 60

    let view: ScreenView
    private let speaker: ScreenSpeaker
    private let settings: ScreenSettings
    private let timers: any Timers
    private let happened: () -> Void
    private var menu: (row: ListRow, deeds: [RowDeed])?
    private lazy var regrets = ScreenRegrets(timers)
    private var choice: ScreenChoice?
    /// The last place of a finger on the progress.
    private var looksFor: Int?
    private var isLooking = false
    /// A hand that came by buttons goes on by the focus, once there is something to have it.
    private var wantsFocus = false
    private var pace = FocusPace()

    /// - Parameter happened: something of it came later, by an answer of the speaker.
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

    /// True if the screen has a focus, or will have it: buttons are for it.
    var hasFocus: Bool { wantsFocus || director.focus != nil }

    func take(_ gesture: Gesture, at moment: Int) {
        switch gesture {
        case .choose, .hold: keepingFocus(at: moment) { carryOut(gesture, at: moment) }
        default: carryOut(gesture, at: moment)
        }
    }

    /// A hand that has a focus finds it on the screen that it comes to as well.
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
            // The state after this.
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

    /// Shows the result of a hand's act.
    func say(_ words: String, _ kind: Toast.Kind = .done, at moment: Int) {
        director.put(.toast(Toast(words, kind)), at: moment)
        happened()
    }

    /// Says the act, with a button to undo it. - Parameters:
    ///   - end: the final act once it is too late for that.
    ///   - undo: the act of the button.
    private func offerUndo(
        _ words: String, button: String = translated("Undo"), end: @escaping () -> Void = {}, undo: @escaping () -> Void
    ) {
        regrets.offer(undo, end)
        director.put(.toast(Toast(words, button: button)), at: timers.now.moment)
        happened()
    }

    /// The speaker no longer answers questions.
    func speakerWent(at moment: Int) { if director.isAsking { director.takeAway(at: moment) } }

    /// It takes earlier questions away. The focus stands on the first of its elements, since the hand may have nothing but buttons.
    func show(_ screen: ScreenName, at moment: Int) {
        if view.place != .speaker { return }
        if director.isAsking { director.takeAway(at: moment) }
        if view.tab == view.lead(to: screen) && !view.isStandby { return wantFocus(at: moment) }
        view.go(to: screen, at: moment)
        wantFocus(at: moment)
    }

    /// The focus waits for the rows of a list, which come before what else stands on it. The player needs none.
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

    /// Goes on by the focus. - Parameter isAgain: the button or key is still held, and it goes faster and faster.
    func walk(isForward: Bool, isAgain: Bool, at moment: Int) {
        take(pace.step(isForward: isForward, isAgain: isAgain, at: moment), isForward: isForward, at: moment)
    }

    /// The same by a detent of a knob.
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

    /// The arrows of a keyboard or a remote control: along a list they run during a hold.
    private func move(_ side: Side, isAgain: Bool, at moment: Int) {
        let isAlong = side == .up || side == .down
        let step = isAlong ? pace.step(isForward: side == .down, isAgain: isAgain, at: moment) : .element
        if step == .element { return take(.move(side), at: moment) }
        take(step, isForward: side == .down, at: moment)
    }

    // MARK: Sentences

    /// Shows what is spoken where a finger is.
    private func look(at place: Int) {
        looksFor = place
        if isLooking { return }
        isLooking = true
        speaker.askSentences(around: place, neighbours: 0) { [self] told in
            isLooking = false
            view.player.showSentence(told?.segments.first?.text ?? "")
            happened()
            // The finger has gone on meanwhile.
            if told != nil, let next = looksFor, next != place { look(at: next) }
        }
    }

    /// Asks for rows that have only a shape: call it after each frame.
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
        // A hand goes on through the transcript.
        speaker.askSentences(around: place, neighbours: ScreenActs.neighbours) { [self] told in
            guard let told, view.state.file == file else { return }
            view.player.addSentences(told)
            happened()
        }
    }

    // MARK: Hands

    /// Letters become larger where two fingers go apart. - Parameter isMore: by one step; else smaller.
    func scaleText(isMore: Bool, at moment: Int) {
        // Two fingers of a hand that sleeps set nothing.
        if view.simple != nil { return }
        _ = pages.take(.change(.textSize, isMore ? .more : .less))
        director.drawAnew()
        say(translated("Text %1 %", "\(settings.current.textPercent)"), at: moment)
    }

    /// A key of a keyboard or of a remote control.
    func answer(_ key: ScreenInputs.Key, isAgain: Bool, at moment: Int) {
        let isTyping = view.tab == .library && pages.isSearching && !director.isAsking
        if isAgain && !key.repeats && !(key == .erase && isTyping) { return }
        switch key {
        case .move(let side): move(side, isAgain: isAgain, at: moment)
        case .after: walk(isForward: true, isAgain: isAgain, at: moment)
        case .before: walk(isForward: false, isAgain: isAgain, at: moment)
        // As at the speaker's own buttons, while nothing has the focus.
        case .choose where director.isRinging && director.focus == nil: act(.alarm(.snooze), at: moment)
        // A hand that wants silence at night finds it, with any list open.
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

    /// Returns the part of a slider at a touch, 0…1.
    private func part(of action: Element.Action, _ x: Int, _ y: Int) -> Float? {
        guard let bar = director.elements.last(where: { $0.action == action && $0.frame.contains(x: x, y: y) })
        else { return nil }
        return min(1, max(0, Float(x - bar.frame.x) / Float(max(1, bar.frame.width - 1))))
    }

    /// A stroke to the right, or the key for it.
    func goBack(fromX x: Int, fromY y: Int, at moment: Int) {
        if director.isRinging { return act(.alarm(.snooze), at: moment) }
        if director.isAsking { return director.takeAway(at: moment) }
        if view.place == .speaker && view.tab != .player && part(of: .seek, x, y) == nil {
            keepingFocus(at: moment) { leave(at: moment) }
        }
    }

    /// A stroke to the left: the way from the player where it has no room for tabs.
    func goOn(fromX x: Int, fromY y: Int, at moment: Int) {
        // Along the bar a stroke was a drag to another place.
        if view.place == .speaker && view.tab == .player && !view.isStandby && !director.isAsking
            && part(of: .seek, x, y) == nil
        {
            view.go(to: .library, at: moment)
        }
    }

    /// To the screen before this one.
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
            // A book without a beginning has its folder as its name: any of its files stands for it.
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
                // Nothing plays that it could come after.
                speaker.tell("add " + row.name.quotedArgument) { [self] isDone in
                    if isDone { say(translated("Added to the queue"), at: timers.now.moment) }
                }
            } else {
                speaker.refuse(refusal)
            }
        }
    }

    /// MPD's number for what exists already.
    private static let alreadyThere = 56

    private func didPerform(_ deed: RowDeed, on row: ListRow) {
        if deed.kind != .forget { return say(deed.said, at: timers.now.moment) }
        offerUndo(deed.said) { [self] in speaker.tell("favourite add " + row.playsFile.quotedArgument) }
    }

    /// Takes the row away at once, and what it stands for when it is too late to undo that: a playlist has no copy.
    private func delete(_ row: ListRow, by deed: RowDeed) {
        pages.setHidden(row, true)
        let show = { [self] in pages.setHidden(row, false) }
        offerUndo(deed.said, end: { [self] in speaker.tell(deed.command) { _ in show() } }, undo: show)
    }
}
