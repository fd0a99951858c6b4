import Library
import Posix
enum FileProbe { static func probe(_ f: LibraryScan.Found) throws(ProbeError) -> Probe { throw ProbeError(message: "x") } }
