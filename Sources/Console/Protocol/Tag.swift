import Core
import Posix

extension Tag {
    /// By MPD's name in any case.
    init?(name: String) {
        let wanted = name.lowerCase
        guard let tag = Tag.allCases.first(where: { $0.name.lowerCase == wanted }) else { return nil }
        self = tag
    }
}
