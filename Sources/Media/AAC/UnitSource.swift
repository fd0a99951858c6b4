/// The units of an AAC stream one after the other, from whatever holds them. Feed and worker threads; one at a time.
protocol UnitSource: AnyObject {
    var config: AudioConfig { get }
    /// Of the units decoded, the part that is heard.
    var span: HeardSpan { get }
    /// How many there are; nil where they have not been counted.
    var unitCount: Int64? { get }
    /// What the stream was once gone through for, if it was: here, or another time.
    var index: UnitIndex? { get }
    /// The bytes of the next unit, good until the next call; none at all for one that cannot be right. Nil behind the last.
    func next() throws(SourceError) -> UnsafeRawBufferPointer?
    /// Goes on with this unit, or behind the last. Where nothing is known of the way there, all of it is gone through.
    /// - Parameter goOn: as of `AudioDecoding.seek`.
    func jump(to unit: Int64, goOn: () -> Bool) throws(SourceError)
}
