// SPDX-License-Identifier: Apache-2.0
/// Other formats that identify themselves in their first bytes. Such a file is not searched for MPEG audio, since a tone in a WAV file can
/// resemble a row of frames.
enum ForeignFormat {
    static var suffixes: [String] {
        [
            "wma", "webm", "mka", "aax", "aa", "spx", "caf", "au", "snd", "wv", "ape", "mpc", "mpp", "mp+", "tta",
            "dsf", "dff",
            "ra", "amr", "mid", "midi",
        ]
    }

    /// Returns the name of an unplayable audio format; nil if it does not identify itself.
    static func name(_ head: [UInt8]) -> String? {
        if head.starts(with: [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]) { return "Windows Media audio" }
        if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return "a Matroska or WebM file" }
        if head.dropFirst(4).starts(with: [0x57, 0x90, 0x75, 0x36]) {
            return "an Audible book (AA), which is encrypted"
        }
        if head.has("MAC ", at: 0) { return "Monkey's Audio" }
        if head.has("wvpk", at: 0) { return "WavPack" }
        if head.has("MPCK", at: 0) || head.has("MP+", at: 0) { return "Musepack" }
        if head.has("TTA1", at: 0) { return "True Audio" }
        if head.has("DSD ", at: 0) || head.has("FRM8", at: 0) { return "DSD" }
        if head.has("caff", at: 0) { return "a Core Audio file" }
        if head.has(".snd", at: 0) { return "a Sun audio file" }
        if head.has(".RMF", at: 0) || head.has(".ra", at: 0) { return "RealAudio" }
        if head.has("#!AMR", at: 0) { return "AMR" }
        if head.has("MThd", at: 0) { return "a MIDI file" }
        if head.has("OggS", at: 0) { return "an Ogg file with a codec that is not known here" }
        return nil
    }

    static func isCertain(_ head: [UInt8]) -> Bool {
        if head.has("RIFF", at: 0) {
            // A WAV file may contain MPEG audio, marked by the formats 0x50 (layers I and II) and 0x55 (layer III).
            guard head.has("WAVEfmt ", at: 8), head.count > 21 else { return true }
            return head[21] != 0 || (head[20] != 0x50 && head[20] != 0x55)
        }
        return head.has("FORM", at: 0) || head.has("\u{7F}ELF", at: 0) || head.has("fLaC", at: 0)
            || head.has("OggS", at: 0) || head.has("ftyp", at: 4) || head.has("PK\u{3}\u{4}", at: 0)
            || head.has("caff", at: 0) || head.has(".snd", at: 0)
    }
}
