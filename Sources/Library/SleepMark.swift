// SPDX-License-Identifier: Apache-2.0
import Model

/// The bookmark of the sleep timer, and the place where the timer silenced the speaker.
public struct SleepMark: Equatable, Sendable {
    /// The item of the bookmark, in which `milliseconds` is its place.
    public var item: Item.ID
    public var milliseconds: Int
    /// The place of the silence; nil before it.
    public var silence: (item: Item.ID, milliseconds: Int)?

    public init(item: Item.ID, milliseconds: Int) { (self.item, self.milliseconds) = (item, milliseconds) }

    public static func == (one: SleepMark, other: SleepMark) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

    /// Reads "ITEM MS", and "ITEM MS" of the silence. nil for any other text.
    init?(text: String) {
        let numbers = text.utf8.split(separator: 0x20).map { Int64(String(decoding: $0, as: UTF8.self)) }
        guard numbers.count == 2 || numbers.count == 4, let item = numbers[0], let place = numbers[1] else {
            return nil
        }
        self.init(item: item, milliseconds: Int(clamping: place))
        if numbers.count == 4, let item = numbers[2], let place = numbers[3] { silence = (item, Int(clamping: place)) }
    }

    var text: String { "\(item) \(milliseconds)" + (silence.map { " \($0.item) \($0.milliseconds)" } ?? "") }
}
