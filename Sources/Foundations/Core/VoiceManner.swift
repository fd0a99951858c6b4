// SPDX-License-Identifier: Apache-2.0
/// The occasions on which the voice speaks.
public enum VoiceManner: String, CaseIterable, Sendable {
    case always = "all"
    /// In the menu, and on request.
    case menu
    /// Always by day; at night as in the menu.
    case byDay = "by-day"
}
