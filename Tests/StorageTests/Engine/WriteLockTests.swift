import CLinux
import Foundation
import Model
import TestSupport
import Testing

@testable import Storage

@Suite("The write lock and processes that are stopped", .timeLimit(.minutes(5)))
struct WriteLockTests {
    /// A process with the database open, which is stopped while it is next in turn for the lock. The lock is free.
    private func withStoppedWaiter(_ body: (Database, _ waiter: ChildProcess) async throws -> Void) async throws {
        try await withDatabase { database, _ in
            let lockPath = database.path + ".lock"
            let waiter = try ChildProcess(Executable.product("storage-probe"), ["answer", database.path])
            await waiter.lines.wait(for: 1)
            let holder = try ChildProcess(Executable.product("storage-probe"), ["hold", database.path])
            await holder.lines.wait(for: 1)
            try waiter.write("write\n")
            while WriteLock.nextInQueue(path: lockPath) != waiter.pid { await Task.yield() }
            waiter.signal(SIGSTOP)
            while !Self.isStopped(waiter.pid) { await Task.yield() }
            holder.closeInput()
            await holder.waitForExit()
            try await body(database, waiter)
        }
    }

    private static func isStopped(_ process: Int32) -> Bool {
        let status = FileHandle(forReadingAtPath: "/proc/\(process)/stat")?.readDataToEndOfFile() ?? Data()
        return String(decoding: status, as: UTF8.self).contains(") T ")
    }

    @Test("A stopped process that is next in turn is passed over, and takes its turn when it continues")
    func stopped() async throws {
        try await withStoppedWaiter { database, waiter in
            for change in 1...20 as ClosedRange<Int64> {
                let written = try await database.write { try $0.nextChange() }
                #expect(written == change)
            }
            #expect(database.blockage == nil)
            waiter.signal(SIGCONT)
            #expect(await waiter.lines.wait(for: 2).last == "21")
            let next = try await database.write { try $0.nextChange() }
            #expect(next == 22)
        }
    }

    @Test("The state of the lock names the process that is passed over, until it continues")
    func named() async throws {
        try await withStoppedWaiter { database, waiter in
            let timeout = Duration.seconds(60)
            #expect(
                await WriteLockState.probe(databasePath: database.path, timeout: timeout) == .passing(over: waiter.pid))
            #expect(WriteLock.holder(path: database.path + ".lock") == waiter.pid)
            #expect(FileLock.holders(of: database.path + ".lock") == [waiter.pid])
            waiter.signal(SIGCONT)
            await waiter.lines.wait(for: 2)
            #expect(await WriteLockState.probe(databasePath: database.path, timeout: timeout) == .free)
        }
    }

    @Test("A process that opens the database also passes over a stopped one")
    func opening() async throws {
        try await withStoppedWaiter { database, _ in
            let other = try Database.open(path: database.path)
            other.close()
        }
    }

    @Test("A wait for the turn ends after its time, and not before")
    func queueTimeout() throws {
        let folder = try TemporaryFolder()
        let first = open(folder.file("lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        let second = open(folder.file("lock"), O_RDWR | O_CLOEXEC)
        defer {
            close(first)
            close(second)
        }
        #expect(clinux_lock_first_byte(first, Int16(F_WRLCK)) == 0)
        let began = MonotonicInstant.now()
        #expect(clinux_lock_first_byte_within(second, 20) == -1)
        #expect(errno == ETIMEDOUT)
        #expect(began.duration(to: .now()) >= .milliseconds(20))
        #expect(clinux_lock_first_byte(first, Int16(F_UNLCK)) == 0)
        #expect(clinux_lock_first_byte_within(second, 20) == 0)
    }
}
