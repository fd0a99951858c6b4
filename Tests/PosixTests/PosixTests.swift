import Testing

@testable import Posix
