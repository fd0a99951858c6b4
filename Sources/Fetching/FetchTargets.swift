// SPDX-License-Identifier: Apache-2.0
/// The addresses to try for a stream, one after the other: its own, or those in the lists found there. A value without a network.
struct FetchTargets {
    private static let mostLists = 3

    private let first: String
    private(set) var current: String
    /// The remaining addresses from lists.
    private var others: [String] = []
    private var listsFollowed = 0

    init(_ address: String) {
        first = address
        current = address
    }

    /// Continues with the first address of a list found at the current one.
    /// - Returns: the reason of a failure; nil for success.
    mutating func follow(_ list: [UInt8], base: String) -> String? {
        listsFollowed += 1
        if listsFollowed > FetchTargets.mostLists { return "lists that only name other lists" }
        let addresses = AddressList.addresses(in: list, base: base)
        guard let next = addresses.first else { return "a list without an address of http or https" }
        others = Array((addresses.dropFirst() + others).prefix(AddressList.most))
        current = next
        return nil
    }

    /// Continues with the next address of the lists, since the current one gives nothing.
    /// - Returns: false if there is none; then the first address is the current one again.
    mutating func goOn() -> Bool {
        guard !others.isEmpty else {
            current = first
            listsFollowed = 0
            return false
        }
        current = others.removeFirst()
        // The next address may have a list of its own.
        listsFollowed = max(1, listsFollowed - 1)
        return true
    }
}
