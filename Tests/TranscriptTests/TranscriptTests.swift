import Testing

@testable import Transcript
