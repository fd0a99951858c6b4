// SPDX-License-Identifier: Apache-2.0
/// The addresses to try for a stream: its address, or what lists at it name, one after the other. A value without a network.
struct FetchTargets {
    private static let mostLists = 3

    private let first: String
    private(set) var current: String
    /// The addresses of lists behind it.
    private var others: [String] = []
    private var listsFollowed = 0

    init(_ address: String) {
        first = address
        current = address
    }

    /// On with the first address of a list that stood at the current one.
    /// - Returns: why there is none; nil where there is.
    mutating func follow(_ list: [UInt8], base: String) -> String? {
        listsFollowed += 1
        if listsFollowed > FetchTargets.mostLists { return "lists that only name other lists" }
        let addresses = AddressList.addresses(in: list, base: base)
        guard let next = addresses.first else { return "a list without an address of http or https" }
        others = Array((addresses.dropFirst() + others).prefix(AddressList.most))
        current = next
        return nil
    }

    /// Nothing comes of the current one: on with what the lists name next.
    /// - Returns: false where there is nothing; then the first address is the current one again.
    mutating func goOn() -> Bool {
        guard !others.isEmpty else {
            current = first
            listsFollowed = 0
            return false
        }
        current = others.removeFirst()
        // A list of its own may stand there.
        listsFollowed = max(1, listsFollowed - 1)
        return true
    }
}
