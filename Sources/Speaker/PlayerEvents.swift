// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Media
import Model
import Playback
import Posix

/// The player's reports.
extension Speaker: PlayerDelegate {
    public func trackAfter(_ track: Track) -> (track: Track, milliseconds: Int)? {
        guard let index = self.index(of: track), !fallsAsleep(after: track) else { return nil }
        if track.entry == queue.current?.songID, let start = loop.start(atEndOf: track.durationMilliseconds) {
            return (track, start)
        }
        queueKeeper.prepare(after: index)
        guard let next = startOfRepeatedBook(track.id, behind: index) ?? queue.automaticIndex(after: index),
            let item = library.item(queue.entries[next].itemID),
            !endsBook(track.id, before: item.id)
        else { return nil }
        let start = startMilliseconds(of: queue.entries[next], item, .passing(from: track.id))
        return (sound.track(item, entry: queue.entries[next].songID), start == 0 ? beginning(of: item) : start)
    }

    /// Returns the place at which a book starts again; nil if it does not end here, or must not repeat.
    private func startOfRepeatedBook(_ ended: ItemID, behind index: Int) -> Int? {
        guard rules.repeatsBook, isLibrary, !queue.modes.isRandom, library.isPartOfBook(ended),
            queue.entries[index].chapter == 0, library.restOfBook(behind: ended).isEmpty
        else { return nil }
        if !library.sharesPlace(ended) { return index }
        return library.book(of: ended).flatMap { library.items(of: $0.id, limit: 1).first }.flatMap {
            queue.index(ofItem: $0)
        }
    }

    /// Returns whether a book, or a loose file, ends here: otherwise it would flow into the next book, which would count as started. An
    /// edited or random queue continues.
    private func endsBook(_ ended: ItemID, before next: ItemID) -> Bool {
        guard isLibrary, queue.followsScans, !queue.modes.isRandom, !rules.flowsIntoNextBook, ended != next else {
            return false
        }
        // The book of a file that was deleted during its playback is unknown.
        guard library.item(ended)?.isPresent == true else { return false }
        return library.isPartOfBook(next) && !library.areOneBook(ended, next)
    }

    /// Returns a track's index in the queue: that of its entry, or of another entry of the same item.
    private func index(of track: Track) -> Int? {
        queue.index(ofSongID: track.entry) ?? queue.index(ofItem: track.id)
    }

    public func playerDidPass(from ended: Track, to track: Track) {
        listening.troubles.didSucceed()
        let isAsleep = fallsAsleep(between: ended, track.id)
        // A repeated stretch that extends to the end of the item.
        if loop.isOn && ended.entry == track.entry && ended.id == track.id { return audience.didChange(.player) }
        loop.leave()
        if let duration = ended.durationMilliseconds {
            library.savePosition(ended.id, milliseconds: duration)
            noteEnd(of: ended)
        }
        if ended.id != track.id { didHearToEnd(of: ended.id) }
        guard let item = library.item(track.id) else { return }
        var start = startMilliseconds(of: item, .passing(from: ended.id))
        if let index = queue.index(ofSongID: track.entry) {
            start = startMilliseconds(of: queue.entries[index], item, .passing(from: ended.id))
            queueKeeper.setCurrent(index, isChosen: false)
        }
        let endsChapter = sleep.end == nil
        visit(item, from: start)
        if endsChapter { countChapter() }
        updateSleepEnd()
        watchChapters()
        listening.countPlay(from: start)
        savePlace()
        saveState()
        audience.didChange(.player)
        consume(ended.entry)
        // The setting came after the player had already passed into the next track.
        if isAsleep || queue.modes.single != .off && !queue.modes.repeats, let index = queue.currentIndex {
            if isAsleep { didFallAsleep() }
            // The same entry must not repeat either.
            let next = ended.entry == track.entry ? queue.index(after: index, isAsked: true) : index
            pauseAtBorder(before: next ?? index, from: ended)
            if isAsleep { didFallSilent() }
        }
    }

