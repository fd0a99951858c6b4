// SPDX-License-Identifier: Apache-2.0
import Core
import Expat
import Media
import Posix
import Streams
import Text

/// Turns a podcast's feed into records while reading it: RSS 2.0 with the `itunes:`, `podcast:` and `media:` elements, or Atom. Holds one
/// record and one text at a time, each bounded.
final class FeedReader: XMLReader {
    /// The relevant part of the position in a feed.
    private enum Place { case outside, rss, channel, image, item, alternate, person, media, chapters, elsewhere }
    private enum Wanted {
        case field(FeedRecord.Field)
        case date, duration, details, address, summary, newAddress, secondDate, language, order, season, number
    }

    private struct Transcript {
        var address: [UInt8]
        var type: [UInt8]
        var language: [UInt8]
    }

    /// The limit of one element's text.
    private static let mostTextBytes = 8 * 1024
    /// The limit of an episode's transcripts.
    private static let mostTranscripts = 32

    private(set) var feed = FeedRecord()
    private(set) var hasFeed = false
    /// The feed's own new address; "" if it has not moved.
    private(set) var newAddress = ""
    /// The page with older episodes (RFC 5005); "" for none.
    private(set) var nextAddress = ""
    /// The feed's address, for relative ones.
    private let base: String
    private(set) var refusal: String?
    /// Takes a finished episode. Returns false at the limit.
    private let take: (FeedRecord) -> Bool

    private var places: [Place] = [.outside]
    private var episode = FeedRecord()
    private var wanted: Wanted?
    /// The depth of the wanted element: elements within it belong to its text.
    private var wantedLevel = 0
    private var text: [UInt8] = []
    private var transcripts: [Transcript] = []
    private var language: [UInt8] = []
    private var episodeLanguage: [UInt8] = []
    /// The length of the enclosure, from the feed.
    private var enclosureBytes: Int64?
    private var alternates: [FeedAlternate] = []
    /// The chapters, in the form of `FeedRecord.Field.marks`.
    private var marks: [UInt8] = []
    /// The season of an episode; 0 if the feed does not say.
    private var season: Int64 = 0
    private var number: Int64 = 0

    init(base: String = "", take: @escaping (FeedRecord) -> Bool) {
        self.base = base
        self.take = take
    }

    private var place: Place { places[places.count - 1] }

    func begin(_ name: UnsafeBufferPointer<UInt8>, _ attribute: (StaticString) -> [UInt8]?) {
        func isNamed(_ other: StaticString) -> Bool { other.withUTF8Buffer { name.elementsEqual($0) } }
        var next = Place.elsewhere
        if wanted != nil {
            addSpace()
            places.append(next)
            return
        }
        wantedLevel = places.count
        text.removeAll(keepingCapacity: true)
        switch place {
        case .outside:
            if isNamed("rss") {
                next = .rss
                hasFeed = true
            } else if isNamed("feed") {
                next = .channel
                hasFeed = true
            } else {
                refusal =
                    isNamed("html") || isNamed("HTML") ? "a page of the web and no feed" : "no feed of RSS or Atom"
            }
        case .rss: if isNamed("channel") { next = .channel }
        case .channel:
            if isNamed("item") || isNamed("entry") {
                next = .item
                episode = FeedRecord()
                transcripts = []
                episodeLanguage = []
                enclosureBytes = nil
                alternates = []
                marks = []
                (season, number) = (0, 0)
            } else if isNamed("image") {
                next = .image
            } else if isNamed("itunes:image") {
                if let address = attribute("href") { feed.set(.picture, self.address(address)) }
            } else if isNamed("title") {
                wanted = .field(.title)
            } else if isNamed("language") || isNamed("dc:language") {
                wanted = .language
            } else if isNamed("itunes:author") {
                wanted = .field(.author)
            } else if isNamed("author") {
                next = .person
            } else if isNamed("description") || isNamed("subtitle") {
                wanted = .details
            } else if isNamed("itunes:summary") {
                wanted = .summary
            } else if isNamed("logo"), feed[.picture] == nil {
                wanted = .address
            } else if isNamed("itunes:type") || isNamed("podcast:medium") {
                wanted = .order
            } else if isNamed("itunes:new-feed-url") {
                wanted = .newAddress
            } else if isNamed("atom:link") || isNamed("link") || isNamed("atom10:link") {
                if attribute("rel").map({ $0.elementsEqual("next".utf8) }) == true, let address = attribute("href") {
                    nextAddress = String(decoding: self.address(address), as: UTF8.self)
                }
            }
        case .person: if isNamed("name") { wanted = .field(.author) }
        case .media: beginMedia(isNamed, attribute)
        case .image: if isNamed("url"), feed[.picture] == nil { wanted = .address }
        case .item:
            beginInItem(isNamed, attribute)
            if isNamed("author") { next = .person }
            if isNamed("media:group") { next = .media }
            if isNamed("psc:chapters") { next = .chapters }
            if isNamed("podcast:alternateEnclosure"), alternates.count < 2 * StreamOffers.most {
                next = .alternate
                alternates.append(FeedAlternate(attribute))
            }
        case .alternate:
            if isNamed("podcast:source"), let address = attribute("uri") {
                alternates[alternates.count - 1].take(
                    self.address(address), attribute("contentType"))
            }
        case .chapters: if isNamed("psc:chapter") { takeMark(attribute("start"), attribute("title")) }
        case .elsewhere: break
        }
        places.append(next)
    }

