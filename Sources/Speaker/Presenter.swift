import Core
import Display
import Library
import Media
import Model
import Playback
import Transcript

/// What is so with the speaker, as far as it is shown.
struct SpeakerSnapshot {
    var item: Item?
    var chapter: NowShowing.Chapter?
    var positionMilliseconds = 0
    /// As the player knows it; nil where it knows no better than the item.
    var durationMilliseconds: Int?
    var volumePercent = 100
    var speed = Speed.own
    var sleep = Sleep.off
    var transcript: Transcript?
    /// Something is played or paused.
    var hasTrack = false
    /// The player plays, or would if it could.
    var playerWantsToPlay = false
    /// There is no card, and one is wanted.
    var lacksDevice = false
    /// The file that is to be played is away.
    var isFileAwaited = false
    /// What plays comes from a network, which is slow or away.
    var isStreamAwaited = false
    var bufferedMilliseconds: Int?
    var isQueueEmpty = true
    var isScanning = false
    var hasScanned = false
    /// As last told of the scan under way.
    var filesSeen: Int?
    /// The library's folder is played, and not what was named.
    var isLibrary = true
    var page = Command.Page.nowPlaying
    var rows: NowShowing.Rows?
}

/// Makes what is shown out of what is so. A pure function: the same for every screen and for the service manager.
enum Presenter {
    static func present(_ speaker: SpeakerSnapshot, detail: NowShowing.Detail) -> NowShowing {
        var showing = NowShowing()
        if let item = speaker.item {
            showing.item = item.id
            showing.title = item.title
            showing.artist = item.artist
            showing.album = item.album
            showing.artwork = item.artwork
            showing.chapter = speaker.chapter
            showing.isFavourite = item.isFavourite
            showing.durationMilliseconds = speaker.durationMilliseconds ?? item.durationMilliseconds
        }
        showing.state = state(speaker)
        showing.trouble = trouble(speaker)
        showing.filesSeen = filesSeen(speaker)
        if showing.trouble == .streamAwaited {
            showing.bufferedMilliseconds = speaker.bufferedMilliseconds.map { $0 / 100 * 100 }
        }
        showing.positionMilliseconds =
            speaker.hasTrack ? speaker.positionMilliseconds : speaker.item?.resumeMilliseconds ?? 0
        showing.volumePercent = speaker.volumePercent
        showing.speed = speaker.speed
        showing.sleep = speaker.sleep
        if speaker.hasTrack, let transcript = speaker.transcript {
            speak(transcript, at: speaker.positionMilliseconds, detail, in: &showing)
        }
        showing.page = speaker.page
        if detail.contains(.pages) { showing.rows = speaker.rows }
        return showing
    }

    private static func speak(
        _ transcript: Transcript, at milliseconds: Int, _ detail: NowShowing.Detail, in showing: inout NowShowing
    ) {
        if !detail.contains(.neighbours) {
            showing.transcript = transcript.index(at: milliseconds).map { line(transcript[$0]) }
            return
        }
        let current = transcript.index(at: milliseconds)
        showing.transcript = current.map { line(transcript[$0]) }
        for index in transcript.neighbours(at: milliseconds, count: 1) where index != current {
            let segment = line(transcript[index])
            if segment.startMilliseconds <= milliseconds {
                showing.previousLine = segment
            } else {
                showing.nextLine = segment
            }
        }
    }

    private static func line(_ segment: Segment) -> NowShowing.Line {
        NowShowing.Line(
            text: segment.text, startMilliseconds: segment.startMilliseconds, endMilliseconds: segment.endMilliseconds)
    }

    static func state(_ speaker: SpeakerSnapshot) -> NowShowing.State {
        if speaker.playerWantsToPlay && speaker.lacksDevice { return .waitingForDevice }
        if speaker.isFileAwaited || (speaker.isQueueEmpty && !speaker.isScanning && speaker.item == nil) {
            return .waitingForLibrary
        }
        if speaker.playerWantsToPlay { return .playing }
        return speaker.hasTrack && speaker.item != nil ? .paused : .stopped
    }

