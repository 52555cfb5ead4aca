import Foundation

/// Whether `BACKLINE_LONG_TESTS=1` requests the full size of the tests that take minutes.
let longTestsAreWanted = ProcessInfo.processInfo.environment["BACKLINE_LONG_TESTS"] == "1"