    /// Notes the end of a track: its work is finished if the listener came there by listening.
    private func noteEnd(of ended: Track) {
        guard let duration = ended.durationMilliseconds, listening.item?.id == ended.id,
            listening.isHeardToEnd(at: duration, duration: duration)
        else { return }
        library.didHearToEnd(ended.id)
    }

    /// Notes that a listener leaves a recording: in its credits it counts as heard to its end, unless its book continues behind it.
    func noteLeft(for next: ItemID) {
        guard let item = currentItem, item.id != next, listening.isHeard,
            listening.isHeardToEnd(
                at: player.positionMilliseconds, duration: item.durationMilliseconds, isLeft: true),
            library.restOfBook(behind: item.id).isEmpty
        else { return }
        library.didHearToEnd(item.id)
    }

    /// Removes a played entry from the queue, if the mode says so.
    func consume(_ song: Int) {
        guard queue.modes.consumes, let index = queue.index(ofSongID: song), index != queue.currentIndex else { return }
        remove(index..<index + 1)
    }

    /// Pauses at the start of the next entry, after the only item to play.
    func pauseAtBorder(before index: Int, from ended: Track) {
        go(to: index, .passing(from: ended.id), play: false)
        if queue.modes.single == .oneShot { set { $0.single = .off } }
    }

    /// Changes the modes of the queue.
    public func set(_ change: (inout PlayModes) -> Void) {
        var modes = queue.modes
        change(&modes)
        guard queueKeeper.set(modes) else { return }
        places.didWrite()
        audience.didChange(.modes)
    }

    public func playerDidEnd(_ track: Track) {
        savePlace()
        noteEnd(of: track)
        saveState()
        let isAsleep = fallsAsleep(after: track)
        if isAsleep { didFallAsleep() }
        if queue.modes.single != .off || isAsleep, let index = self.index(of: track) {
            queueKeeper.prepare(after: index)
            if let next = queue.index(after: index, isAsked: true) {
                pauseAtBorder(before: next, from: track)
                // The following item is what the listener wakes up with.
                if isAsleep { didFallSilent() }
                return consume(track.entry)
            }
        }
        if queue.modes.consumes, let index = queue.index(ofSongID: track.entry) {
            remove(index..<index + 1)
        }
        audience.didChange(.player)
        audience.didEnd()
    }

    public func playerDidFail(_ track: Track, _ error: PlaybackError, wanted: Bool) {
        if let item = currentItem, streaming.isStale(track, item, error) {
            return load(item, milliseconds: player.positionMilliseconds, play: wanted)
        }
        let message = streaming.failure(track) ?? error.message
        if listening.troubles.isForJournal(error) { audience.warn(message) }
        if track.source == .tone { return }
        listening.troubles.itemDidFail(message)
        savePlace()
        if alarms.isRinging { return playTone() }
        if track.source.stream != nil || library.item(track.id)?.isStream == true {
            return giveUp(track, wanted: wanted)
        }
        guard case .file = error else { return giveUp(track, wanted: wanted) }
        let others = queueKeeper.pathsAroundCurrent(MissingFile.otherFilesAsked)
        missing.investigate(track.source.name, others: others, library: queueKeeper.folder, wanted: wanted) {
            [self] finding, wanted in
            switch finding {
            case .there: giveUp(track, wanted: wanted)
            case .deleted:
                library.markMissing(track.id)
                giveUp(track, wanted: wanted, isMissing: true)
            case .diskAway:
                audience.announce(missing.stick.map { Notice.stickMissing($0) } ?? .fileMissing)
                missing.wait { [self] wanted in
                    guard let item = currentItem, item.id == track.id else { return }
                    load(item, milliseconds: player.positionMilliseconds, play: wanted)
                    queueKeeper.scans?.scanAgain()
                }
                audience.didChange(.player)
            }
        }
    }

