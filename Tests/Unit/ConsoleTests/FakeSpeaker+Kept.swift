// SPDX-License-Identifier: Apache-2.0
@testable import Console

extension FakeSpeaker {
    func kept() -> Pages<String> { pages(of: sayings) }

    func takeIn(kept object: String) throws(ConsoleError) -> Bool {
        try act("take in " + object, .sticker)
        return object.hasPrefix("{")
    }
}
