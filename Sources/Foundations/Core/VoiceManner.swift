// SPDX-License-Identifier: Apache-2.0
/// When the voice answers.
public enum VoiceManner: String, CaseIterable, Sendable {
    case always = "all"
    /// In the menu, and when asked.
    case menu
    /// Always; at night as in the menu alone.
    case byDay = "by-day"
}
