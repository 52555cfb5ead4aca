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
            let waiter = try ChildProcess(
                Executable.product("storage-probe"), ["answer", database.path], hasInput: true)
            try await waiter.waitForOutput("open")
            let holder = try await ChildProcess.holdingLock(of: lockPath)
            try waiter.write("write\n")
            while WriteLock.nextInQueue(path: lockPath) != waiter.processID { await Task.yield() }
            waiter.pause()
            while !waiter.isStopped { await Task.yield() }
            await holder.destroy()
            try await body(database, waiter)
        }
    }

    @Test("A stopped process that is next in turn is passed over, and takes its turn when it continues")
    func stoppedProcessIsPassedOver() async throws {
        try await withStoppedWaiter { database, waiter in
            for change in 1...20 as ClosedRange<Int64> {
                let written = try await database.write { try $0.nextChange() }
                #expect(written == change)
            }
            #expect(database.blockage == nil)
            waiter.resume()
            #expect(try await waiter.waitForOutput(lines: 2).last == "21")
            let next = try await database.write { try $0.nextChange() }
            #expect(next == 22)
        }
    }

    @Test("The state of the lock names the process that is passed over, until it continues")
    func stateNamesTheProcess() async throws {
        try await withStoppedWaiter { database, waiter in
            let timeout = Duration.seconds(60)
            let state = await WriteLockState.probe(databasePath: database.path, timeout: timeout)
            #expect(state == .passing(over: waiter.processID))
            #expect(WriteLock.holder(path: database.path + ".lock") == waiter.processID)
            #expect(FileLock.holders(of: database.path + ".lock") == [waiter.processID])
            waiter.resume()
            try await waiter.waitForOutput(lines: 2)
            #expect(await WriteLockState.probe(databasePath: database.path, timeout: timeout) == .free)
        }
    }

    @Test("A process that opens the database also passes over a stopped one")
    func openingPassesOver() async throws {
        try await withStoppedWaiter { database, _ in
            let other = try Database.open(path: database.path, schema: .all)
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
