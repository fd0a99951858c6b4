/// XXH64 (https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md): 64 bits that tell contents apart, not a
/// defence against someone who wants two files to look the same.
func xxHash64(_ bytes: [UInt8], seed: UInt64 = 0) -> UInt64 {
    let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    func rotate(_ value: UInt64, _ bits: UInt64) -> UInt64 { value << bits | value >> (64 - bits) }
    func round(_ accumulator: UInt64, _ input: UInt64) -> UInt64 {
        rotate(accumulator &+ input &* prime2, 31) &* prime1
    }
    func little(_ at: Int, _ count: Int) -> UInt64 {
        var value: UInt64 = 0
        for i in 0..<count { value |= UInt64(bytes[at + i]) << UInt64(8 * i) }
        return value
    }

    var at = 0
    var hash: UInt64
    if bytes.count >= 32 {
        var lanes: InlineArray<4, UInt64> = [
            seed &+ prime1 &+ prime2, seed &+ prime2, seed, seed &- prime1,
        ]
        while at + 32 <= bytes.count {
            for lane in 0..<4 { lanes[lane] = round(lanes[lane], little(at + 8 * lane, 8)) }
            at += 32
        }
        hash = rotate(lanes[0], 1) &+ rotate(lanes[1], 7) &+ rotate(lanes[2], 12) &+ rotate(lanes[3], 18)
        for lane in 0..<4 { hash = (hash ^ round(0, lanes[lane])) &* prime1 &+ prime4 }
    } else {
        hash = seed &+ prime5
    }
    hash = hash &+ UInt64(bytes.count)
    while at + 8 <= bytes.count {
        hash = rotate(hash ^ round(0, little(at, 8)), 27) &* prime1 &+ prime4
        at += 8
    }
    if at + 4 <= bytes.count {
        hash = rotate(hash ^ little(at, 4) &* prime1, 23) &* prime2 &+ prime3
        at += 4
    }
    while at < bytes.count {
        hash = rotate(hash ^ UInt64(bytes[at]) &* prime5, 11) &* prime1
        at += 1
    }
    hash = (hash ^ hash >> 33) &* prime2
    hash = (hash ^ hash >> 29) &* prime3
    return hash ^ hash >> 32
}
