// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Media
import Posix
import Streams

/// Podcasts for the speaker, fetched by requests to the fetching process. Control thread.
public final class FeedAdapter: FeedPort {
    /// The requests with a waiting client, so that they do not wait behind those of `ahead`.
    private let urgent: ErrandDesk
    private let ahead: ErrandDesk

    public init(urgent: ErrandDesk, ahead: ErrandDesk) {
        self.urgent = urgent
        self.ahead = ahead
    }

    public func fetchFeed(
        _ address: String, entityTag: String, lastModified: String, finish: @escaping (FeedAnswer) -> Void
    ) {
        urgent.fetchFeed(address, entityTag: entityTag, lastModified: lastModified) { answer in
            switch answer {
            case .records(let pages): finish(.feed(FeedRecords(pages)))
            case .unchanged(let movedTo):
                finish(.unchanged(movedTo: StreamAddress.problem(movedTo) == nil ? movedTo : ""))
            case .failed(let message): finish(.failed(message))
            case .whole: break
            }
        }
    }

    public func fetch(
        _ address: String, name: String, feed: String, isDocument: Bool, isUrgent: Bool,
        finish: @escaping (MediaSource?, _ problem: String) -> Void
    ) {
        let question = StreamQuestion(
            address: address, name: name, kind: isDocument ? .document : .sound, feed: feed)
        fetch(question, isUrgent ? urgent : ahead, finish)
    }

    public func fetchWords(beside address: String, finish: @escaping (MediaSource?) -> Void) {
        let question = StreamQuestion(address: address, name: "beside \(address.stableHash)", kind: .beside)
        fetch(question, ahead) { file, _ in finish(file) }
    }

    private func fetch(
        _ question: StreamQuestion, _ desk: ErrandDesk, _ finish: @escaping (MediaSource?, _ problem: String) -> Void
    ) {
        desk.fetch(question) { answer in
            switch answer {
            case .whole(let file): finish(.stream(file), "")
            case .failed(let problem): finish(nil, problem)
            case .records, .unchanged: break
            }
        }
    }

    public func tellHeard(_ name: String) { ahead.tellHeard(name) }

    public func close() {
        urgent.close()
        ahead.close()
    }
}

/// Reads the fetching process's records of a feed, and makes the library's drafts of them. The worker owns it, until its end.
final class FeedRecords: FeedReading, @unchecked Sendable {
    private static let pageRecords = 64

    private let pages: FeedPages
    private(set) var head: FeedHead?
    private(set) var page: [EpisodeDraft] = []

    init(_ pages: FeedPages) { self.pages = pages }

    func readPage() {
        var records = pages.next(most: FeedRecords.pageRecords)[...]
        if head == nil {
            guard let first = records.popFirst(), let title = first[.title] else { return }
            var head = FeedHead()
            head.title = title
            head.author = first[.author] ?? ""
            head.details = first[.details] ?? ""
            head.picture = FeedRecords.address(first, .picture)
            head.entityTag = first[.entityTag] ?? ""
            head.lastModified = first[.lastModified] ?? ""
            head.movedTo = FeedRecords.address(first, .address)
            head.notice = first[.notice] ?? ""
            head.isSerial = first[.order] == "serial"
            self.head = head
        }
        page = records.compactMap { FeedRecords.draft($0) }
    }

    private static func draft(_ record: FeedRecord) -> EpisodeDraft? {
        let address = address(record, .address)
        guard !address.isEmpty, let identity = record[.identity] else { return nil }
        var draft = EpisodeDraft(identity: identity, address: address)
        if let offers = record[.offers],
            StreamOffers(text: offers)?.offers[0].address.utf8.elementsEqual(address.utf8) ?? false
        {
            draft.address = offers
        }
        draft.title = record[.title] ?? ""
        draft.author = record[.author] ?? ""
        draft.details = record[.details] ?? ""
        draft.picture = self.address(record, .picture)
        draft.publishedSeconds = max(0, min(9_999_999_998, record.number(.published) ?? 0))
        draft.durationSeconds = record.number(.seconds).map { min($0, 400_000) }
        draft.number = record.number(.number) ?? 0
        draft.transcript = self.address(record, .transcript)
        draft.transcriptType = record[.transcriptType] ?? ""
        draft.chapters = self.address(record, .chapters)
        draft.marks = record[.marks].map { FetchedChapters.marks($0) } ?? []
        return draft
    }

    /// Returns a field's address; "" if it is none.
    private static func address(_ record: FeedRecord, _ field: FeedRecord.Field) -> String {
        guard let text = record[field], StreamAddress.problem(text) == nil else { return "" }
        return text
    }
}