    private func beginInItem(_ isNamed: (StaticString) -> Bool, _ attribute: (StaticString) -> [UInt8]?) {
        if isNamed("title") {
            wanted = .field(.title)
        } else if isNamed("guid") || isNamed("id") {
            wanted = .field(.identity)
        } else if isNamed("pubDate") || isNamed("published") {
            wanted = .date
        } else if isNamed("updated") || isNamed("dc:date") {
            wanted = .secondDate
        } else if isNamed("itunes:duration") {
            wanted = .duration
        } else if isNamed("itunes:season") || isNamed("podcast:season") {
            wanted = .season
        } else if isNamed("itunes:episode") || isNamed("podcast:episode") {
            wanted = .number
        } else if isNamed("itunes:author") {
            wanted = .field(.author)
        } else if isNamed("description") {
            wanted = .details
        } else if isNamed("itunes:summary") || isNamed("content:encoded") || isNamed("summary") || isNamed("content") {
            wanted = .summary
        } else if isNamed("enclosure") {
            takeSound(attribute("url"), attribute("type") ?? [], attribute("length"))
        } else if isNamed("link") {
            if attribute("rel").map({ $0.elementsEqual("enclosure".utf8) }) == true {
                takeSound(attribute("href"), attribute("type") ?? [], attribute("length"))
            }
        } else if isNamed("media:content") {
            beginMedia(isNamed, attribute)
        } else if isNamed("itunes:image") {
            if let address = attribute("href") { episode.set(.picture, self.address(address)) }
        } else if isNamed("podcast:chapters") {
            if let address = attribute("url") { episode.set(.chapters, self.address(address)) }
        } else if isNamed("podcast:transcript"), let address = attribute("url") {
            let type = attribute("type") ?? []
            let address = self.address(address)
            if FeedReader.rank(transcript: type) > 0, !address.isEmpty,
                transcripts.count < FeedReader.mostTranscripts
            {
                let language = Array((attribute("language") ?? []).prefix(40))
                transcripts.append(Transcript(address: address, type: type, language: language))
            }
        } else if isNamed("language") || isNamed("dc:language") {
            wanted = .language
        }
    }

    /// Takes a simple chapter of Podlove (https://podlove.org/simple-chapters), as long as there is room.
    private func takeMark(_ start: [UInt8]?, _ title: [UInt8]?) {
        guard let milliseconds = start.flatMap({ Chapter.milliseconds($0) }) else { return }
        let line = Array("\(milliseconds) ".utf8) + PlainText.line(title ?? [], most: 200) + [0x0A]
        if marks.count + line.count <= FeedRecord.Field.marks.mostBytes { marks += line }
    }

    /// Takes an address of audio, unless its type is another one.
    private func takeSound(_ address: [UInt8]?, _ type: [UInt8], _ length: [UInt8]?) {
        let isSound =
            !type.starts(with: "video/".utf8) && !type.starts(with: "image/".utf8) && !type.starts(with: "text/".utf8)
        guard let address, isSound, episode[.address] == nil else { return }
        episode.set(.address, self.address(address))
        enclosureBytes = length.flatMap { ResponseHead.number($0) }
    }

    /// Starts a media element. Its type must be audio.
    private func beginMedia(_ isNamed: (StaticString) -> Bool, _ attribute: (StaticString) -> [UInt8]?) {
        guard isNamed("media:content") else { return }
        let type = attribute("type") ?? []
        let isSound =
            type.starts(with: "audio/".utf8) || attribute("medium").map { $0.elementsEqual("audio".utf8) } == true
        if isSound { takeSound(attribute("url"), type, attribute("fileSize")) }
    }

