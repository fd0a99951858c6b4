import Testing

@testable import MPEG
