// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model
import Transcript
import Workers

/// Has the current item's transcript read. Nothing waits for it: sound comes first, and the text when it is there.
public final class TranscriptFollower {
    private let worker: any Performer
    private let makeReader: (_ audioPath: String, _ durationMilliseconds: Int?) -> any TranscriptReader
    private let audience: Audience
    /// The transcript was read.
    /// - Parameter lastWanted: a command waits for its last sentence.
    var didRead: (_ lastWanted: Bool) -> Void = { _ in }

    /// Of the current item; nil while it is read, and where it has none.
    public private(set) var transcript: Transcript?
    /// Whether the transcript is still being looked for or read.
    public var isReading: Bool { job != nil }
    private var itemID: ItemID?
    private var job: Job?
    /// A listener went back from its first sentence into the file before, to its last, which is known once it was read.
    private var isLastWanted = false

    init(
        worker: any Performer, audience: Audience,
        makeReader: @escaping (String, Int?) -> any TranscriptReader
    ) {
        self.worker = worker
        self.audience = audience
        self.makeReader = makeReader
    }

    /// A command waits for the last sentence.
    func wantLastSentence() { isLastWanted = true }

    /// A listener chose another place.
    func forgetWantedSentence() { isLastWanted = false }

    /// Another item is current, or none.
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
        // A recording of a network has to fetch its words first.
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
