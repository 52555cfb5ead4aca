import Composition
import Domains
import Foundation
import Storage

// A second process for tests of the storage engine:
//   storage-probe write PATH COUNT
//       makes durable writes, one after the other; prints the last change number
//   storage-probe changes PATH COUNT
//       the same, and prints the change number of each
//   storage-probe migrate PATH
//       migrates; prints the steps that it made
//   storage-probe clean PATH COUNT STEPS
//       cleans the file's pages, COUNT in a step; prints the next page after each step, and after STEPS of them waits
//       for the end of its input
//   storage-probe close PATH
//       closes the database from the cooperative pool's last free thread while a read ends; prints "closed"
//   storage-probe answer PATH
//       prints "open"; then makes a durable write for each line of its input, and prints the change number of each
//   storage-probe gateway PATH
//       takes the gateway's lock, prints "gateway", and keeps the lock until its input ends; 75 if it is held
//   storage-probe migrations DIALECT
//       prints the statements that make the schema, as a JSON array; DIALECT is sqlite or postgreSQL
let arguments = CommandLine.arguments
guard arguments.count >= 3 else {
    print(
        "usage: storage-probe write|changes|answer|clean|migrate|close|gateway PATH [COUNT [STEPS]], "
            + "migrations DIALECT")
    exit(64)
}
let path = arguments[2]

/// Writes without a buffer, unlike `print`: a killed process would lose what a buffer has. Does nothing once the test
/// no longer reads.
func say(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
}

/// Blocks the thread. An async function may not call `wait()` itself.
func wait(for semaphore: DispatchSemaphore) {
    semaphore.wait()
}

if arguments[1] == "migrations" {
    guard let dialect = Dialect(rawValue: arguments[2]) else { exit(64) }
    FileHandle.standardOutput.write(try JSONEncoder().encode(Schema(of: .all).statements(for: dialect)))
    exit(0)
}

let database = try Database.open(path: path, schema: Schema(of: .all))
switch arguments[1] {
case "migrate":
    for step in try await database.migrate() { print(step) }
case "write", "changes":
    var last: Int64 = 0
    for _ in 0..<(Int(arguments[3]) ?? 0) {
        last = try await database.write { try $0.nextChange() }
        if arguments[1] == "changes" { say("\(last)") }
    }
    if arguments[1] == "write" { print(last) }
case "answer":
    say("open")
    while readLine() != nil {
        while true {
            do {
                say("\(try await database.write { try $0.nextChange() })")
                break
            } catch StorageError.busy {
                // It was stopped for longer than a write waits.
            }
        }
    }
case "gateway":
    do {
        try await database.lockForGateway(timeout: .zero)
    } catch is GatewayRunning {
        exit(75)
    }
    say("gateway")
    _ = FileHandle.standardInput.readDataToEndOfFile()
case "clean" where arguments.count == 5:
    for _ in 0..<(Int(arguments[4]) ?? 1) {
        guard let page = try await database.read({ try $0.cleaningState().nextPage }) else { break }
        _ = try await database.cleanPages(from: page, count: Int(arguments[3]) ?? 1)
        say("\(try await database.read { try $0.cleaningState().nextPage } ?? 0)")
    }
    _ = FileHandle.standardInput.readDataToEndOfFile()
case "close":
    let (reading, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Task.detached {
        try await database.read { _ in
            reading.signal()
            end.wait()
        }
    }
    wait(for: reading)
    for _ in 1..<ProcessInfo.processInfo.activeProcessorCount {
        let isBlocked = DispatchSemaphore(value: 0)
        Task.detached {
            isBlocked.signal()
            wait(for: DispatchSemaphore(value: 0))
        }
        wait(for: isBlocked)
    }
    Task.detached {
        end.signal()
        database.close()
        say("closed")
        exit(0)
    }
    wait(for: DispatchSemaphore(value: 0))
default:
    exit(64)
}
database.close()
