import Core

@testable import Console

extension FakeSpeaker {
    func setSpeed(_ speed: Speed, forBook: Bool) throws(ConsoleError) {
        try act("speed \(speed.text)\(forBook ? " book" : "")", .player)
        if forBook || bookSpeed != nil { bookSpeed = speed } else { speakerSpeed = speed }
    }

    func set(_ sound: SoundChanges) {
        self.sound = sound
        actions.append("silence \(sound.shortensSilences), level \(sound.level)")
    }

    func forgetBookSpeed() throws(ConsoleError) {
        try act("speed off", .player)
        bookSpeed = nil
    }
}
