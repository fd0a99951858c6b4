public struct AudioExtent { public var start: Int64; public var end: Int64
  public init(start: Int64, end: Int64) { self.start = start; self.end = end }
  public init(fileBytes: Int64, read: (Int64, UnsafeMutableRawBufferPointer) -> Int) { start = 0; end = fileBytes } }
public struct FrameIndex { public var step = 128; public var offsets: [Int64] = []; public var durationMilliseconds = 0
  public init?(encoded: [UInt8]) { return nil }
  public func encoded() -> [UInt8] { [] } }
public struct FrameWalker { public var samplesSoFar: Int64 = 0; public var sampleRate = 44100
  public init() {}
  public mutating func consume(_ b: UnsafeRawBufferPointer) {}
  public mutating func finish() -> FrameIndex? { nil } }
