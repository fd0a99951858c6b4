/// What a library knows of the household that it is of.
public struct HouseholdState: Equatable, Sendable {
    /// Of this speaker there.
    public var device: UInt64
    /// Of the newest record.
    public var revision: Int64
    /// What was changed here since; it is in the journal once somebody asks for that.
    public var waiting: Int
    public var note: HouseholdNote

    public init(device: UInt64, revision: Int64, waiting: Int, note: HouseholdNote) {
        self.device = device
        self.revision = revision
        self.waiting = waiting
        self.note = note
    }
}

/// What whoever carries records to and fro remembers here, so that it needs no database.
public struct HouseholdNote: Equatable, Sendable {
    /// The revision up to which all was sent.
    public var sent: Int64
    /// How far was read elsewhere, in the words of whoever wrote it.
    public var cursor: String

    public static let mostCursorBytes = 1000

    public init(sent: Int64 = 0, cursor: String = "") {
        self.sent = sent
        self.cursor = cursor
    }
}

/// How carrying records last went.
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
