import Posix

extension Player {
    /// Plays the track at another speed, in thousandths, on from where the ear is; what follows it comes at its own.
    public func setSpeed(_ speed: Int, asked: MonotonicTime? = nil) {
        guard var changed = track else { return }
        if changed.speed == speed { return followingDidChange() }
        changed.speed = speed
        if let jump { return setWish(changed, jump.milliseconds, asked: asked) }
        if heard.isParked { return heard.update { $0.speed = speed } }
        setWish(changed, positionMilliseconds, asked: asked, goesOn: true)
    }
}
