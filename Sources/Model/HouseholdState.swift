// SPDX-License-Identifier: Apache-2.0
/// A library's state in its household.
public struct HouseholdState: Equatable, Sendable {
    /// The number of this speaker there.
    public var device: UInt64
    /// The revision of the newest record.
    public var revision: Int64
    /// The number of changes here since; the journal has them once the carrier asks.
    public var waiting: Int
    public var note: HouseholdNote

    public init(device: UInt64, revision: Int64, waiting: Int, note: HouseholdNote) {
        self.device = device
        self.revision = revision
        self.waiting = waiting
        self.note = note
    }
}

/// The carrier's notes, stored in the library so that the carrier needs no database.
public struct HouseholdNote: Equatable, Sendable {
    /// The revision up to which all records were sent.
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
    /// The seconds since everything was last carried; nil if it never was.
    public var sinceSeconds: Int?
    /// The seconds for which to leave the server alone.
    public var waitSeconds: Int
    /// The number of records that were none of ours, or that the server refused.
    public var skipped: Int
    /// The reason of a failure; "" for success.
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
