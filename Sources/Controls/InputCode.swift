// SPDX-License-Identifier: Apache-2.0
import Posix

/// A key or an axis of an input device, by the kernel's number (`linux/input-event-codes.h`).
public struct InputCode: Hashable, Sendable {
    public enum Kind: Sendable {
        case key
        /// Something that turns and reports its steps: a wheel, a knob.
        case axis
    }

    public let kind: Kind
    public let number: UInt16

    public init(_ kind: Kind, _ number: UInt16) {
        self.kind = kind
        self.number = number
    }

    /// The keys of remotes, keyboards and gamepads. Others are known by their numbers, which `evtest` shows.
    private static let keys =
        "KEY_ESC=1 KEY_1=2 KEY_2=3 KEY_3=4 KEY_4=5 KEY_5=6 KEY_6=7 KEY_7=8 KEY_8=9 KEY_9=10 KEY_0=11 KEY_MINUS=12 KEY_EQUAL=13 "
        + "KEY_BACKSPACE=14 KEY_TAB=15 KEY_Q=16 KEY_W=17 KEY_E=18 KEY_R=19 KEY_T=20 KEY_Y=21 KEY_U=22 KEY_I=23 KEY_O=24 KEY_P=25 "
        + "KEY_ENTER=28 KEY_LEFTCTRL=29 KEY_A=30 KEY_S=31 KEY_D=32 KEY_F=33 KEY_G=34 KEY_H=35 KEY_J=36 KEY_K=37 KEY_L=38 "
        + "KEY_LEFTSHIFT=42 KEY_Z=44 KEY_X=45 KEY_C=46 KEY_V=47 KEY_B=48 KEY_N=49 KEY_M=50 KEY_COMMA=51 KEY_DOT=52 KEY_SLASH=53 "
        + "KEY_RIGHTSHIFT=54 KEY_KPASTERISK=55 KEY_LEFTALT=56 KEY_SPACE=57 KEY_CAPSLOCK=58 KEY_F1=59 KEY_F2=60 KEY_F3=61 "
        + "KEY_F4=62 KEY_F5=63 KEY_F6=64 KEY_F7=65 KEY_F8=66 KEY_F9=67 KEY_F10=68 KEY_NUMLOCK=69 KEY_KP7=71 KEY_KP8=72 KEY_KP9=73 "
        + "KEY_KPMINUS=74 KEY_KP4=75 KEY_KP5=76 KEY_KP6=77 KEY_KPPLUS=78 KEY_KP1=79 KEY_KP2=80 KEY_KP3=81 KEY_KP0=82 KEY_KPDOT=83 "
        + "KEY_F11=87 KEY_F12=88 KEY_KPENTER=96 KEY_RIGHTCTRL=97 KEY_KPSLASH=98 KEY_RIGHTALT=100 KEY_HOME=102 KEY_UP=103 "
        + "KEY_PAGEUP=104 KEY_LEFT=105 KEY_RIGHT=106 KEY_END=107 KEY_DOWN=108 KEY_PAGEDOWN=109 KEY_INSERT=110 KEY_DELETE=111 "
        + "KEY_MUTE=113 KEY_VOLUMEDOWN=114 KEY_VOLUMEUP=115 KEY_POWER=116 KEY_PAUSE=119 KEY_STOP=128 KEY_MENU=139 KEY_SLEEP=142 "
        + "KEY_WAKEUP=143 KEY_BOOKMARKS=156 KEY_BACK=158 KEY_FORWARD=159 KEY_NEXTSONG=163 KEY_PLAYPAUSE=164 KEY_PREVIOUSSONG=165 "
        + "KEY_STOPCD=166 KEY_RECORD=167 KEY_REWIND=168 KEY_HOMEPAGE=172 KEY_PLAYCD=200 KEY_PAUSECD=201 KEY_PLAY=207 "
        + "KEY_FASTFORWARD=208 KEY_SEARCH=217 KEY_MEDIA=226 BTN_0=256 BTN_1=257 BTN_2=258 BTN_3=259 BTN_LEFT=272 BTN_RIGHT=273 "
        + "BTN_MIDDLE=274 BTN_SOUTH=304 BTN_EAST=305 BTN_NORTH=307 BTN_WEST=308 BTN_TL=310 BTN_TR=311 BTN_SELECT=314 BTN_START=315 "
        + "BTN_MODE=316 KEY_OK=352 KEY_SELECT=353 KEY_GOTO=354 KEY_CLEAR=355 KEY_INFO=358 KEY_FAVORITES=364 KEY_AUDIO=392 "
        + "KEY_RED=398 KEY_GREEN=399 KEY_YELLOW=400 KEY_BLUE=401 KEY_CHANNELUP=402 KEY_CHANNELDOWN=403 KEY_NEXT=407 "
        + "KEY_PREVIOUS=412 KEY_FRAMEBACK=436 KEY_FRAMEFORWARD=437 KEY_NUMERIC_0=512 KEY_NUMERIC_1=513 KEY_NUMERIC_2=514 "
        + "KEY_NUMERIC_3=515 KEY_NUMERIC_4=516 KEY_NUMERIC_5=517 KEY_NUMERIC_6=518 KEY_NUMERIC_7=519 KEY_NUMERIC_8=520 "
        + "KEY_NUMERIC_9=521 KEY_NUMERIC_STAR=522 KEY_NUMERIC_POUND=523"
    private static let axes = "REL_X=0 REL_Y=1 REL_HWHEEL=6 REL_DIAL=7 REL_WHEEL=8 REL_MISC=9"
    private static let lastKey: UInt16 = 0x2FF

    private static func table(_ kind: Kind) -> [(name: String, number: UInt16)] {
        (kind == .key ? keys : axes).parts(between: " ").map { entry in
            let parts = entry.parts(between: "=")
            return (parts[0], UInt16(parts[1])!)
        }
    }

    /// Returns the kernel's names of one kind.
    public static func names(_ kind: Kind) -> [String] { table(kind).map { $0.name } }

    /// Reads `KEY_PLAYPAUSE`, `164` (a key) or `REL_DIAL`; nil for anything else.
    public init?(parsing text: String) {
        if let number = UInt16(text), number > 0, number <= InputCode.lastKey {
            self.init(.key, number)
            return
        }
        for kind in [Kind.key, .axis] {
            if let found = InputCode.table(kind).first(where: { $0.name == text }) {
                self.init(kind, found.number)
                return
            }
        }
        return nil
    }

    /// The kernel's name, such as "KEY_PLAYPAUSE", or the number if it has none here.
    public var name: String {
        InputCode.table(kind).first { $0.number == number }?.name ?? "\(number)"
    }
}
