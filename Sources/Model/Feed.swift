// SPDX-License-Identifier: Apache-2.0
/// A podcast that is subscribed to.
public struct Feed: Sendable {
    public typealias ID = Int64

    public let id: ID
    /// Its present address.
    public var address: String
    /// Its address at the time of the subscription: the base of its episodes' identities.
    public var origin: String
    /// Of its folder.
    public var name: String
    public var title: String
    public var author: String
    public var details: String
    /// Address of its picture; "" for none.
    public var picture: String
    /// The validators for the next request: from the server's last answer; "" where it said nothing.
    public var entityTag: String
    public var lastModified: String
    /// When it was last asked for, seconds since 1970; 0 for never.
    public var checkedSeconds: Int64
    /// Why that failed; "" where it did not.
    public var problem: String
    /// The feed says that its episodes are to be heard from the oldest on: a serial, an audiobook.
    public var isSerial = false
    /// As a person has chosen it; nil for as the feed says.
    public var chosenOrder: Order?

    /// In which order its episodes stand and are played.
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

    /// A sane listener has fewer.
    public static let most = 500

    /// The folder in the library's that podcasts are in.
    public static let folderName = "Podcasts"
}
