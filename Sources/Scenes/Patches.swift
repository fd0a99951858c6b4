// SPDX-License-Identifier: Apache-2.0
import Pixels

/// Drawings that lie on top of all else for a while: a pressed button, the focus, a heart, a toast. It keeps the pixels beneath, and brings
/// them back. One thread.
final class Patches {
    private var kept: [(place: PixelRect, beneath: Surface)] = []

    var isEmpty: Bool { kept.isEmpty }

    /// Keeps what stands there before something is laid upon it.
    func keep(_ rect: PixelRect, of surface: Surface) {
        let place = rect.intersection(surface.bounds)
        if !place.isEmpty { kept.append((place, surface.part(place))) }
    }

    /// Takes all away again. Returns where they were.
    func restore(_ surface: Surface) -> [PixelRect] {
        var places: [PixelRect] = []
        for (place, beneath) in kept.reversed() {
            surface.put(beneath, x: place.x, y: place.y)
            places.append(place)
        }
        kept.removeAll()
        return places
    }

    /// The surface was drawn anew: nothing of it needs to come back.
    func forget() { kept.removeAll() }
}