    /// Returns the rank of a transcript's type: higher for better times; 0 for unusable types.
    private static func rank(transcript type: [UInt8]) -> Int {
        let bare = type.prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 }
        func isNamed(_ other: StaticString) -> Bool { other.withUTF8Buffer { bare.elementsEqual($0) } }
        if isNamed("application/json") { return 4 }
        if isNamed("text/vtt") { return 3 }
        if isNamed("application/srt") || isNamed("application/x-subrip") || isNamed("text/srt") { return 2 }
        return 0
    }

    /// Chooses the transcript in the episode's language with the best times; one without a language counts as the episode's.
    private func chooseTranscript() {
        let spoken = episodeLanguage.isEmpty ? language : episodeLanguage
        var best = 0
        for transcript in transcripts {
            let likeness = transcript.language.isEmpty ? 2 : FeedReader.likeness(transcript.language, spoken)
            let rank = likeness * 8 + FeedReader.rank(transcript: transcript.type)
            if rank <= best { continue }
            best = rank
            episode.set(.transcript, transcript.address)
            episode.set(.transcriptType, transcript.type)
        }
    }

    /// Returns 2 for the same language, 1 for the same with another country, 0 for another.
    private static func likeness(_ one: [UInt8], _ other: [UInt8]) -> Int {
        func folded(_ language: [UInt8]) -> [UInt8] {
            language.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0.lowerCase }
        }
        let (one, other) = (folded(one), folded(other))
        if one == other { return 2 }
        return one.prefix { $0 != UInt8(ascii: "-") } == other.prefix { $0 != UInt8(ascii: "-") } ? 1 : 0
    }

    /// Parses a whole number up to 99,999, ignoring the fraction that podcast:episode may have. nil for anything else.
    private static func number(_ text: [UInt8]) -> Int64? {
        let digits = text.drop { $0 <= 0x20 }.prefix { (0x30...0x39).contains($0) }
        return Int64(digits: digits, most: 5)
    }

    private func addSpace() { if text.count < FeedReader.mostTextBytes { text.append(0x20) } }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard wanted != nil else { return }
        text += bytes.prefix(FeedReader.mostTextBytes - text.count)
    }

    func end() {
        let ended = places.removeLast()
        if ended == .item { endItem() }
        guard let wanted else { return }
        if places.count > wantedLevel { return addSpace() }
        self.wanted = nil
        let isItem = place == .item
        let isPersonOfItem = place == .person && places.count > 1 && places[places.count - 2] == .item
        guard isItem || place == .channel || place == .image || place == .person else { return }
        var record = isItem || isPersonOfItem ? episode : feed
        switch wanted {
        case .field(.identity):
            record.set(.identity, TextDecoding.tidied(text, most: FeedRecord.Field.identity.mostBytes))
        case .field(let field): record.set(field, PlainText.line(text, most: field.mostBytes))
        case .address: record.set(.picture, address(text))
        case .newAddress: newAddress = String(decoding: address(text), as: UTF8.self)
        case .details: record.set(.details, PlainText.line(text, most: FeedRecord.Field.details.mostBytes))
        case .summary:
            if record[.details] == nil {
                record.set(.details, PlainText.line(text, most: FeedRecord.Field.details.mostBytes))
            }
        case .secondDate where record[.published] != nil: break
        case .language:
            let language = TextDecoding.tidied(text, most: 40)
            if isItem { episodeLanguage = language } else { self.language = language }
        case .date, .secondDate: if let seconds = FeedDate.seconds(text) { record[.published] = "\(seconds)" }
        case .duration: if let seconds = FeedDate.duration(text) { record[.seconds] = "\(seconds)" }
        // An audiobook starts at its beginning, too.
        case .order where !isItem:
            let order = String(decoding: TextDecoding.tidied(text, most: 16), as: UTF8.self).lowerCase
            if order == "serial" || order == "audiobook" { record[.order] = "serial" }
        case .season where isItem: season = FeedReader.number(text) ?? 0
        case .number where isItem: number = FeedReader.number(text) ?? 0
        case .order, .season, .number: break
        }
        if isItem || isPersonOfItem { episode = record } else { feed = record }
        text.removeAll(keepingCapacity: true)
    }

    private func endItem() {
        // Without audio it is news, and no episode.
        guard let address = episode[.address], StreamAddress.problem(address) == nil else { return }
        if !alternates.isEmpty {
            let offers = FeedAlternate.offers(
                address, bytes: enclosureBytes, seconds: episode.number(.seconds), alternates)
            if offers.offers.count > 1 { episode[.offers] = offers.text }
        }
        episode.set(.marks, marks)
        if season > 0 || number > 0 { episode[.number] = "\(season * 100_000 + number)" }
        chooseTranscript()
        // Without an identity, it is its address.
        if episode[.identity] == nil { episode[.identity] = address }
        if !take(episode) { refusal = "too many episodes" }
    }

    /// Returns a usable address only: neither a file, nor another scheme.
    private func address(_ bytes: [UInt8]) -> [UInt8] {
        let tidied = TextDecoding.tidied(bytes, most: StreamAddress.mostBytes + 1)
        return RelativeAddress.resolved(tidied, base: base).map { Array($0.utf8) } ?? []
    }
}
