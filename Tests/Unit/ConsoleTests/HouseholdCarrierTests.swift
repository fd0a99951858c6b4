// SPDX-License-Identifier: Apache-2.0
import Core
import Foundation
import Library
import Model
import TestSupport
import Testing

@testable import Console
@testable import Wire

@Suite("The household's carrier, as the speaker calls him") struct HouseholdCarrierTests {
    private let timers = FakeTimers()
    private let library = Library(stateFolder: nil) { _ in }
    private let folder = NSTemporaryDirectory() + UUID().uuidString
    private let carrier: HouseholdCarrier

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        carrier = HouseholdCarrier(library, timers, folder: folder)
    }

    private var isCalled: Bool { FileManager.default.fileExists(atPath: folder + "/household") }

    @Test func aSpeakerOfItsOwnCallsNobody() {
        carrier.didPress()
        carrier.didChange(.favourites, isPlaying: true)
        carrier.didChange(.player, isPlaying: false)
        #expect(!isCalled && carrier.answer() == 0)
    }

    @Test func whatIsDoneAndWhatIsChangedCallsHim() {
        #expect(library.joinHousehold())
        carrier.didPress()
        #expect(isCalled && carrier.answer() == 120 && !isCalled)
        timers.pass(milliseconds: 100_000)
        #expect(carrier.answer() == 20)
        // Each call is answered; a later one is another.
        carrier.didPress()
        #expect(isCalled && carrier.answer() == 120)
        timers.pass(milliseconds: 120_000)
        #expect(carrier.answer() == 0)
        // No client waits for these.
        carrier.didChange(.favourites, isPlaying: false)
        #expect(isCalled && carrier.answer() == 0)
        carrier.didChange(.player, isPlaying: true)
        carrier.didChange([.player, .volume, .library], isPlaying: true)
        #expect(!isCalled)
        carrier.didChange(.player, isPlaying: false)
        #expect(isCalled && carrier.answer() == 0)
        #expect(library.leaveHousehold())
        carrier.didPress()
        #expect(!isCalled)
    }

    @Test func howItWentIsToldAsTimePasses() {
        #expect(carrier.run == HouseholdRun())
        carrier.went(HouseholdRun())
        timers.pass(milliseconds: 61_000)
        carrier.went(HouseholdRun(waitSeconds: 30, skipped: 2, problem: "It is away"))
        #expect(
            carrier.run == HouseholdRun(sinceSeconds: 61, waitSeconds: 30, skipped: 2, problem: "It is away"))
        timers.pass(milliseconds: 29_500)
        #expect(carrier.run.waitSeconds == 1 && carrier.run.sinceSeconds == 90)
        timers.pass(milliseconds: 60_000)
        #expect(carrier.run.waitSeconds == 0)
    }

    @Test func withoutAFolderOnlyWhoComesIsTold() {
        let carrier = HouseholdCarrier(library, timers, folder: nil)
        #expect(library.joinHousehold())
        carrier.didPress()
        #expect(carrier.answer() == 120)
    }
}
