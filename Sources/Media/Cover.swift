/// Tells one picture from another by what it holds, so that the hundred files of a book share theirs: its length, and XXH64 over its
/// first and last 4 KB. As cheap as a scan needs it; no defence against someone who wants two pictures to look the same.
public struct Cover: Hashable, Sendable {
    public let hash: UInt64
    public let byteCount: Int64

    public init(hash: UInt64, byteCount: Int64) {
        self.hash = hash
        self.byteCount = byteCount
    }
}
