import Core
import Display
import Model
import Scanning
import Testing

@testable import Speaker
@testable import SpeakerBench

@Suite("What is so") struct StatusTests {
    /// The first look through a library in which nothing was found so far.
    private let waiting = Circumstances(isScanning: true)

    private func present(_ speaker: Circumstances, filesSeen: Int? = 1204, buffered: Int? = nil) -> SpeakerStatus {
        var status = SpeakerStatus()
        status.filesSeen = filesSeen
        status.bufferedMilliseconds = buffered
        status.take(speaker)
        return status
    }

    /// While a stream is waited for, how full its buffer is: in sixteen characters, with the dots spelled out.
    @Test func howFullTheBufferIs() {
        var speaker = Circumstances(playerWantsToPlay: true, isStreamAwaited: true, isQueueEmpty: false)
        #expect(present(speaker).standingWords == "Waiting for the stream")
        for (milliseconds, words) in [(0, "0.0 s"), (449, "0.4 s"), (9999, "9.9 s"), (10_000, "10 s")] {
            #expect(present(speaker, buffered: milliseconds).standingWords == "Waiting\u{2026} " + words)
        }
        speaker.isStreamAwaited = false
        #expect(present(speaker, buffered: 10_000).standingWords == nil)
    }

    @Test func whoWaitsForTheFirstItemSeesHowFarTheLookHasCome() {
        #expect(present(waiting).standingWords == "Looking for audio 1,204")
        #expect(present(waiting).trouble == .lookingForAudio)
        #expect(present(waiting, filesSeen: nil).standingWords == "Looking for audio")
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
        #expect(bench.showing.wait == .library && bench.showing.trouble == .noAudioFound)
    }

    @Test func theTranscriptAtTheEar() {
        let bench = Bench()
        bench.add("a")
        bench.worker.runAll()
        bench.press(.play, .seek(milliseconds: 2500))
        #expect(bench.showing.segment?.text == "Two.")
        bench.press(.seek(milliseconds: 1500))
        #expect(bench.showing.segment == nil)
        bench.press(.stop)
        #expect(bench.showing.segment == nil)
    }

    @Test func everyWordFitsASmallGlass() {
        for notice in Notice.allCases { #expect(notice.words.utf8.count <= 32, "\(notice)") }
        for trouble in Trouble.allCases { #expect(trouble.words.utf8.count <= 32, "\(trouble)") }
    }
}
