// SPDX-License-Identifier: Apache-2.0
@testable import Console

extension FakeSpeaker {
    func picture(of uri: String, _ place: PicturePlace) throws(ConsoleError) -> Awaited<PictureDescription?> {
        if case .tags = place { try check(uri) }
        return awaited(.success(pictures[uri]))
    }
}
