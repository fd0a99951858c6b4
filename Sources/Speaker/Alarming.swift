// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Media
import Model
import Playback
import Posix

/// The sound of alarms, and the hands' commands to them.
extension Speaker: AlarmOwner {
    // MARK: Answering

    /// Sends presses to a ringing alarm: a press snoozes, and holding a button ends it. During the snooze, holding ends it too, and
    /// everything else acts as always.
    /// - Returns: true if the command has done its work.
    func answersAlarm(_ command: Command) -> Bool {
        if alarms.ringing == nil { return false }
        switch command {
        case .none, .screen: return false
        case .alarm(.end), .stop, .toggleFavourite, .menu(.open):
            alarms.end()
            audience.announce(.alarmOff)
            return true
        case .playItem, .playEntry:
            if alarms.isRinging { alarms.end() }
            return false
        case .interrupt: return alarms.isRinging
        default:
            if !alarms.isRinging { return alarms.isJustPutOff }
            alarms.snooze()
            audience.announce(.snoozing)
            return true
        }
    }

    /// Adds an alarm, and announces it.
    /// - Returns: its number; nil at the limit.
    public func addAlarm(_ alarm: Alarm) -> Alarm.ID? {
        let id = alarms.add(alarm)
        audience.announce(id == nil || library.isForNowOnly ? .notSaved : .alarmSet)
        return id
    }

    /// - Returns: false if no alarm has this number.
    public func setAlarm(_ id: Alarm.ID, isOn: Bool) -> Bool {
        guard alarms.set(id, isOn: isOn) else { return false }
        audience.announce(isOn ? .alarmSet : .alarmOff)
        return true
    }

    // MARK: Ringing

    func alarmRings(_ alarm: Alarm, isAgain: Bool) {
        setSleep(.off)
        sound.interruption.forget()
        menu.willPerform(.play)
        // Even if a remote control has switched the output off.
        setOutputEnabled(true)
        sound.alarms.begin(alarm)
        if !(isAgain && playsOn()) && !play(alarm) { playTone() }
        alarmsDidChange()
    }

    func alarmFallsSilent() {
        if player.track?.source == .tone { player.unload(asked: nil) } else { pause(nil) }
        // After that, so that the last moment is not as loud as the day's volume.
        sound.alarms.end()
        saveState()
        audience.didChange(.player)
        alarmsDidChange()
    }

    func alarmsDidChange() {
        places.didWrite()
        audience.didChange(.modes)
    }

    /// Resumes the recording of an alarm that snoozed.
    private func playsOn() -> Bool {
        guard let track = player.track, track.source != .tone, !player.isAtEnd, itemTrouble == nil else { return false }
        play(nil)
        return true
    }

    /// - Returns: false if it cannot play.
    private func play(_ alarm: Alarm) -> Bool {
        if player.track?.source == .tone { player.unload(asked: nil) }
        switch alarm.sound {
        case .lastHeard: play(nil)
        case .item(let id):
            guard library.item(id)?.isPresent == true, let index = (try? entry(of: id)) ?? nil else { return false }
            go(to: index, play: true)
        case .book(let id):
            guard let book = library.book(of: id), goOn(with: book.id, asked: nil) else { return false }
        case .playlist(let name):
            // The earlier recording must not sound, however long the disk takes.
            if wantsToPlay { pause(nil) }
            sound.alarms.readPlaylist(name) { [self] items in
                guard alarms.ringing?.alarm == alarm, alarms.isRinging, let index = entry(ofAll: items) else { return }
                go(to: index, play: true)
            }
            return true
        }
        return wantsToPlay
    }

    /// Plays a stored playlist, after reading it.
    func play(playlist name: String) {
        sound.alarms.readPlaylist(name) { [self] items in
            guard let index = entry(ofAll: items) else { return audience.announce(.cannotPlay) }
            go(to: index, play: true)
        }
    }

    /// Returns the first entry of these items in the queue, if they are there in sequence; otherwise inserts them behind the current entry.
    private func entry(ofAll items: [ItemID]) -> Int? {
        guard let first = items.first else { return nil }
        if let index = queue.index(ofItem: first), queue.count - index >= items.count,
            !items.indices.contains(where: { queue.entries[index + $0].itemID != items[$0] })
        {
            return index
        }
        // A playlist with changes since its last playback is not inserted twice.
        let listed = Set(items)
        var index = queue.count
        while index > 0 {
            index -= 1
            let end = index + 1
            while index >= 0, index != queue.currentIndex, listed.contains(queue.entries[index].itemID) { index -= 1 }
            if index + 1 < end { edit { $0.remove(index + 1..<end) } }
            index = max(index, 0)
        }
        let place = queue.currentIndex.map { $0 + 1 } ?? queue.count
        return (try? insert(items, at: place)) == nil ? nil : place
    }

    /// Plays the alarm tone, which needs no file.
    func playTone() {
        savePlace()
        missing.forget()
        player.go(
            to: Track(id: 0, source: .tone, durationMilliseconds: nil, seekTable: nil), milliseconds: 0, play: true,
            asked: nil)
        audience.didChange(.player)
    }
}
