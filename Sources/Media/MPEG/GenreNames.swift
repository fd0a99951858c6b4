// SPDX-License-Identifier: Apache-2.0
import Core

/// The names of ID3v1's genres: its own 80, and Winamp's additions; 183 is "Audiobook".
enum GenreNames {
    static let count = 192

    /// Returns the name of a genre number, or of one of ID3v2.3's two abbreviations.
    static func name(_ text: [UInt8]) -> String? {
        if text.has("RX", at: 0) && text.count == 2 { return "Remix" }
        if text.has("CR", at: 0) && text.count == 2 { return "Cover" }
        return Int64(digits: text, most: 3).flatMap { name(Int($0)) }
    }

    /// Returns the names of ID3v2.3's form: bracketed numbers, then a text, as in "(17)(18)Rock'n'Roll"; "((" is a literal bracket.
    static func names(bracketed text: [UInt8]) -> [String] {
        var names: [String] = []
        var rest = text[...]
        while rest.first == 0x28, rest.dropFirst().first != 0x28, let close = rest.firstIndex(of: 0x29) {
            let inner = Array(rest[rest.index(after: rest.startIndex)..<close])
            guard let name = name(inner) else { break }
            names.append(name)
            rest = rest[rest.index(after: close)...]
        }
        if rest.starts(with: [0x28, 0x28]) { rest = rest.dropFirst() }
        if !rest.isEmpty { names.append(name(Array(rest)) ?? String(decoding: rest, as: UTF8.self)) }
        return names
    }

    /// Returns nil for an unknown number.
    static func name(_ number: Int) -> String? {
        guard number >= 0 && number < count else { return nil }
        // The table is one text, searched line by line, since a list of 192 would be larger in the program.
        var left = number
        var start = 0
        let length = table.utf8CodeUnitCount
        let bytes = table.utf8Start
        while left > 0 && start < length {
            if bytes[start] == 0x0A { left -= 1 }
            start += 1
        }
        var end = start
        while end < length && bytes[end] != 0x0A { end += 1 }
        return String(decoding: UnsafeBufferPointer(start: bytes + start, count: end - start), as: UTF8.self)
    }

    private static var table: StaticString {
        """
        Blues
        Classic Rock
        Country
        Dance
        Disco
        Funk
        Grunge
        Hip-Hop
        Jazz
        Metal
        New Age
        Oldies
        Other
        Pop
        R&B
        Rap
        Reggae
        Rock
        Techno
        Industrial
        Alternative
        Ska
        Death Metal
        Pranks
        Soundtrack
        Euro-Techno
        Ambient
        Trip-Hop
        Vocal
        Jazz+Funk
        Fusion
        Trance
        Classical
        Instrumental
        Acid
        House
        Game
        Sound Clip
        Gospel
        Noise
        AlternRock
        Bass
        Soul
        Punk
        Space
        Meditative
        Instrumental Pop
        Instrumental Rock
        Ethnic
        Gothic
        Darkwave
        Techno-Industrial
        Electronic
        Pop-Folk
        Eurodance
        Dream
        Southern Rock
        Comedy
        Cult
        Gangsta
        Top 40
        Christian Rap
        Pop/Funk
        Jungle
        Native American
        Cabaret
        New Wave
        Psychedelic
        Rave
        Showtunes
        Trailer
        Lo-Fi
        Tribal
        Acid Punk
        Acid Jazz
        Polka
        Retro
        Musical
        Rock & Roll
        Hard Rock
        Folk
        Folk/Rock
        National Folk
        Swing
        Fast-Fusion
        Bebob
        Latin
        Revival
        Celtic
        Bluegrass
        Avantgarde
        Gothic Rock
        Progressive Rock
        Psychedelic Rock
        Symphonic Rock
        Slow Rock
        Big Band
        Chorus
        Easy Listening
        Acoustic
        Humour
        Speech
        Chanson
        Opera
        Chamber Music
        Sonata
        Symphony
        Booty Bass
        Primus
        Porn Groove
        Satire
        Slow Jam
        Club
        Tango
        Samba
        Folklore
        Ballad
        Power Ballad
        Rhythmic Soul
        Freestyle
        Duet
        Punk Rock
        Drum Solo
        A Capella
        Euro-House
        Dance Hall
        Goa
        Drum & Bass
        Club-House
        Hardcore
        Terror
        Indie
        BritPop
        Afro-Punk
        Polsk Punk
        Beat
        Christian Gangsta Rap
        Heavy Metal
        Black Metal
        Crossover
        Contemporary Christian
        Christian Rock
        Merengue
        Salsa
        Thrash Metal
        Anime
        JPop
        Synthpop
        Abstract
        Art Rock
        Baroque
        Bhangra
        Big Beat
        Breakbeat
        Chillout
        Downtempo
        Dub
        EBM
        Eclectic
        Electro
        Electroclash
        Emo
        Experimental
        Garage
        Global
        IDM
        Illbient
        Industro-Goth
        Jam Band
        Krautrock
        Leftfield
        Lounge
        Math Rock
        New Romantic
        Nu-Breakz
        Post-Punk
        Post-Rock
        Psytrance
        Shoegaze
        Space Rock
        Trop Rock
        World Music
        Neoclassical
        Audiobook
        Audio Theatre
        Neue Deutsche Welle
        Podcast
        Indie Rock
        G-Funk
        Dubstep
        Garage Rock
        Psybient
        """
    }
}
