// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Posix
import Wire

/// Podcasts. MPD's `subscribe` and `unsubscribe` are about messages between clients. An argument with a "/" is a feed's address, since
/// channels have no "/" in their names.
extension Session {
    func subscribe(_ arguments: [String]) throws(ConsoleError) -> Portions? {
        var arguments = arguments
        var order: String?
        if arguments.count > 2, arguments[arguments.count - 2] == "order" {
            order = arguments.removeLast()
            arguments.removeLast()
        }
        guard arguments.count <= 2 else {
            throw ConsoleError(.argument, "Expected ADDRESS [NAME] [order oldest|newest|feed]")
        }
        guard let address = FeedAddress.read(arguments[0]) else {
            if arguments.count > 1 || order != nil {
                throw ConsoleError(.argument, "Only a feed has a name: an address of http or https is expected")
            }
            try subscribe(arguments[0])
            return nil
        }
        try permitFeeds()
        return .change(
            try host.subscribe(
                toFeed: address, name: arguments.count > 1 ? arguments[1] : nil,
                order: try order.map { (word) throws(ConsoleError) in try Session.order(word) }))
    }

    /// - Returns: nil for the feed's own order.
    private static func order(_ word: String) throws(ConsoleError) -> Feed.Order? {
        if word == "feed" { return nil }
        guard let order = Feed.Order(rawValue: word) else {
            throw ConsoleError(.argument, "\"\(word)\" is no order, expected oldest, newest or feed")
        }
        return order
    }

    func unsubscribeAny(_ name: String) throws(ConsoleError) {
        if !mailbox.subscriptions.contains(where: { $0 == name }), host.isFeed(name) {
            try permitFeeds()
            return try host.unsubscribe(fromFeed: name)
        }
        if let address = FeedAddress.read(name) {
            if host.isFeed(address) {
                try permitFeeds()
                return try host.unsubscribe(fromFeed: address)
            }
            throw ConsoleError(.noExist, "not subscribed to this feed")
        }
        try unsubscribe(name)
    }

    /// Requires the same permission as stored playlists.
    private func permitFeeds() throws(ConsoleError) {
        if !access.permissions.isSuperset(of: .control) {
            throw ConsoleError(.permission, "you don't have permission to change subscriptions")
        }
    }

    /// Lists the subscriptions. A network client, or one with the right to read only, sees no secret part of an address.
    func subscriptions() -> Portions {
        let isTrusted = access.isLocal && access.permissions.isSuperset(of: .control)
        // Each one counts its episodes.
        return .pages(host.subscriptions(), most: 4) { subscription, response in
            let feed = subscription.feed
            response.field("subscription", isTrusted ? feed.address : subscription.shownAddress)
            response.field("Title", feed.title)
            response.field("directory", path: Feed.folderName + "/" + feed.name)
            response.field("order", feed.order.rawValue)
            response.field("episodes", subscription.episodes)
            response.field("unheard", subscription.unheard)
            if feed.checkedSeconds > 0 { response.field("refreshed", date: feed.checkedSeconds) }
            if !feed.problem.isEmpty { response.field("problem", feed.problem) }
        }
    }
}
