import Scanning

/// Who looks through the library, as far as the speaker asks. Control thread.
public protocol ScanPort: AnyObject {
    /// A look is under way.
    var isScanning: Bool { get }
    /// How far that has come; nil for none.
    var progress: ScanProgress? { get }
    /// All has been looked through once.
    var hasScanned: Bool { get }
    /// Looks through everything.
    func scanAgain()
}

extension LibraryKeeper: ScanPort {
    public var isScanning: Bool { runningScan != nil }
    public func scanAgain() { scan() }
}
