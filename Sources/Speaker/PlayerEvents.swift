import Core
import Library
import Media
import Model
import Playback
import Posix

/// What the player tells.
extension Speaker: PlayerDelegate {
    public func trackAfter(_ track: Track) -> (track: Track, milliseconds: Int)? {
        guard let index = self.index(of: track), !fallsAsleep(after: track) else { return nil }
        if let start = loopStart(in: track) { return (track, start) }
        queue.prepare(after: index)
        guard let next = queue.index(followingByItself: index), let item = library.item(queue.entries[next].itemID),
            !endsBook(track.id, before: item.id)
        else { return nil }
        return (
            self.track(item, entry: queue.entries[next].songID),
            startMilliseconds(of: queue.entries[next], item, .passing(from: track.id))
        )
    }

    /// Whether a book ends here that does not flow into the next one, which would count as begun. Where somebody has put a queue
    /// together, or goes through the library by chance, it goes on.
    private func endsBook(_ ended: ItemID, before next: ItemID) -> Bool {
        guard isLibrary, queue.followsScans, !queue.modes.isRandom, !rules.flowsIntoNextBook, ended != next else {
            return false
        }
        return library.isPartOfBook(ended) && library.isPartOfBook(next) && !library.areOneBook(ended, next)
    }

    /// Where a track stands in the queue: its entry, or, where that is gone, another of the same item.
    private func index(of track: Track) -> Int? {
        queue.index(ofSongID: track.entry) ?? queue.index(ofItem: track.id)
    }

    public func playerDidPass(from ended: Track, to track: Track) {
        listening.didSucceed()
        let isAsleep = fallsAsleep(between: ended, track)
        // A stretch up to the end of the item, once more.
        if loop.isOn && ended.entry == track.entry && ended.id == track.id { return audience.didChange(.player) }
        loop.leave()
        if let duration = ended.durationMilliseconds {
            library.savePosition(ended.id, milliseconds: duration)
            noteEnd(of: ended)
        }
        guard let item = library.item(track.id) else { return }
        var start = startMilliseconds(of: item, .passing(from: ended.id))
        if let index = queue.index(ofSongID: track.entry) {
            start = startMilliseconds(of: queue.entries[index], item, .passing(from: ended.id))
            makeCurrent(index)
        }
        visit(item, from: start)
        aimSleep()
        watchChapters()
        countPlay(from: start)
        savePlace()
        saveState()
        audience.didChange(.player)
        consume(ended.entry)
        // Set while the two passed into each other already.
        if isAsleep || queue.modes.single != .off && !queue.modes.repeats, let index = queue.currentIndex {
            if isAsleep { didFallAsleep() }
            // Where it was the same once more, that was not meant any longer either.
            let next = ended.entry == track.entry ? queue.index(after: index, isAsked: true) : index
            pauseAtBorder(before: next ?? index, from: ended)
        }
    }

    /// A track has ended: it is finished if the ear came there by listening.
    private func noteEnd(of ended: Track) {
        guard let duration = ended.durationMilliseconds, listening.item?.id == ended.id,
            listening.isHeardToEnd(at: duration, duration: duration)
        else { return }
        library.didHearToEnd(ended.id)
    }

    /// What was played leaves the queue, where it is to be so.
    func consume(_ song: Int) {
        guard queue.modes.consumes, let index = queue.index(ofSongID: song), index != queue.currentIndex else { return }
        remove(index..<index + 1)
    }

    /// One item was to be played and no more: paused at the start of the next.
    func pauseAtBorder(before index: Int, from ended: Track) {
        go(to: index, .passing(from: ended.id), play: false)
        if queue.modes.single == .oneShot { set { $0.single = .off } }
    }

    /// Goes through the queue in another way from now on.
    public func set(_ change: (inout PlayModes) -> Void) {
        var modes = queue.modes
        change(&modes)
        let before = followingEntry
        guard queue.set(modes, isPlaying: player.track != nil) else { return }
        if isLibrary { library.save(modes) }
        places.didWrite()
        if followingEntry != before { player.followingDidChange() }
        audience.didChange(.modes)
    }