    /// Goes to the next entry, if the failed one was to play. A listener's own choice gets no substitute: the earlier entry returns.
    private func giveUp(_ track: Track, wanted: Bool, isMissing: Bool = false) {
        let title = library.item(track.id)?.title ?? ""
        let notice = Notice.passedOver(title: title, isMissing: isMissing)
        listening.troubles.didGiveUp()
        if let left = listening.left, let index = queue.index(ofSongID: left.song) {
            let message = listening.troubles.ofItem
            go(to: index, milliseconds: left.milliseconds, play: left.plays)
            // Clients ask later why their choice does not play.
            listening.troubles.choiceDidFail(message)
            return audience.announce(notice)
        }
        let goesOn = wanted && !listening.isChosen && queue.count > 1
        audience.announce(goesOn && !title.isEmpty ? notice : isMissing ? .fileMissing : .cannotPlay)
        if wanted && !listening.isChosen {
            if let next = queue.currentIndex.flatMap({ queue.index(after: $0, isAsked: true) }),
                listening.troubles.failuresInARow <= queue.count
            {
                go(to: next, .passing(from: track.id), play: true)
            } else {
                audience.didEnd()
            }
        }
        audience.didChange(.player)
    }

    public func playerDidMeasure(_ track: Track, _ table: SeekTable) {
        // Short files are walked again in no time; long ones are saved.
        if table.durationMilliseconds >= 10 * 60 * 1000 {
            library.saveSeekTable(track.id, table.bytes, durationMilliseconds: table.durationMilliseconds)
        } else if library.item(track.id)?.durationMilliseconds != table.durationMilliseconds {
            library.saveDuration(track.id, milliseconds: table.durationMilliseconds)
        }
        guard let item = currentItem, item.id == track.id else { return }
        listening.refresh()
        // Short files are walked each time, with the same result.
        if currentItem?.durationMilliseconds != item.durationMilliseconds { audience.didChange(.player) }
    }

    public func playerDidLoseDevice(_ message: String) {
        listening.troubles.deviceDidChange(message)
        audience.warn(message)
        sound.volume.deviceDidGo()
        watchBusyCard()
        savePlace()
        audience.didChange([.player, .output])
    }

    public func playerDidFindDevice() {
        listening.troubles.deviceDidChange(nil)
        audience.warn("the sound device is back")
        sound.volume.deviceDidOpen()
        watchBusyCard()
        audience.didChange([.player, .output])
    }

    public func playerDidCloseCard() { sound.didCloseCard() }

    public func playerDidChange() {
        listening.playerDidChange()
        watchBusyCard()
        if player.hasDevice { sound.volume.deviceDidOpen() }
        places.playingDidChange(to: player.wantsToPlay)
        loop.watch()
        skipped.watch()
        sleep.watch()
        watchChapters()
        audience.didChange(listening.playerIsOther() ? .player : .sound)
    }

    // MARK: Streams

    /// Notes that a stream waits, or continues.
    public func streamDidWait(_ address: String, _ message: String) {
        if !message.isEmpty { audience.warn(message) }
        if currentItem?.path.utf8.elementsEqual(address.utf8) == true { audience.didChange(.player) }
    }

    /// Notes that a station reports its title or name; nil for no change.
    public func streamDidAdvance() {
        guard let item = currentItem, item.isStream else { return }
        audience.didChange(.player)
        guard let track = player.track else { return }
        streaming.recordings.follow(item, track, transcripts) { [self] in
            places.didWrite()
            audience.didChange(.library)
            guard currentItem?.id == item.id else { return }
            listening.refresh()
            listening.readChapters()
            audience.didChange(.player)
        }
    }

    public func streamDidSay(_ address: String, title: String?, name: String?) {
        guard let id = streaming.didSay(address, title: title, name: name), id == currentItem?.id else { return }
        listening.refresh()
        audience.didChange(.player)
    }
}
