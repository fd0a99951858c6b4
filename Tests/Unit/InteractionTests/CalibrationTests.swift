// SPDX-License-Identifier: Apache-2.0
import Interaction
import Pixels
import Testing

@Suite struct WhereAPanelIsTouched {
    /// A touch lands on the pixel that the panel shows there, however it is turned.
    @Test(arguments: PanelRotation.allCases) func turned(rotation: PanelRotation) {
        let transfer = PanelTransfer(panelWidth: 80, panelHeight: 50, rotation: rotation, layout: .xrgb8888)
        for (x, y) in [(0, 0), (79, 49), (10, 40), (79, 0), (33, 7)] {
            let pixel = Calibration.none.pixel(
                (Float(x) + 0.5) / 80, (Float(y) + 0.5) / 50, rotation, width: transfer.width, height: transfer.height)
            let there = transfer.onPanel(PixelRect(x: pixel.x, y: pixel.y, width: 1, height: 1))
            #expect((there.x, there.y) == (x, y))
        }
    }

    @Test func aMatrix() {
        // Its axes are exchanged, and one of them runs the other way.
        let swapped = Calibration(0, 1, 0, -1, 0, 1)
        #expect(swapped.pixel(0.25, 0.75, .none, width: 100, height: 100) == (75, 75))
        let beyond = Calibration(2, 0, 0, 0, 2, -1)
        #expect(beyond.pixel(0.9, 0.1, .none, width: 100, height: 40) == (99, 0))
    }
}
