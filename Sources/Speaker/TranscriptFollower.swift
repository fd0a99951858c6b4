// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model
import Transcript
import Workers

/// Reads the current item's transcript. Nothing waits for it: the sound comes first, and the text when it is there.
public final class TranscriptFollower {
    private let worker: any Performer
    private let makeReader: (_ audioPath: String, _ durationMilliseconds: Int?) -> any TranscriptReader
    private let audience: Audience
    /// Called when the transcript was read.
    /// - Parameter lastWanted: true if a command waits for its last sentence.
    var didRead: (_ lastWanted: Bool) -> Void = { _ in }

    /// The transcript of the current item; nil while it is read, and without one.
    public private(set) var transcript: Transcript?
    /// True while the transcript is being searched or read.
    public var isReading: Bool { job != nil }
    private var itemID: ItemID?
    private var job: Job?
    /// True if a listener went back from the first sentence to the last of the previous file, which is known once its transcript is read.
    private var isLastWanted = false

    init(
        worker: any Performer, audience: Audience,
        makeReader: @escaping (String, Int?) -> any TranscriptReader
    ) {
        self.worker = worker
        self.audience = audience
        self.makeReader = makeReader
    }

    /// Notes that a command waits for the last sentence.
    func wantLastSentence() { isLastWanted = true }

    /// Forgets that wait, since a listener chose another place.
    func forgetWantedSentence() { isLastWanted = false }

    /// Follows another item, or none.
    /// - Returns: true if it is another.
    @discardableResult
    func follow(_ item: Item?) -> Bool {
        isLastWanted = false
        if item?.id == itemID { return false }
        itemID = item?.id
        transcript = nil
        job?.cancel()
        job = nil
        guard let item else { return true }
        // A recording from a network has to fetch its transcript first.
        if !item.isStream { begin(makeReader(item.path, item.durationMilliseconds), item.id, item.path) }
        return true
    }

    /// Reads a fetched transcript, if its item is still the current one.
    func read(_ reader: any TranscriptReader, of item: ItemID) {
        if itemID == item && job == nil && transcript == nil { begin(reader, item, "what is played") }
    }

    private func begin(_ reader: any TranscriptReader, _ item: ItemID, _ name: String) {
        do throws(Job.Refusal) {
            job = try worker.perform(.background, key: "transcript") {
                reader.step() ? .done : .again
            } finish: {
                [self] outcome in
                guard outcome == .done, itemID == item else { return }
                job = nil
                for warning in reader.warnings { audience.warn(warning) }
                transcript = reader.transcript
                let lastWanted = isLastWanted
                isLastWanted = false
                if transcript != nil { didRead(lastWanted) }
            }
        } catch {
            audience.warn("the transcript of \(name) was not read: the disk does not answer")
        }
    }
}
