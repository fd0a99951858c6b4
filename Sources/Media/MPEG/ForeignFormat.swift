/// Formats that are not MPEG audio and say so in their first bytes. A tone in a WAV file can look like a row of frames; a file that
/// names itself is not even looked into.
enum ForeignFormat {
    static func isCertain(_ head: [UInt8]) -> Bool {
        if head.has("RIFF", at: 0) {
            // A WAV file may hold MPEG audio, and says so: formats 0x50 (layers I and II) and 0x55 (layer III).
            guard head.has("WAVEfmt ", at: 8), head.count > 21 else { return true }
            return head[21] != 0 || (head[20] != 0x50 && head[20] != 0x55)
        }
        return head.has("FORM", at: 0) || head.has("\u{7F}ELF", at: 0) || head.has("fLaC", at: 0)
            || head.has("OggS", at: 0) || head.has("ftyp", at: 4) || head.has("PK\u{3}\u{4}", at: 0)
            || head.has("caff", at: 0) || head.has(".snd", at: 0)
    }
}
