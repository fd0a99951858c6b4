// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model
import Posix

/// Performs a listener's command from a button, key, touch or remote control. The answer is a sound, a picture or a word.
extension Speaker {
    /// - Parameter asked: the time of the request; nil if no listener waits for the sound.
    public func perform(_ command: Command, asked: MonotonicTime? = nil) {
        if asked != nil { audience.didPress() }
        let answers = asked == nil ? nil : audience.answers
        answers?.begin(answerable)
        defer { answers?.end(command, answerable, isNight: isNight) }
        if answersAlarm(command) { return }
        if sleep.isFading {
            wake(by: command)
        } else if let asked {
            playOn(by: command, asked)
        }
        menu.willPerform(command)
        endInterruption(by: command)
        let wasSilent = asked != nil && rules.night != nil && isLongSilent
        switch command {
        // The answer to these is said only after the database has them.
        case .toggleFavourite: toggleFavourite()
        case .toggleBookmark: toggleBookmark()
        default: library.batch { carryOut(command, asked) }
        }
        if wasSilent && wantsToPlay { didEndSilence() }
    }

    private func carryOut(_ command: Command, _ asked: MonotonicTime?) {
        switch command {
        case .none, .screen, .alarm, .toggleFavourite, .toggleBookmark: break
        case .menu(let step): perform(step, asked)
        case .interrupt(let step): perform(step, asked)
        case .playPause: if wantsToPlay { pause(asked) } else { play(asked) }
        case .play: play(asked)
        case .pause: pause(asked)
        case .stop: stop(asked)
        case .next: step(by: 1, asked)
        case .previous: step(by: -1, asked)
        case .skip(let milliseconds): skip(milliseconds, asked)
        case .seek(let milliseconds): seek(to: milliseconds, asked)
        case .volume(let step): changeVolume(by: step)
        case .setVolume(let percent): changeVolume(to: percent)
        case .speed(let step): changeSpeed(by: step, asked)
        case .playEntry(let id): playEntry(queue.index(ofSongID: id), asked)
        case .playItem(let id): playItem(id, asked)
        case .sentence(let step): perform(step, asked)
        case .loop(let change): perform(change, asked)
        case .sleep(let wanted): setSleep(wanted)
        case .sleepStep: setSleep(sleep.setting.step(forward: true, around: true))
        case .say: sayWhatIsSo()
        case .switchVoice: switchVoice()
        case .describe: change(hands: audience.hands == .describe ? .act : .describe)
        case .lock: change(hands: audience.hands == .locked ? .act : .locked)
        }
    }

    /// Starts or resumes playback. If nothing is chosen, it starts the queue; if that is empty, the library.
    func play(_ asked: MonotonicTime?) {
        if wantsToPlay { return }
        // A press of a button turns the output on again, even if a remote control had switched it off.
        setOutputEnabled(true)
        if player.track != nil && !player.isAtEnd {
            if itemTrouble != nil, let index = queue.currentIndex {
                // Try again from the same place.
                go(to: index, milliseconds: player.positionMilliseconds, play: true, asked: asked)
            } else {
                listening.didGoOn(mayBeElsewhere: library.isOfHousehold)
                rewindAfterPause(asked)
                player.play(asked: asked)
                listening.countPlay(from: player.positionMilliseconds)
                saveState()
            }
            return
        }
        if queue.isEmpty, isLibrary { followLibrary() }
        if queue.isEmpty { return sayThatThereIsNothing() }
        let first = queue.firstIndex ?? 0
        guard let index = queue.currentIndex else { return go(to: first, play: true, asked: asked) }
        // At the end of an item: go to the next, or from the last to the first.
        if player.isAtEnd {
            return go(
                to: indexBehind(index), .passing(from: queue.entries[index].itemID), play: true, asked: asked)
        }
        // A stop counts as a pause, too.
        let start = currentItem.map { placeAfterPause(from: startMilliseconds(of: $0, .goingOn)) }
        go(to: index, milliseconds: start, play: true, asked: asked)
    }

