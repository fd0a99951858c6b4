public struct Tags {
    public var synchronisedLyrics: [[UInt8]] = []
    public var lyrics = ""
    public init(path: String) throws(Mpg123Error) {}
}
