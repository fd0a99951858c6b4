// SPDX-License-Identifier: Apache-2.0
/// The numbers of the decoded, the written and the audible frame, without the card itself.
///
// Numbering starts when an output is attached. `cursor` is the next frame for the card, `head` the next to decode; a rewind takes back
// unheard frames before the cursor, to write them again. Silence after a pause takes card time but no numbers; it lies before the frame
// `padFrame`.
struct CardQueue: BitwiseCopyable {
    private(set) var head: Int64 = 0
    private(set) var cursor: Int64 = 0
    /// The earliest frame that may still be queued at the card.
    private(set) var floorFrame: Int64 = 0
    /// The number of silent frames at the card, and the first frame after them.
    private(set) var padFrames: Int64 = 0
    private(set) var padFrame: Int64 = 0
    /// The frames written since the card's preparation, with silence, minus the rewound ones.
    private(set) var given: Int64 = 0
    /// The same count since the attachment of the output, across resets of the card: a clock that also runs in silence.
    private(set) var time: Int64 = 0

    @_noLocks @_noAllocation
    init() {}

    /// The number of decoded frames that are not at the card.
    var ready: Int64 { @_noLocks @_noAllocation get { head - cursor } }

    /// Handles an empty card, which was prepared or lost its queue.
    @_noLocks @_noAllocation
    mutating func begin() {
        floorFrame = cursor
        padFrame = cursor
        padFrames = 0
        given = 0
    }

    @_noLocks @_noAllocation
    mutating func didDecode(_ frames: Int64) { head += frames }

    /// Drops decoded frames that are not at the card.
    @_noLocks @_noAllocation
    mutating func dropReady() { head = cursor }

    @_noLocks @_noAllocation
    mutating func didWrite(_ frames: Int64) {
        cursor += frames
        given += frames
        time += frames
    }

    @_noLocks @_noAllocation
    mutating func didWriteSilence(_ frames: Int64) {
        // Of an earlier silence only the part remains that the card is about to play; no rewind reaches it.
        padFrames = (padFrame == cursor ? padFrames : 0) + frames
        padFrame = cursor
        given += frames
        time += frames
    }

    /// Takes back the card's latest `frames`: audio, the silence before it, the audio before that.
    @_noLocks @_noAllocation
    mutating func takeBack(_ frames: Int64) {
        given -= frames
        time -= frames
        let behind = min(frames, cursor - padFrame)
        let silence = min(frames - behind, padFrames)
        padFrames -= silence
        cursor = max(floorFrame, cursor - (frames - silence))
        padFrame = min(padFrame, cursor)
    }

    /// Handles a card that dropped its whole queue of `unheard` frames, including silence. The next write starts at `frame`, or at `oldest`
    /// if that is later.
    @_noLocks @_noAllocation
    mutating func goBack(to frame: Int64, oldest: Int64, unheard: Int64 = 0) {
        time -= unheard
        cursor = max(min(cursor, frame), oldest)
        begin()
    }

    /// Returns the audible frame if `delay` frames lie between the next write and the listener.
    @_noLocks @_noAllocation
    func heardFrame(delay: Int64) -> Int64 {
        let frame = cursor - delay
        return max(floorFrame, frame >= padFrame ? frame : min(padFrame, frame + padFrames))
    }

    /// Returns the number of frames until `frame` becomes audible; negative once it was. `heardFrame` cannot tell this, since it stands
    /// still while the first frame passes through the card.
    @_noLocks @_noAllocation
    func framesUntil(_ frame: Int64, delay: Int64) -> Int64 {
        frame - cursor - (frame < padFrame ? padFrames : 0) + delay
    }
}