    /// What a person at the speaker has to know.
    static func trouble(_ speaker: SpeakerSnapshot) -> Trouble? {
        if speaker.playerWantsToPlay && speaker.lacksDevice { return .noSoundDevice }
        if speaker.isFileAwaited { return .fileMissing }
        if speaker.isStreamAwaited { return .streamAwaited }
        if speaker.isQueueEmpty && speaker.item == nil {
            if !speaker.isScanning && speaker.hasScanned { return .noAudioFound }
            // Files that were named are found before anybody could read this.
            if speaker.isLibrary { return .lookingForAudio }
        }
        return nil
    }

    /// Who has nothing to hear yet wants to know how far the look has come. Later ones are told to consoles alone.
    static func filesSeen(_ speaker: SpeakerSnapshot) -> Int? {
        let isWaiting = speaker.isQueueEmpty && speaker.item == nil
        guard speaker.isScanning, speaker.isLibrary, isWaiting || !speaker.hasScanned else { return nil }
        return speaker.playerWantsToPlay || speaker.isFileAwaited ? nil : speaker.filesSeen
    }
}

extension Speaker {
    /// What there is to show now.
    /// - Parameter detail: what the screens show beyond the one line.
    public func showing(_ detail: NowShowing.Detail = []) -> NowShowing {
        Presenter.present(snapshot(detail), detail: detail)
    }

    private func snapshot(_ detail: NowShowing.Detail) -> SpeakerSnapshot {
        var snapshot = SpeakerSnapshot()
        snapshot.item = currentItem
        snapshot.chapter = chapter
        snapshot.hasTrack = player.track != nil
        snapshot.positionMilliseconds = player.positionMilliseconds
        snapshot.durationMilliseconds = player.track?.durationMilliseconds
        snapshot.volumePercent = volume.percent
        snapshot.speed = currentSpeed
        snapshot.sleep = sleep.setting
        snapshot.transcript = transcripts.transcript
        snapshot.playerWantsToPlay = player.wantsToPlay
        snapshot.lacksDevice = listening.deviceTrouble != nil && !player.hasDevice && !player.isSilent
        snapshot.isFileAwaited = missing.isAwaited
        snapshot.isStreamAwaited = isStreamAwaited
        if snapshot.isStreamAwaited { snapshot.bufferedMilliseconds = bufferedMilliseconds }
        snapshot.isQueueEmpty = queue.isEmpty
        snapshot.isScanning = scans?.isScanning ?? false
        snapshot.hasScanned = scans?.hasScanned ?? true
        snapshot.filesSeen = filesSeen
        snapshot.isLibrary = isLibrary
        snapshot.page = page
        if detail.contains(.pages) { snapshot.rows = rows() }
        return snapshot
    }

    /// The chapter that is heard.
    public var chapter: NowShowing.Chapter? {
        if listening.chapters.isEmpty { return nil }
        let position = player.track == nil ? currentItem?.resumeMilliseconds ?? 0 : player.positionMilliseconds
        guard let index = listening.chapter(at: position) else { return nil }
        return NowShowing.Chapter(
            title: listening.chapters[index].title, index: index, count: listening.chapters.count)
    }

    /// So many rows are around the current one on a page.
    private static let pageRows = 16

    /// The rows of the page in focus, around the current.
    private func rows() -> NowShowing.Rows? {
        switch page {
        case .queue:
            let middle = queue.currentIndex ?? 0
            let first = max(0, min(middle - Speaker.pageRows / 2, queue.count - Speaker.pageRows))
            let entries = queue.entries[first..<min(queue.count, first + Speaker.pageRows)]
            let rows = entries.compactMap { entry in
                library.item(entry.itemID).map { row($0, songID: entry.songID) }
            }
            return NowShowing.Rows(
                firstIndex: first, count: queue.count, currentIndex: queue.currentIndex, rows: rows)
        case .favourites:
            let rows = library.favourites(by: .newest, offset: 0, limit: Speaker.pageRows).map { row($0.item) }
            return NowShowing.Rows(
                firstIndex: 0, count: library.favouriteCount(),
                currentIndex: rows.firstIndex { $0.item == currentItem?.id }, rows: rows)
        case .nowPlaying, .library, .transcript: return nil
        }
    }

    private func row(_ item: Item, songID: Int? = nil) -> NowShowing.Rows.Row {
        NowShowing.Rows.Row(
            item: item.id, songID: songID, title: item.title, durationMilliseconds: item.durationMilliseconds)
    }
}
