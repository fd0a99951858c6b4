// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Posix
import Testing

@testable import Scenes

/// Every screen on every panel, in every theme, with every size of words and in every script: nothing is cut, nothing lies on something else, and
/// what is to be touched is as large as a fingertip. A sample that has every pair of these in it; all of them, which takes some minutes, with
/// NIGHTSTAND_SWEEP=all in the environment.
@Suite(.serialized) struct Sweep {
    /// A panel that says how large it is.
    struct Panel {
        let width: Int
        let height: Int
        let millimetres: (wide: Int, high: Int)

        /// The least size of a finger's target, in pixels.
        ///
        /// Seven millimetres. The two smallest panels have no room for that. A panel of 23 mm has the width of three such targets, and a
        /// player's three rows leave two millimetres of its height. On one of 31 mm, four rows leave three millimetres for a title and a
        /// sentence. There the design's smallest size counts: five millimetres, and three and a half on the smallest panel.
        var target: Int {
            let fingertip = Int((7 * Float(width) / Float(millimetres.wide)).rounded())
            return min(fingertip, max(37, min(width, height) * 44 / 300))
        }
    }

    static let panels = [
        Panel(width: 240, height: 240, millimetres: (23, 23)), Panel(width: 320, height: 240, millimetres: (41, 31)),
        Panel(width: 480, height: 320, millimetres: (73, 49)), Panel(width: 480, height: 800, millimetres: (65, 108)),
        Panel(width: 800, height: 480, millimetres: (95, 54)), Panel(width: 600, height: 1024, millimetres: (86, 154)),
        Panel(width: 1024, height: 600, millimetres: (154, 86)),
        Panel(width: 1280, height: 800, millimetres: (217, 136)),
        Panel(width: 800, height: 480, millimetres: (154, 86)),
    ]
    static let themes = [Theme.light, .dark, .night]
    static let textSizes: [Float] = [1, 1.3, 2]
    static let scripts = [
        "The Wind in the Willows and Other Very Long Stories for Children",
        "Ο άνεμος στις ιτιές και άλλες πολύ μεγάλες ιστορίες για παιδιά",
        "Ветер в ивах и другие очень длинные рассказы для детей младшего возраста",
        "הרוח בערבי הנחל וסיפורים ארוכים אחרים לילדים בכל הגילים",
        "الأمير الصغير والثعلب والوردة وحكايات أخرى طويلة جدا للأطفال",
        "हवा और विलो के पेड़ तथा बच्चों के लिए अन्य बहुत लंबी कहानियाँ", "红楼梦：第一回 甄士隐梦幻识通灵，贾雨村风尘怀闺秀",
        "สายลมในพงหลิวและเรื่องยาวอื่นๆสำหรับเด็กทุกวัยเล่มที่สอง",
    ]

    /// One of all combinations: panel, theme, text size and script.
    struct Choice: Hashable {
        var panel: Int
        var theme: Int
        var textSize: Int
        var script: Int

        var numbers: [Int] { [panel, theme, textSize, script] }
    }

    static var isWhole: Bool { environmentVariable("NIGHTSTAND_SWEEP") == "all" }

    static func choices(_ screen: Int, all: Bool) -> [Choice] {
        if !all {
            return panels.indices.map {
                Choice(
                    panel: $0, theme: (screen + $0 / 3) % 3, textSize: ($0 + screen / 8) % 3, script: (screen + $0) % 8)
            }
        }
        var choices: [Choice] = []
        for panel in panels.indices {
            for theme in themes.indices {
                for textSize in textSizes.indices {
                    for script in scripts.indices {
                        choices.append(Choice(panel: panel, theme: theme, textSize: textSize, script: script))
                    }
                }
            }
        }
        return choices
    }

    @Test func everyPairIsInTheSample() {
        var pairs: Set<[Int]> = []
        for screen in Gallery.names.indices {
            for choice in Sweep.choices(screen, all: false) {
                let numbers = [screen] + choice.numbers
                for first in numbers.indices {
                    for second in first + 1..<numbers.count {
                        pairs.insert([first, numbers[first], second, numbers[second]])
                    }
                }
            }
        }
        let counts = [
            Gallery.names.count, Sweep.panels.count, Sweep.themes.count, Sweep.textSizes.count, Sweep.scripts.count,
        ]
        var wanted = 0
        for first in counts.indices {
            for second in first + 1..<counts.count { wanted += counts[first] * counts[second] }
        }
        #expect(pairs.count == wanted)
    }

    @Test(arguments: Gallery.names) func nothingIsWrong(name: String) throws {
        let screen = try #require(Gallery.names.firstIndex(of: name))
        var stages: [[Int]: Stage] = [:]
        for choice in Sweep.choices(screen, all: Sweep.isWhole) {
            let panel = Sweep.panels[choice.panel]
            let textSize = Sweep.textSizes[choice.textSize]
            let key = [choice.panel, choice.textSize]
            let stage = try stages[key] ?? Sweep.stage(panel, textSize)
            stages[key] = stage
            stage.theme = Sweep.themes[choice.theme]
            stage.drawnTexts = []
            let gallery = Screens.gallery(stage, Sweep.scripts[choice.script])
            _ = gallery.draw(name)
            let texts = stage.drawnTexts ?? []
            #expect(!texts.isEmpty)
            let faults =
                ScreenFaults.of(texts, on: stage)
                + ScreenFaults.of(targets: gallery.elements, on: stage, least: panel.target)
            for fault in faults {
                Issue.record(
                    """
                    \(name) at \(panel.width)x\(panel.height) of \(panel.millimetres.wide) mm, theme \(choice.theme), text \
                    \(textSize), script \(choice.script): \(fault)
                    """)
            }
        }
    }

    private static func stage(_ panel: Panel, _ textSize: Float) throws -> Stage {
        let scale = PanelScale(
            width: panel.width, height: panel.height, millimetres: panel.millimetres.wide, textSize: textSize)
        return try Stage(width: panel.width, height: panel.height, scale: scale, theme: .light)
    }
}
