// SPDX-License-Identifier: Apache-2.0
import FuzzWork
import TestSupport
import Testing

/// Files with every possible number in their fields. For any of them, every use of the file ends, costs what its bytes allow, and does not
/// trap.
@Suite struct FieldFuzzTests {
    private static let cases = 150
    /// Decoders of libraries hold some megabytes; libFLAC makes room for as many places to go to as the length of their block says.
    private static var bound: CostBound {
        CostBound(fixedMilliseconds: 3000, nanosecondsPerByte: 20_000, fixedBytes: 32 << 20, bytesPerByte: 16)
    }

    private func fuzz(_ name: String, _ file: FieldFile, as kind: FuzzKind = .media) {
        let bound =
            switch kind {
            case .media: FieldFuzzTests.bound
            // A size that an archive claims is not allocated.
            case .archive: CostBound(fixedBytes: 1 << 20)
            default: CostBound()
            }
        file.fuzz(name, kind: kind.name, cases: FieldFuzzTests.cases) { bytes, comment in
            expectCost(bound, inputBytes: bytes.count, comment) {
                FuzzWork.run(kind, bytes) { Issue.record("\($0): \(comment)") }
            }
        }
    }

    // MARK: Formats

    private static let comments = SoundFiles.comments([
        "TITLE=One", "TRACKNUMBER=3", "CHAPTER001=00:00:01.5", "CHAPTER001NAME=x", "REPLAYGAIN_TRACK_GAIN=-6.5 dB",
    ])

    @Test func opusAsItIsWritten() {
        fuzz("opus", FieldFiles.ogg(SoundFiles.opus(FieldFuzzTests.comments, seconds: 3)))
    }

    private static let wave = Encoder.wave(seconds: 0.7, rate: 44_100, channels: 2)

    /// Behind an encoder's options, its input and its output are `$0` and `$1`.
    private static func made(_ script: String) -> [UInt8]? { try? Encoder.encode("sh", ["-c", script], wave) }

    @Test(arguments: [
        ("opusenc", "opusenc --quiet --bitrate 32 \"$0\" \"$1\""),
        ("oggenc", "oggenc -Q -q 1 -o \"$1\" \"$0\""),
        ("oggflac", "flac --ogg -s -o \"$1\" \"$0\""),
    ]) func oggOfEncoders(name: String, script: String) {
        guard let bytes = FieldFuzzTests.made(script) else { return }
        fuzz(name, FieldFiles.ogg(bytes))
    }

    @Test func flac() {
        guard let bytes = FieldFuzzTests.made("flac -s -T TITLE=x -T CHAPTER001=00:00:01 -o \"$1\" \"$0\"") else {
            return
        }
        fuzz("flac", FieldFiles.flac(bytes))
    }

    @Test func flacAsItIsWritten() {
        let file = SoundFiles.flac(
            [
                (0, SoundFiles.streamInfo()), (6, SoundFiles.picture([UInt8](repeating: 7, count: 300))),
                (4, FieldFuzzTests.comments),
            ], audio: [UInt8](repeating: 0, count: 4000))
        fuzz("flac-blocks", FieldFiles.flac(file))
    }

    private static func mp4Writer() -> MP4Writer {
        var writer = MP4Writer()
        writer.sizes = (0..<60).map { 1 + $0 % 15 }
        writer.edits = [(1024, 1200)]
        writer.items = [
            MP4Writer.item("©nam", "x"), MP4Writer.own("iTunSMPB", " 0 840 122 D000"),
            MP4Writer.box("covr", MP4Writer.data(13, [0xFF, 0xD8, 0xFF, 4, 5])),
            MP4Writer.box("trkn", MP4Writer.data(0, [0, 0, 0, 3, 0, 9, 0, 0])),
        ]
        writer.listed = [(0, "a"), (5_000_000, "b")]
        writer.texts = [(0, MP4Writer.title("a")), (500, MP4Writer.title("b"))]
        return writer
    }

    @Test(arguments: [false, true]) func mp4(isWide: Bool) {
        var writer = FieldFuzzTests.mp4Writer()
        writer.hasWideOffsets = isWide
        if isWide { writer.sizes = [Int](repeating: 9, count: 60) }
        fuzz("mp4-\(isWide)", FieldFiles.mp4(writer.file().bytes))
    }

