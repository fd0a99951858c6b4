// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Controls

@Suite struct InputCodeTests {
    @Test func namesAndNumbers() {
        #expect(InputCode(parsing: "KEY_PLAYPAUSE") == InputCode(.key, 164))
        #expect(InputCode(parsing: "164")?.name == "KEY_PLAYPAUSE")
        #expect(InputCode(parsing: "REL_DIAL") == InputCode(.axis, 7))
        #expect(InputCode(parsing: "700")?.name == "700")
        for text in ["", "0", "768", "-1", "KEY_", "play", "key_playpause", "REL_", "164 "] {
            #expect(InputCode(parsing: text) == nil, "\(text)")
        }
    }

    @Test func everyNameIsOne() {
        for kind in [InputCode.Kind.key, .axis] {
            let names = InputCode.names(kind)
            #expect(Set(names).count == names.count)
            for name in names {
                #expect(InputCode(parsing: name)?.name == name && InputCode(parsing: name)?.kind == kind)
            }
        }
    }
}
