import Foundation
import TestSupport
import Testing

@testable import Platform

@Suite("The wall clock's offset")
struct WallClockOffsetTests {
    @Test("The file is read at each call, and counts as 0 without a number")
    func offsetFromAFile() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("offset")
        #expect(WallClockOffset(path: path) == nil)
        try Data("+000060000000\n".utf8).write(to: URL(fileURLWithPath: path))
        let offset = try #require(WallClockOffset(path: path))
        #expect(offset.microseconds == 60_000_000)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        for (text, microseconds) in [("-3", -3), ("", 0), ("an hour", 0), ("9223372036854775807", 0)]
            as [(String, Int64)]
        {
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: Data(text.utf8))
            #expect(offset.microseconds == microseconds)
        }
    }

    @Test("Without the variable there is no offset")
    func noOffset() {
        #expect(WallClockOffset.current == nil)
    }
}
