// SPDX-License-Identifier: Apache-2.0
/// Extracts the audio from an MPEG transport stream (ISO 13818-1): the first program's first stream of MPEG audio or of AAC in ADTS. A
/// segment is read in one go; the output is never longer than it.
struct TransportStream {
    static let packetBytes = 188

    enum Kind { case mpeg, adts }

    private(set) var sound: [UInt8] = []
    private(set) var kind: Kind?
    /// The unplayable format found, for a message.
    private(set) var foreign: String?

    private var mapID: Int?
    private var soundID: Int?
    private var hasBegun = false
    /// The head of an audio packet, which may lie in several transport packets.
    private var head: [UInt8] = []
    private var headLeft = 0

    /// nil if the bytes are no transport stream.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard TransportStream.isOne(bytes) else { return nil }
        sound.reserveCapacity(bytes.count)
        var at = 0
        while at + TransportStream.packetBytes <= bytes.count {
            if bytes[at] != 0x47 {
                at += 1
                continue
            }
            take(UnsafeRawBufferPointer(rebasing: bytes[at..<at + TransportStream.packetBytes]))
            at += TransportStream.packetBytes
        }
    }

    static func isOne(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= packetBytes, bytes[0] == 0x47 else { return false }
        return bytes.count < 2 * packetBytes || bytes[packetBytes] == 0x47
    }

    private mutating func take(_ packet: UnsafeRawBufferPointer) {
        let begins = packet[1] & 0x40 != 0
        let isDamaged = packet[1] & 0x80 != 0
        let identifier = Int(packet[1] & 0x1F) << 8 | Int(packet[2])
        var start = 4
        if packet[3] & 0x20 != 0 { start += 1 + Int(packet[4]) }
        guard !isDamaged, packet[3] & 0x10 != 0, start < packet.count else { return }
        let payload = UnsafeRawBufferPointer(rebasing: packet[start...])
        if identifier == 0 && mapID == nil {
            takePrograms(payload, begins)
        } else if identifier == mapID && soundID == nil {
            takeMap(payload, begins)
        } else if identifier == soundID {
            takeSound(payload, begins)
        }
    }

    /// Returns a table that lies in one packet, as all short ones do.
    private func section(_ payload: UnsafeRawBufferPointer, _ begins: Bool, table: UInt8) -> UnsafeRawBufferPointer? {
        guard begins, let pointer = payload.first.map(Int.init), payload.count >= pointer + 4 else { return nil }
        let section = payload[(pointer + 1)...]
        let first = section.startIndex
        guard section[first] == table else { return nil }
        let length = Int(section[first + 1] & 0x0F) << 8 | Int(section[first + 2])
        // Without the checksum.
        guard length >= 9, section.count >= 3 + length else { return nil }
        return UnsafeRawBufferPointer(rebasing: section[first..<first + 3 + length - 4])
    }

    private mutating func takePrograms(_ payload: UnsafeRawBufferPointer, _ begins: Bool) {
        guard let section = section(payload, begins, table: 0) else { return }
        var at = 8
        while at + 4 <= section.count {
            let number = Int(section[at]) << 8 | Int(section[at + 1])
            if number != 0 {
                mapID = Int(section[at + 2] & 0x1F) << 8 | Int(section[at + 3])
                return
            }
            at += 4
        }
    }

    private mutating func takeMap(_ payload: UnsafeRawBufferPointer, _ begins: Bool) {
        guard let section = section(payload, begins, table: 2), section.count >= 12 else { return }
        var at = 12 + (Int(section[10] & 0x0F) << 8 | Int(section[11]))
        while at + 5 <= section.count {
            let identifier = Int(section[at + 1] & 0x1F) << 8 | Int(section[at + 2])
            switch section[at] {
            case 0x03, 0x04: kind = .mpeg
            case 0x0F: kind = .adts
            case 0x11: foreign = "AAC in LATM"
            case 0x81, 0x87: foreign = "AC-3"
            case 0xC1, 0xCF: foreign = "encrypted sound"
            default: break
            }
            if kind != nil {
                soundID = identifier
                return
            }
            at += 5 + (Int(section[at + 3] & 0x0F) << 8 | Int(section[at + 4]))
        }
    }

    private mutating func takeSound(_ payload: UnsafeRawBufferPointer, _ begins: Bool) {
        var rest = payload
        if begins {
            hasBegun = true
            head.removeAll(keepingCapacity: true)
            headLeft = 9
        }
        // Packets before the first beginning are the end of an earlier unit.
        guard hasBegun else { return }
        while headLeft > 0 && !rest.isEmpty {
            let part = min(headLeft, rest.count)
            head += rest.prefix(part)
            headLeft -= part
            rest = UnsafeRawBufferPointer(rebasing: rest[part...])
            if headLeft == 0 && head.count == 9 {
                guard head[0] == 0, head[1] == 0, head[2] == 1 else {
                    hasBegun = false
                    return
                }
                headLeft = Int(head[8])
            }
        }
        if headLeft > 0 { return }
        sound.append(contentsOf: rest)
    }
}
