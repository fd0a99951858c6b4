// SPDX-License-Identifier: Apache-2.0
import Pixels

/// The largest difference of a channel, in levels.
func pixelDifference(_ a: UInt32, _ b: UInt32) -> Int {
    if a == b { return 0 }
    // No loop over a list and nothing generic: this is run for millions of pixels, without an optimiser.
    let red = Int(a >> 16 & 0xFF) - Int(b >> 16 & 0xFF)
    let green = Int(a >> 8 & 0xFF) - Int(b >> 8 & 0xFF)
    let blue = Int(a & 0xFF) - Int(b & 0xFF)
    return Swift.max(red < 0 ? -red : red, green < 0 ? -green : green, blue < 0 ? -blue : blue)
}

/// The same of two pictures of one size: of the pixel that differs most.
func difference(_ a: Surface, _ b: Surface) -> Int {
    var most = 0
    var index = 0
    let count = a.width * a.height
    while index < count {
        if a.pixels[index] != b.pixels[index] {
            let here = pixelDifference(a.pixels[index], b.pixels[index])
            if here > most { most = here }
        }
        index += 1
    }
    return most
}
