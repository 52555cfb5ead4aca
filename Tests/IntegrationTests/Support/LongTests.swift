import Foundation

/// Whether `BACKLINE_LONG_TESTS=1` asks for the full size of the tests that take minutes.
let longTestsAreWanted = ProcessInfo.processInfo.environment["BACKLINE_LONG_TESTS"] == "1"