    @Test(arguments: [false, true]) func mp4InFragments(isOfOneSize: Bool) {
        var writer = FieldFuzzTests.mp4Writer()
        writer.texts = []
        writer.sizes = [Int](repeating: 9, count: 60)
        var wanted = Fragments()
        wanted.isFromFile = !isOfOneSize
        wanted.hasDurations = !isOfOneSize
        if isOfOneSize { wanted.unitBytes = 9 }
        fuzz("fragments-\(isOfOneSize)", FieldFiles.mp4(writer.fragmented(wanted).bytes))
    }

    @Test(.enabled(if: Encoder.hasFFmpeg)) func mp4OfAnEncoder() throws {
        fuzz("m4a", FieldFiles.mp4(try Encoder.aac("m4a", FieldFuzzTests.wave)))
    }

    @Test(.enabled(if: Encoder.hasFFmpeg)) func adts() throws {
        fuzz("adts", FieldFiles.adts(try Encoder.aac("aac", FieldFuzzTests.wave)))
    }

    /// A damaged directory leads anywhere; ZIP64 is told from its records.
    @Test(arguments: [false, true]) func archives(isWide: Bool) {
        let package = """
            <package><metadata/><manifest><item id="t" href="t.xhtml" media-type="application/xhtml+xml" media-overlay="s"/>
            <item id="s" href="s.smil" media-type="application/smil+xml"/></manifest><spine><itemref idref="t"/></spine></package>
            """
        let smil = "<smil><body><par><text src=\"t.xhtml#a\"/><audio src=\"1.mp3\" clipEnd=\"7s\"/></par></body></smil>"
        var writer = ZIPWriter(files: [
            .init(name: "META-INF/container.xml", bytes: Array("<a full-path=\"b/c.opf\"/>".utf8), isDeflated: true),
            .init(name: "b/c.opf", bytes: Array(package.utf8), isDeflated: true),
            .init(name: "b/s.smil", bytes: Array(smil.utf8)),
            .init(name: "b/1.mp3", bytes: [UInt8](repeating: 7, count: 300)),
            .init(name: "b/2.mp3", bytes: [UInt8](repeating: 7, count: 3000), isDeflated: true),
        ])
        if isWide { writer.comment = [0x50, 0x4B, 5, 6] + [UInt8](repeating: 0xFF, count: 18) }
        fuzz("archive-\(isWide)", FieldFiles.zip(writer.bytes), as: .archive)
    }

    @Test func mpegAndItsTags() { fuzz("mpeg", FieldFiles.mpeg()) }

    @Test func samples() {
        let data = [UInt8](repeating: 5, count: 6000)
        let info = Array("INFO".utf8) + SoundFiles.chunk("INAM", Array("Name\0".utf8))
        let list = SoundFiles.chunk("LIST", info)
        let wide = SoundFiles.chunk(
            "ds64", SoundFiles.little(0, 8) + SoundFiles.little(6000, 8) + SoundFiles.little(0, 12))
        fuzz(
            "wave",
            FieldFiles.chunks(SoundFiles.wave(data, channels: 2, after: list), heads: ["fmt ", "data", "LIST", "INAM"]))
        fuzz(
            "rf64",
            FieldFiles.chunks(
                SoundFiles.wave(data, riff: "RF64", before: wide, dataSaid: 0xFFFF_FFFF),
                heads: ["ds64", "fmt ", "data"]))
        let name = SoundFiles.chunk("NAME", Array("Name".utf8), isBig: true)
        fuzz(
            "aiff",
            FieldFiles.chunks(
                SoundFiles.aiff(data, compression: "sowt", after: name), heads: ["COMM", "SSND", "NAME"]))
    }

    // MARK: Texts

    @Test func lists() {
        let json = "{\"chapters\": [{\"startTime\": 1.5, \"title\": \"a\"}, {\"startTime\": \"20\", \"title\": \"b\"}]}"
        let texts: [(FuzzKind, String)] = [
            (
                .cue,
                "FILE \"a.wav\" WAVE\nTRACK 01 AUDIO\nTITLE \"x\"\nINDEX 01 00:12:74\nTRACK 02 AUDIO\nINDEX 01 99:59:00\n"
            ),
            (.chapters, json), (.times, "01:02:03.456"), (.trackGain, "6.54 dB"), (.opusGain, "1024"),
            (.soundCheck, "000003E8 000003E8"),
        ]
        for (kind, text) in texts { fuzz(kind.name, FieldFile(text: text), as: kind) }
    }
}
