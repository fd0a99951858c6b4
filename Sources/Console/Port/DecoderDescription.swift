/// One of those that decode, as MPD's `decoders` tells of it.
public struct DecoderDescription {
    public var name: String
    /// What names of its files end in.
    public var suffixes: [String]
    public var mimeTypes: [String]

    public init(name: String, suffixes: [String], mimeTypes: [String]) {
        self.name = name
        self.suffixes = suffixes
        self.mimeTypes = mimeTypes
    }
}
