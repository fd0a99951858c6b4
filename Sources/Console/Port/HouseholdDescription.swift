/// The household that the speaker is of.
public struct HouseholdDescription: Sendable {
    /// Of this speaker: sixteen digits.
    public var device: String
    /// Of the newest record.
    public var revision: Int64
    /// Changes of which no record was made yet.
    public var waiting: Int
    public var sent: Int64
    public var cursor: String

    public init(device: String, revision: Int64, waiting: Int, sent: Int64, cursor: String) {
        self.device = device
        self.revision = revision
        self.waiting = waiting
        self.sent = sent
        self.cursor = cursor
    }
}

public enum HouseholdChange: Sendable {
    case join, leave
    /// Another device has the number of this one.
    case renumber
    /// For whoever carries records: the revision up to which all was sent, and how far was read elsewhere.
    case note(sent: Int64, cursor: String)
}
