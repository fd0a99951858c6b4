// SPDX-License-Identifier: Apache-2.0
import Model

public enum HouseholdChange: Sendable {
    case join, leave
    /// Another device has the number of this one.
    case renumber
    /// From the process that carries records: its progress.
    case note(HouseholdNote)
    /// How it went.
    case went(HouseholdRun)
}
