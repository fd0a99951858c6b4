import Testing

@testable import Gpiod
