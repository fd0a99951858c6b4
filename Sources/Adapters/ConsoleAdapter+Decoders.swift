import Console
import Media

extension ConsoleAdapter {
    public var decoders: [DecoderDescription] {
        let mpeg = DecoderDescription(
            name: "mpg123", suffixes: MediaFormats.mpegSuffixes, mimeTypes: ["audio/mpeg"])
        return [mpeg]
            + MediaFormats.all.map {
                DecoderDescription(name: $0.decoderName, suffixes: $0.suffixes, mimeTypes: $0.mimeTypes)
            }
    }
}
