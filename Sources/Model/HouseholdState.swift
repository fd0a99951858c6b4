// SPDX-License-Identifier: Apache-2.0
/// A library's state in its household.
public struct HouseholdState: Equatable, Sendable {
    /// Of this speaker there.
    public var device: UInt64
    /// Of the newest record.
    public var revision: Int64
    /// Changes here since; the journal has them once the carrier asks.
    public var waiting: Int
    public var note: HouseholdNote

    public init(device: UInt64, revision: Int64, waiting: Int, note: HouseholdNote) {
        self.device = device
        self.revision = revision
        self.waiting = waiting
        self.note = note
    }
}

/// The carrier's notes, kept here so that it needs no database.
public struct HouseholdNote: Equatable, Sendable {
    /// The revision up to which all was sent.
    public var sent: Int64
    /// The progress of reading, in the server's own form.
    public var cursor: String

    public static let mostCursorBytes = 1000

    public init(sent: Int64 = 0, cursor: String = "") {
        self.sent = sent
        self.cursor = cursor
    }
}

/// The result of the last run of the carrier.
public struct HouseholdRun: Equatable, Sendable {
    /// Since all last went through; nil where it has not yet.
    public var sinceSeconds: Int?
    /// For so long the server is to be left alone.
    public var waitSeconds: Int
    /// Records that were none of ours, or that the server would not have.
    public var skipped: Int
    /// Why it did not go through; "" where it did.
    public var problem: String

    public static let mostWaitSeconds = 3600
    public static let mostProblemBytes = 1000

    public init(sinceSeconds: Int? = nil, waitSeconds: Int = 0, skipped: Int = 0, problem: String = "") {
        self.sinceSeconds = sinceSeconds
        self.waitSeconds = waitSeconds
        self.skipped = skipped
        self.problem = problem
    }
}
