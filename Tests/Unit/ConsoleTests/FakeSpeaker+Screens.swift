// SPDX-License-Identifier: Apache-2.0
import Core

@testable import Console

extension FakeSpeaker {
    func screenCame() { actions.append("screen came") }
    func screenWent() { actions.append("screen went") }

    func screenTree() throws(ConsoleError) -> Awaited<[ElementDescription]> {
        if let failure { throw failure }
        let tree = Awaited<[ElementDescription]>()
        askedTrees.append(tree)
        onChange(.screen)
        return tree
    }

    func screenTells(_ elements: [ElementDescription]) {
        for tree in askedTrees { tree.settle(.success(elements)) }
        askedTrees = []
    }

    func screenFocuses(_ element: ElementDescription) {
        actions.append("focus \(element.label), \(element.value), \(element.hint), \(element.state)")
    }

    func feel(_ haptic: Haptic) throws(ConsoleError) {
        if let failure { throw failure }
        actions.append("feel " + haptic.name)
    }
}
