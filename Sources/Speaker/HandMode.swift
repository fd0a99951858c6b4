// SPDX-License-Identifier: Apache-2.0
import Core
import Display
import Model
import Posix
import Text

/// The effect of the speaker's own buttons and knobs.
enum HandMode {
    case act
    /// A press says its command, for a listener who learns the buttons by ear.
    case describe
    /// A press says that the buttons are locked.
    case locked
}

extension Speaker {
    /// Takes the command of a button or a knob. It acts, unless the buttons are locked or describe themselves. A ringing alarm takes every
    /// press.
    /// - Parameter asked: the time of the press.
    public func press(_ command: Command, asked: MonotonicTime) {
        if buttonsAct || alarms.isRinging || command == .switchVoice { return perform(command, asked: asked) }
        switch (audience.hands, command) {
        case (.locked, .lock), (.describe, .describe), (.describe, .lock): return perform(command, asked: asked)
        default: break
        }
        audience.didPress()
        if audience.hands == .locked {
            tell(.locked, translated("The buttons are locked: hold back and forward for four seconds"))
        } else {
            tell(.hint(command.description), command.description)
        }
    }

    /// True unless the buttons are locked or describe themselves.
    public var buttonsAct: Bool { audience.hands == .act }

    func change(hands mode: HandMode) {
        audience.hands = mode
        switch mode {
        case .act: tell(.unlocked, translated("The buttons act again"))
        case .describe:
            tell(.describing, translated("Each button says what it does, until back and forward are held again"))
        case .locked: tell(.locked, translated("The buttons are locked"))
        }
    }

    /// Shows a notice, and says a sentence.
    private func tell(_ notice: Notice, _ words: String) {
        audience.announce(notice)
        audience.answers?.tell(SpokenWords.sentences([words]))
    }
}

extension Command {
    /// The effect in words for the listener.
    fileprivate var description: String {
        switch self {
        case .none, .interrupt, .alarm: translated("does nothing now")
        case .playPause: translated("plays or pauses")
        case .play, .playItem, .playEntry: translated("plays")
        case .pause: translated("pauses")
        case .stop: translated("stops")
        case .toggleFavourite: translated("adds to Favorites, or removes")
        case .toggleBookmark: translated("keeps the sentence, or forgets it")
        case .next: translated("goes to the next chapter or title")
        case .previous: translated("goes to the previous chapter or title")
        case .skip(let milliseconds):
            milliseconds < 0
                ? translated("goes back %1 seconds", "\(-milliseconds / 1000)")
                : translated("goes forward %1 seconds", "\(milliseconds / 1000)")
        case .seek: translated("goes to a place")
        case .volume(let step): step < 0 ? translated("makes it quieter") : translated("makes it louder")
        case .setVolume: translated("sets the volume")
        case .speed(let step): step < 0 ? translated("makes it slower") : translated("makes it faster")
        case .sentence(.next): translated("goes to the next sentence")
        case .sentence(.previous): translated("goes to the previous sentence")
        case .sentence(.again): translated("says the sentence again")
        case .loop: translated("repeats a stretch")
        case .sleep, .sleepStep: translated("sets the sleep timer")
        case .say: translated("says what plays, and the time")
        case .switchVoice: translated("switches the voice")
        case .describe: translated("describes the buttons")
        case .lock: translated("locks the buttons")
        case .menu: translated("opens the menu, or moves in it")
        case .screen: translated("changes the panel")
        }
    }
}
