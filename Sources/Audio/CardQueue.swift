// SPDX-License-Identifier: Apache-2.0
/// The numbers of the frames: decoded, written to the card, heard. Numbers only, no card.
///
/// Numbering starts when an output is attached. `cursor` is the next frame for the card, `head` the next to decode; frames before the
/// cursor that are not heard yet can be taken back and written again. Silence behind a pause takes up the card's time but no number: it
/// lies before the frame `padFrame`.
struct CardQueue: BitwiseCopyable {
    private(set) var head: Int64 = 0
    private(set) var cursor: Int64 = 0
    /// No frame before this can still be waiting at the card.
    private(set) var floorFrame: Int64 = 0
    /// Frames of silence at the card, and the first frame behind them.
    private(set) var padFrames: Int64 = 0
    private(set) var padFrame: Int64 = 0
    /// Frames written to the card since it was prepared, silence included, minus the rewound ones.
    private(set) var given: Int64 = 0
    /// The same since the output was attached, across resets of the card: a clock that goes on in silence too.
    private(set) var time: Int64 = 0

    @_noLocks @_noAllocation
    init() {}

    /// Decoded and not at the card.
    var ready: Int64 { @_noLocks @_noAllocation get { head - cursor } }

    /// The card was prepared or lost its queue: nothing is queued.
    @_noLocks @_noAllocation
    mutating func begin() {
        floorFrame = cursor
        padFrame = cursor
        padFrames = 0
        given = 0
    }

    @_noLocks @_noAllocation
    mutating func didDecode(_ frames: Int64) { head += frames }

    /// Decoded frames that are not at the card will not be played.
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
        // Of an earlier silence only the part remains that the card is about to fetch; no rewind reaches it.
        padFrames = (padFrame == cursor ? padFrames : 0) + frames
        padFrame = cursor
        given += frames
        time += frames
    }

    /// The card gave back its latest `frames`: audio, the silence before it, the audio before that.
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

    /// The card forgot all that it had, `unheard` frames with the silence among them: the next write starts at `frame`, or at `oldest` if
    /// that is later.
    @_noLocks @_noAllocation
    mutating func goBack(to frame: Int64, oldest: Int64, unheard: Int64 = 0) {
        time -= unheard
        cursor = max(min(cursor, frame), oldest)
        begin()
    }

    /// The audible frame if `delay` frames lie between the next write and the ear.
    @_noLocks @_noAllocation
    func heardFrame(delay: Int64) -> Int64 {
        let frame = cursor - delay
        return max(floorFrame, frame >= padFrame ? frame : min(padFrame, frame + padFrames))
    }

    /// The number of frames that the card plays before `frame` becomes audible; below 0 once it was. Not told by `heardFrame`, which stands
    /// while the first frame is on its way through the card.
    @_noLocks @_noAllocation
    func framesUntil(_ frame: Int64, delay: Int64) -> Int64 {
        frame - cursor - (frame < padFrame ? padFrames : 0) + delay
    }
}
