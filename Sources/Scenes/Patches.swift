// SPDX-License-Identifier: Apache-2.0
import Pixels

/// Temporary drawings on top of everything: a pressed button, the focus, a heart, a toast. It keeps the pixels beneath and restores them.
/// One thread.
final class Patches {
    private var kept: [(place: PixelRect, beneath: Surface)] = []

    var isEmpty: Bool { kept.isEmpty }

    /// Keeps the pixels of a place before something is drawn over them.
    func keep(_ rect: PixelRect, of surface: Surface) {
        let place = rect.intersection(surface.bounds)
        if !place.isEmpty { kept.append((place, surface.part(place))) }
    }

    /// Restores all kept pixels. Returns their places.
    func restore(_ surface: Surface) -> [PixelRect] {
        var places: [PixelRect] = []
        for (place, beneath) in kept.reversed() {
            surface.put(beneath, x: place.x, y: place.y)
            places.append(place)
        }
        kept.removeAll()
        return places
    }

    /// Forgets the kept pixels, because the surface was drawn anew.
    func forget() { kept.removeAll() }
}
