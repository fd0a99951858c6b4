// SPDX-License-Identifier: Apache-2.0
/// A subscribed podcast.
public struct Feed: Sendable {
    public typealias ID = Int64

    public let id: ID
    /// The feed's present address.
    public var address: String
    /// The feed's address at the time of the subscription: the base of its episodes' identities.
    public var origin: String
    /// The name of its folder.
    public var name: String
    public var title: String
    public var author: String
    public var details: String
    /// The address of its picture; "" for none.
    public var picture: String
    /// The validators for the next request, from the server's last answer; "" for none.
    public var entityTag: String
    public var lastModified: String
    /// The time of the last refresh, in seconds since 1970; 0 for never.
    public var checkedSeconds: Int64
    /// The reason why that failed; "" for success.
    public var problem: String
    /// True if the feed wants its episodes heard from the oldest on: a serial, an audiobook.
    public var isSerial = false
    /// The order that the listener chose; nil for the feed's own.
    public var chosenOrder: Order?

    /// The order of its episodes in lists and playback.
    public enum Order: String, Sendable { case oldest, newest }

    public var order: Order { chosenOrder ?? (isSerial ? .oldest : .newest) }

    public init(
        id: ID, address: String, origin: String = "", name: String, title: String, author: String = "",
        details: String = "", picture: String = "", entityTag: String = "", lastModified: String = "",
        checkedSeconds: Int64 = 0, problem: String = ""
    ) {
        self.id = id
        self.address = address
        self.origin = origin
        self.name = name
        self.title = title
        self.author = author
        self.details = details
        self.picture = picture
        self.entityTag = entityTag
        self.lastModified = lastModified
        self.checkedSeconds = checkedSeconds
        self.problem = problem
    }

    /// The limit of subscriptions.
    public static let most = 500

    /// The name of the podcasts' folder in the library's.
    public static let folderName = "Podcasts"
}
