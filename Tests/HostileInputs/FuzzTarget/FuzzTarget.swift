import Foundation
import HostileInputs

/// The functions that libFuzzer calls (llvm.org/docs/LibFuzzer.html). `scripts/fuzz` builds and runs them.
private enum FuzzTarget {
    /// The parser that `BACKLINE_FUZZ_PARSER` names.
    static let parser: HostileParser = {
        let name = ProcessInfo.processInfo.environment["BACKLINE_FUZZ_PARSER"] ?? ""
        guard let parser = HostileParser.named(name) else {
            fail("BACKLINE_FUZZ_PARSER is not one of: \(HostileParser.all.map(\.name).joined(separator: " "))")
        }
        return parser
    }()

    static func fail(_ text: String) -> Never {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
        exit(2)
    }
}

/// Prints the parsers, writes the seeds of one, or lets libFuzzer begin.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
    _ count: UnsafeMutablePointer<Int32>?,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> Int32 {
    let environment = ProcessInfo.processInfo.environment
    if environment["BACKLINE_FUZZ_LIST"] != nil {
        for parser in HostileParser.all { print(parser.name, parser.mostMemory) }
        exit(0)
    }
    // One-time initialization does not count toward the time of an input.
    for seed in FuzzTarget.parser.seeds { FuzzTarget.parser.run(seed) }
    guard let folder = environment["BACKLINE_FUZZ_SEEDS"] else { return 0 }
    do {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (number, seed) in FuzzTarget.parser.seeds.enumerated() {
            try Data(seed).write(to: URL(filePath: "\(folder)/seed-\(number)"))
        }
    } catch {
        FuzzTarget.fail("the seeds could not be written: \(error)")
    }
    return 0
}

/// Reads an input, and now and then a long one made from it. The process ends if the reader crashes, or takes more time
/// or memory than its budget.
@_cdecl("LLVMFuzzerTestOneInput")
public func readOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    if let excess = Reading.excess(of: FuzzTarget.parser, input) {
        FileHandle.standardError.write(Data("\(count) bytes took \(excess)\n".utf8))
        abort()
    }
    guard let long = LongInputs.next(of: FuzzTarget.parser, from: input),
        let excess = Reading.excess(of: FuzzTarget.parser, long, isLong: true)
    else { return 0 }
    FileHandle.standardError.write(Data("\(long.count) bytes, in \(LongInputs.save(long)), took \(excess)\n".utf8))
    abort()
}

/// libFuzzer's own mutation of an input.
@_silgen_name("LLVMFuzzerMutate")
private func changedByFuzzer(_ start: UnsafeMutablePointer<UInt8>, _ count: Int, _ mostBytes: Int) -> Int

/// Mutates an input, every fourth time like ``HostileInputs``: libFuzzer begins with short inputs and rarely finds work
/// that grows faster than the input.
@_cdecl("LLVMFuzzerCustomMutator")
public func changeInput(
    _ start: UnsafeMutablePointer<UInt8>, _ count: Int, _ mostBytes: Int, _ seed: UInt32
) -> Int {
    guard seed % 4 == 0 else { return changedByFuzzer(start, count, mostBytes) }
    var inputs = HostileInputs(seed: UInt64(seed), longest: mostBytes)
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    let changed = inputs.next(from: [input])
    _ = UnsafeMutableBufferPointer(start: start, count: mostBytes).update(fromContentsOf: changed)
    return changed.count
}
