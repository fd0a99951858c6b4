// SPDX-License-Identifier: Apache-2.0
/// The work that consoles may do in one turn of the loop, so that no button waits for a list. The unit is one song in an answer, some
/// 30,000 instructions.
struct WorkBudget {
    /// The budget of one turn of the loop, for all clients together: some 2 million instructions.
    static let turn = 64
    /// The cost of a page of the library: a short one may have cost many rows, too.
    static let pageCost = turn
    /// The cost of reading a line.
    static let lineCost = 1

    private(set) var left: Int

    init(_ units: Int = WorkBudget.turn) { left = units }

    var isSpent: Bool { left <= 0 }

    mutating func take(_ units: Int) { left -= units }
}
