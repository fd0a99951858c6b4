import Model

public enum HouseholdChange: Sendable {
    case join, leave
    /// Another device has the number of this one.
    case renumber
    /// For whoever carries records: how far that went.
    case note(HouseholdNote)
    /// How it went.
    case went(HouseholdRun)
}
