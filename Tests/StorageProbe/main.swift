import Foundation
import Model
import Storage

// A process of its own for tests of the storage engine:
//   StorageProbe write PATH COUNT      durable writes, one after the other; prints the last change number
//   StorageProbe changes PATH COUNT    the same, and prints the change number of each
//   StorageProbe migrate PATH          prints the steps it made
//   StorageProbe hold PATH             prints "held" once it has the write lock, and keeps it until its input ends
let arguments = CommandLine.arguments
guard arguments.count >= 3 else {
    print("usage: StorageProbe write|changes|migrate|hold PATH [COUNT]")
    exit(64)
}
let path = arguments[2]

if arguments[1] == "hold" {
    let descriptor = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0, flock(descriptor, LOCK_EX) == 0 else { exit(74) }
    // Unlike print, it is not kept back in a buffer.
    FileHandle.standardOutput.write(Data("held\n".utf8))
    _ = FileHandle.standardInput.readDataToEndOfFile()
    exit(0)
}

let database = try Database.open(path: path)
switch arguments[1] {
case "migrate":
    for step in try await database.migrate() { print(step) }
case "write", "changes":
    var last: Int64 = 0
    for _ in 0..<(Int(arguments[3]) ?? 0) {
        last = try await database.write { try $0.nextChange() }
        if arguments[1] == "changes" { print(last) }
    }
    if arguments[1] == "write" { print(last) }
default:
    exit(64)
}
database.close()
