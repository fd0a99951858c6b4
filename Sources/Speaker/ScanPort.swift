/// Who looks through the library. Control thread.
public protocol ScanPort: AnyObject {
    /// A look is under way.
    var isScanning: Bool { get }
    /// All has been looked through once.
    var hasScanned: Bool { get }
    /// Looks through everything.
    func scanAgain()
}