    /// Returns the entry behind a finished one, or the first. A book behind it resumes at its place.
    func indexBehind(_ index: Int) -> Int {
        let next = queue.index(after: index, isAsked: true) ?? queue.firstIndex ?? 0
        guard queue.entries.indices.contains(next) else { return next }
        let (ended, item) = (queue.entries[index].itemID, queue.entries[next].itemID)
        guard library.sharesPlace(item), !library.areOneBook(ended, item), let left = library.book(of: item)?.left
        else { return next }
        return queue.index(ofItem: left.item) ?? next
    }

    func sayThatThereIsNothing() {
        audience.announce(queueKeeper.scans?.isScanning ?? false ? .lookingForAudio : .nothingToPlay)
    }

    func pause(_ asked: MonotonicTime?) {
        let wasAwaited = missing.isAwaited
        let wasPlaying = wantsToPlay
        beginPause()
        missing.pause()
        player.pause(asked: asked)
        if wasPlaying { savePlaceOfPause() } else { savePlace() }
        saveState()
        if wasAwaited { audience.didChange(.player) }
    }

    /// Stops; the current entry stays, and the next `play` begins with it.
    private func stop(_ asked: MonotonicTime?) {
        let wasPlaying = wantsToPlay
        beginPause()
        if wasPlaying { savePlaceOfPause() } else { savePlace() }
        missing.forget()
        loop.end()
        player.unload(asked: asked)
        listening.refresh()
        saveState()
        audience.didChange(.player)
    }

    private func changeVolume(by step: Int) {
        if sound.volume.set(min(sound.volume.percent + step, max(mostPercent, sound.volume.percent))) {
            saveState()
        } else {
            audience.announce(step > 0 ? .loudest : .quietest)
        }
        audience.didChange(.volume)
    }

    private func changeVolume(to percent: Int) {
        guard sound.volume.set(min(percent, mostPercent)) else { return }
        saveState()
        audience.didChange(.volume)
    }

    private func playEntry(_ index: Int?, _ asked: MonotonicTime?) {
        guard let index else { return sayThatThereIsNothing() }
        go(to: index, play: true, asked: asked, isChosen: true)
    }

    private func playItem(_ id: ItemID, _ asked: MonotonicTime?) {
        if queue.current?.itemID == id { return playEntry(queue.currentIndex, asked) }
        guard library.item(id) != nil else { return audience.announce(.nothingToPlay) }
        do throws(QueueFull) { playEntry(try entry(of: id, isChosen: true), asked) } catch {
            audience.announce(.queueFull)
        }
    }

    // MARK: Favourites

    private func toggleFavourite() {
        guard let item = currentItem else { return audience.announce(.nothingChosen) }
        let isDone = item.isFavourite ? removeFavourite(item.id) : addFavourite(item.id) == .added
        if !isDone { audience.announce(.notSaved) }
    }

    /// Makes an item a favorite, and announces it; not if the library lasts only until the power goes.
    public func addFavourite(_ id: ItemID) -> Favourite.Addition {
        let addition = library.addFavourite(id)
        tell(addition, added: .addedToFavourites, alreadyThere: .alreadyFavourite)
        return addition
    }

    /// Returns false if the item was no favorite.
    public func removeFavourite(_ id: ItemID) -> Bool {
        let wasThere = library.removeFavourite(id)
        if wasThere { keptDidChange(.removedFromFavourites) }
        return wasThere
    }

    func tell(_ addition: Favourite.Addition, added: Notice, alreadyThere: Notice) {
        switch addition {
        case .added: keptDidChange(added)
        case .alreadyThere: audience.announce(alreadyThere)
        case .notSaved: break
        }
    }

    /// Notes that favorites or bookmarks have changed, on this speaker or by another.
    /// - Parameter notice: the answer to the listener's request.
    public func keptDidChange(_ notice: Notice? = nil) {
        if let notice { audience.announce(library.isForNowOnly ? .notSaved : notice) }
        places.didWrite(said: notice != nil)
        listening.refresh()
        audience.didChange(.favourites)
    }

    /// Shows and says a mistake in the configuration, until a start with another one. For a client that has read the error.
    public func tell(_ mistake: String) {
        listening.troubles.ofSettings = mistake
        audience.answers?.tell(SpokenWords.sentences([Trouble.settingsMistaken.words, mistake]))
    }

    public func clearTrouble() {
        listening.troubles.forgetItem()
        audience.didChange(.player)
    }
}
