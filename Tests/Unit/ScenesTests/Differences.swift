import Pixels

/// The largest difference of a channel, in levels.
func pixelDifference(_ a: UInt32, _ b: UInt32) -> Int {
    var most = 0
    for shift in [UInt32(0), 8, 16] { most = max(most, abs(Int(a >> shift & 0xFF) - Int(b >> shift & 0xFF))) }
    return most
}

/// The same of two pictures of one size: of the pixel that differs most.
func difference(_ a: Surface, _ b: Surface) -> Int {
    var most = 0
    for index in 0..<a.width * a.height { most = max(most, pixelDifference(a.pixels[index], b.pixels[index])) }
    return most
}
