// SPDX-License-Identifier: Apache-2.0
/// Sorts cues by their starts; equal ones keep their order. A bottom-up merge sort, one pass a step, so that no caller waits long. Most
/// files are sorted already and need one pass.
struct CueSort {
    private var isOrdered: Bool?
    private var width = 1
    private var spare: [Cue] = []

    /// Does one pass over all cues. Returns false once they are sorted.
    mutating func step(_ cues: inout [Cue]) -> Bool {
        if isOrdered == nil {
            isOrdered = true
            for index in cues.indices.dropFirst() where cues[index].start < cues[index - 1].start {
                isOrdered = false
                break
            }
            if isOrdered == true { return false }
            spare = cues
        }
        if width >= cues.count {
            spare = []
            return false
        }
        var from = 0
        while from < cues.count {
            let middle = min(from + width, cues.count)
            let end = min(middle + width, cues.count)
            var left = from
            var right = middle
            for to in from..<end {
                let takesRight = right < end && (left == middle || cues[right].start < cues[left].start)
                spare[to] = cues[takesRight ? right : left]
                if takesRight { right += 1 } else { left += 1 }
            }
            from = end
        }
        swap(&cues, &spare)
        width *= 2
        return true
    }
}