    public func playerDidEnd(_ track: Track) {
        savePlace()
        noteEnd(of: track)
        saveState()
        let isAsleep = fallsAsleep(after: track)
        if isAsleep { didFallAsleep() }
        if queue.modes.single != .off || isAsleep, let index = self.index(of: track) {
            queue.prepare(after: index)
            if let next = queue.index(after: index, isAsked: true) {
                pauseAtBorder(before: next, from: track)
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
        if streamDidFail(track, error, wanted: wanted) { return }
        let message = streamFailure(track) ?? error.message
        if listening.isToTell(error) { audience.warn(message) }
        listening.didFail(message)
        savePlace()
        if track.source.stream != nil || library.item(track.id)?.isStream == true {
            return giveUp(track, wanted: wanted)
        }
        guard case .file = error else { return giveUp(track, wanted: wanted) }
        missing.investigate(track.source.name, others: otherFiles(), wanted: wanted) { [self] finding, wanted in
            switch finding {
            case .there: giveUp(track, wanted: wanted)
            case .deleted:
                library.markMissing(track.id)
                giveUp(track, wanted: wanted)
            case .diskAway:
                audience.announce(.fileMissing)
                missing.wait { [self] wanted in
                    guard let item = currentItem, item.id == track.id else { return }
                    load(item, milliseconds: player.positionMilliseconds, play: wanted)
                    scans?.scanAgain()
                }
                audience.didChange(.player)
            }
        }
    }

    /// On to the next, if it was to play.
    private func giveUp(_ track: Track, wanted: Bool) {
        audience.announce(.cannotPlay)
        listening.didGiveUp()
        if wanted {
            if let next = queue.currentIndex.flatMap({ queue.index(after: $0, isAsked: true) }),
                listening.failuresInARow <= queue.count
            {
                go(to: next, .passing(from: track.id), play: true)
            } else {
                audience.didEnd()
            }
        }
        audience.didChange(.player)
    }

    /// Files of the queue around the current one: if none of them is there either, their disk is away.
    private func otherFiles() -> [String] {
        let current = queue.currentIndex ?? 0
        let half = MissingFile.otherFilesAsked / 2
        let from = max(0, min(current - half, queue.count - MissingFile.otherFilesAsked))
        let to = min(queue.count, from + MissingFile.otherFilesAsked + 1)
        return (from..<to).filter { $0 != current }.compactMap { library.item(queue.entries[$0].itemID)?.path }
    }

    public func playerDidMeasure(_ track: Track, _ table: SeekTable) {
        // Short files are walked again in no time; long ones are remembered.
        if table.durationMilliseconds >= 10 * 60 * 1000 {
            library.saveSeekTable(track.id, table.bytes, durationMilliseconds: table.durationMilliseconds)
        } else if library.item(track.id)?.durationMilliseconds != table.durationMilliseconds {
            library.saveDuration(track.id, milliseconds: table.durationMilliseconds)
        }
        guard let item = currentItem, item.id == track.id else { return }
        refreshItem()
        // Short files are walked each time, and found as they were.
        if currentItem?.durationMilliseconds != item.durationMilliseconds { audience.didChange(.player) }
    }

    public func playerDidLoseDevice(_ message: String) {
        listening.deviceTrouble = message
        audience.warn(message)
        volume.deviceDidGo()
        savePlace()
        audience.didChange([.player, .output])
    }

    public func playerDidFindDevice() {
        listening.deviceTrouble = nil
        audience.warn("the sound device is back")
        volume.deviceDidOpen()
        audience.didChange([.player, .output])
    }

    public func playerDidChange() {
        if player.isAdvancing { listening.didSucceed() }
        if player.hasDevice { volume.deviceDidOpen() }
        listening.playingDidChange(to: player.wantsToPlay, at: timers.now)
        places.playingDidChange(to: player.wantsToPlay)
        loop.watch()
        sleep.watch()
        watchChapters()
        audience.didChange(listening.isToTell(player) ? .player : .sound)
    }
}
