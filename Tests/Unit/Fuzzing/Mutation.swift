// SPDX-License-Identifier: Apache-2.0
extension [UInt8] {
    /// Makes something there such as parsers go wrong by: any byte, one at the edge of a number, or a number as large as it can be.
    public mutating func mutate(at place: Int, using chance: inout some RandomNumberGenerator) {
        switch Int.random(in: 0..<4, using: &chance) {
        case 0: self[place] = UInt8.random(in: 0...255, using: &chance)
        case 1: self[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &chance)!
        case 2: for i in place..<Swift.min(place + 4, count) { self[i] = 0xFF }
        default: for i in place..<Swift.min(place + 8, count) { self[i] = [0, 0x7F].randomElement(using: &chance)! }
        }
    }
}
