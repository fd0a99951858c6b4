// SPDX-License-Identifier: Apache-2.0
import Wire

/// A command list: lines that wait for `command_list_end`, and then run one after the other.
struct CommandList {
    /// MPD's limit of a list.
    static let maximumBytes = 2048 * 1024
    private static let mostRoomAhead = 32 * 1024

    let answersEach: Bool
    /// The lines in sequence, each with its newline: many short ones take no more than their bytes.
    private var bytes: [UInt8] = []
    private(set) var count = 0
    /// The reason why the list cannot run, found during its arrival and reported at its end.
    private(set) var failure: ConsoleError?
    /// True once the whole list has arrived, and runs.
    private(set) var isUnderWay = false
    /// The offset of the next line.
    private var place = 0
    /// The number of the next line.
    private(set) var nextLine = 0

    init(answersEach: Bool) { self.answersEach = answersEach }

    var heldBytes: Int { bytes.count }
    var isAtEnd: Bool { place == bytes.count }

    mutating func append(_ line: ArraySlice<UInt8>) {
        if failure != nil { return }
        let more = line.count + 1
        if bytes.count + more > CommandList.maximumBytes {
            refuse(ConsoleError(.argument, "The command list is too long"))
            bytes = []
            return
        }
        // An array that doubles would take twice its content.
        if bytes.capacity - bytes.count < more {
            bytes.reserveCapacity(bytes.count + more + min(bytes.count, CommandList.mostRoomAhead))
        }
        bytes.append(contentsOf: line)
        bytes.append(.newline)
        count += 1
    }

    mutating func refuse(_ failure: ConsoleError) { self.failure = failure }

    mutating func begin() { isUnderWay = true }

    /// Returns the next line of a running list that is not at its end.
    mutating func next() -> ArraySlice<UInt8> {
        let line = bytes[place...].prefix { $0 != .newline }
        place = line.endIndex + 1
        nextLine += 1
        return line
    }
}
