import Testing

@testable import Mpg123
