import Foundation
import HostileInputs
import Synchronization

/// Inputs of megabytes that are made from short ones. Only they reveal quadratic work with a small factor, but
/// libFuzzer makes none, since it would then try few inputs of any length.
enum LongInputs {
    private static let count = Atomic(0)

    /// - Returns: `nil` if it is not time for one, or if the reader's callers never pass one.
    static func next(of parser: HostileParser, from input: [UInt8]) -> [UInt8]? {
        guard Reading.isLongDue, parser.mostBytes > 1 << 16 else { return nil }
        let seed = count.wrappingAdd(1, ordering: .relaxed).newValue
        var inputs = HostileInputs(seed: UInt64(seed), longest: parser.mostBytes)
        return inputs.grown(input, to: parser.mostBytes)
    }

    /// Saves an input beside those that libFuzzer saves.
    ///
    /// - Returns: its path.
    static func save(_ input: [UInt8]) -> String {
        let prefix = ProcessInfo.processInfo.environment["BACKLINE_FUZZ_FOUND"] ?? "./"
        let path = "\(prefix)long-\(UInt64.random(in: 0...UInt64.max))"
        do {
            try Data(input).write(to: URL(filePath: path))
        } catch {
            return "no file (\(error))"
        }
        return path
    }
}
