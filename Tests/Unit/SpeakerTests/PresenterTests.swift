import Core
import Display
import Scanning
import Testing

@testable import Speaker
@testable import SpeakerBench

@Suite("Presenter") struct PresenterTests {
    /// The first look through a library in which nothing was found so far.
    private var waiting: SpeakerSnapshot {
        var speaker = SpeakerSnapshot()
        speaker.isScanning = true
        speaker.filesSeen = 1204
        return speaker
    }

    private func present(_ speaker: SpeakerSnapshot) -> NowShowing { Presenter.present(speaker, detail: []) }

    /// While a stream is waited for, how full its buffer is: in sixteen characters, with the dots spelled out.
    @Test func howFullTheBufferIs() {
        var speaker = SpeakerSnapshot()
        speaker.playerWantsToPlay = true
        speaker.isQueueEmpty = false
        speaker.isStreamAwaited = true
        #expect(present(speaker).standingWords == "Waiting for the stream")
        for (milliseconds, words) in [(0, "0.0 s"), (449, "0.4 s"), (9999, "9.9 s"), (10_000, "10 s")] {
            speaker.bufferedMilliseconds = milliseconds
            #expect(present(speaker).standingWords == "Waiting\u{2026} " + words)
        }
        speaker.isStreamAwaited = false
        #expect(present(speaker).standingWords == nil)
    }

    @Test func whoWaitsForTheFirstItemSeesHowFarTheLookHasCome() {
        #expect(present(waiting).standingWords == "Looking for audio 1,204")
        #expect(present(waiting).trouble == .lookingForAudio)
        var untold = waiting
        untold.filesSeen = nil
        #expect(present(untold).standingWords == "Looking for audio")
        // A disk that comes back is waited for, too.
        var later = waiting
        later.hasScanned = true
        #expect(present(later).filesSeen == 1204)
        var over = later
        over.isScanning = false
        #expect(present(over).standingWords == "No audio found")
    }

    @Test func theFirstLookIsShownBesideWhatWasFoundUntilItPlays() {
        var speaker = waiting
        speaker.isQueueEmpty = false
        speaker.hasTrack = true
        #expect(present(speaker).standingWords == "Looking for audio 1,204")
        #expect(present(speaker).trouble == nil)
        speaker.playerWantsToPlay = true
        #expect(present(speaker).standingWords == nil)
        // Looks later on are nothing that a person at the speaker waits for.
        speaker.playerWantsToPlay = false
        speaker.hasScanned = true
        #expect(present(speaker).standingWords == nil)
    }

    @Test func whatIsWrongComesBeforeHowFarTheLookIs() {
        var speaker = waiting
        speaker.isFileAwaited = true
        #expect(present(speaker).standingWords == "File is missing")
        speaker.isFileAwaited = false
        speaker.isLibrary = false
        #expect(present(speaker).standingWords == nil)
    }

    @Test func progressIsToldForAsLongAsNothingPlays() {
        let bench = Bench()
        bench.scans.isScanning = true
        bench.scans.hasScanned = false
        bench.scans.progress = ScanProgress(filesSeen: 7)
        bench.speaker.scanDidBegin()
        #expect(bench.changed() == .scan)
        // A look that is over before it tells anything leaves no trace on the glass.
        #expect(bench.showing.filesSeen == nil)
        bench.scans.progress = ScanProgress(filesSeen: 64)
        bench.speaker.scanDidProgress()
        #expect(bench.changed() == .scanProgress)
        #expect(bench.showing.standingWords == "Looking for audio 64")
        bench.add("a")
        bench.press(.play)
        _ = bench.changed()
        bench.speaker.scanDidProgress()
        #expect(bench.changed() == [])
        #expect(bench.showing.standingWords == nil)
        bench.press(.pause)
        #expect(bench.showing.standingWords == "Looking for audio 64")
        bench.scans.isScanning = false
        bench.speaker.scanDidEnd(foundAny: true)
        #expect(bench.showing.standingWords == nil)
    }

    @Test func anEmptyLibrary() {
        let bench = Bench()
        bench.scans.isScanning = true
        bench.scans.hasScanned = false
        #expect(bench.showing.state == .stopped && bench.showing.trouble == .lookingForAudio)
        bench.scans.isScanning = false
        bench.scans.hasScanned = true
        #expect(bench.showing.state == .waitingForLibrary && bench.showing.trouble == .noAudioFound)
    }

    @Test func theTranscriptAroundTheEar() {
        let bench = Bench()
        bench.add("a")
        bench.worker.runAll()
        bench.press(.play, .seek(milliseconds: 2500))
        #expect(bench.showing.transcript?.text == "Two.")
        #expect(bench.showing.nextLine == nil)
        let more = bench.speaker.showing(.neighbours)
        #expect(more.previousLine?.text == "One." && more.nextLine?.text == "Three.")
        bench.press(.seek(milliseconds: 1500))
        #expect(bench.showing.transcript == nil)
        #expect(bench.speaker.showing(.neighbours).previousLine?.text == "One.")
        bench.press(.stop)
        #expect(bench.showing.transcript == nil)
    }

    @Test func thePageInFocus() throws {
        let bench = Bench()
        let items = bench.add("a", "b", "c")
        bench.press(.open(.queue), .next)
        #expect(bench.showing.page == .queue && bench.showing.rows == nil)
        let rows = try #require(bench.speaker.showing(.pages).rows)
        #expect(rows.rows.map(\.title) == ["a", "b", "c"] && rows.currentIndex == 1 && rows.count == 3)
        bench.press(.toggleFavourite, .open(.favourites))
        let favourites = try #require(bench.speaker.showing(.pages).rows)
        #expect(favourites.rows.map(\.item) == [items[1]] && favourites.currentIndex == 0)
    }

    @Test func everyWordFitsASmallGlass() {
        for notice in Notice.allCases { #expect(notice.words.utf8.count <= 32, "\(notice)") }
        for trouble in Trouble.allCases { #expect(trouble.words.utf8.count <= 32, "\(trouble)") }
    }
}
