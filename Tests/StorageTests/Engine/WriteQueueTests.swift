import Foundation
import Storage
import TestSupport
import Testing

@Suite("The write queue")
struct WriteQueueTests {
    @Test("Writes that arrive together share commits of at most 2,048 entries")
    func sharesCommits() async throws {
        #expect(try await batches(of: 3_000, maximumBatchTime: .seconds(3_600)) == 2)
    }

    @Test("A batch whose time has passed accepts no further entries")
    func endsBatches() async throws {
        #expect(try await batches(of: 100, maximumBatchTime: .zero) == 100)
    }

    /// Makes the given number of writes, all of which are waiting when the first one runs.
    ///
    /// - Returns: the number of their transactions.
    private func batches(of entries: Int, maximumBatchTime: Duration) async throws -> Int {
        try await withDatabase(maximumBatchTime: maximumBatchTime) { database, _ in
            let before = database.writeStatistics.snapshot
            let gate = Gate()
            let done = Collector<Int64>()
            for entry in 1...entries {
                database.enqueueWrite(isPlain: true) {
                    if entry == 1 { gate.wait() }
                    return try $0.nextChange()
                } completion: { result in
                    done.append((try? result.get()) ?? -1)
                }
            }
            gate.open()
            let changes = await done.wait(for: entries)
            #expect(changes == Array(1...Int64(entries)))
            let after = database.writeStatistics.snapshot
            #expect(after.entries - before.entries == entries)
            return after.batches - before.batches
        }
    }

    @Test("A write returns once another connection can see it")
    func visibleWhenReturned() async throws {
        try await withDatabase { database, folder in
            let other = try Database.open(path: folder.file("test.sqlite"), schema: .all)
            defer { other.close() }
            for _ in 0..<50 {
                let change = try await database.write { try $0.nextChange() }
                #expect(try await other.read { try $0.lastChange() } == change)
            }
        }
    }

    @Test("Writes wait while another process holds the lock")
    func waitsForTheLock() async throws {
        try await withDatabase { database, folder in
            let holder = try await ChildProcess.holdingLock(of: database.path + ".lock")
            let written = Collector<Int64>()
            database.enqueueWrite {
                try $0.nextChange()
            } completion: {
                written.append((try? $0.get()) ?? -1)
            }
            // A reader does not wait, and sees that nothing was written.
            #expect(try await database.read { try $0.lastChange() } == 0)
            #expect(written.elements.isEmpty)
            await holder.destroy()
            #expect(await written.wait(for: 1) == [1])
            #expect(database.blockage == nil)
        }
    }

    @Test("After five seconds a waiting write fails with the process that holds the lock", .timeLimit(.minutes(5)))
    func namesTheHolder() async throws {
        try await withDatabase { database, folder in
            let holder = try await ChildProcess.holdingLock(of: database.path + ".lock")
            // More locks than the first page of the kernel's list shows.
            let others = (0..<100).map { open(folder.file("other\($0)"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
            defer { for other in others { close(other) } }
            for other in others { #expect(flock(other, LOCK_EX) == 0) }
            await #expect(throws: StorageError.busy(holder: holder.processID)) {
                try await database.write { try $0.nextChange() }
            }
            #expect(database.blockage == .busy(holder: holder.processID))
            holder.kill()
            #expect(try await database.write { try $0.nextChange() } == 1)
            #expect(database.writeStatistics.snapshot.lockWaits == 1)
            #expect(database.blockage == nil)
        }
    }

    @Test("Closing does not wait for a process that does not release the lock", .timeLimit(.minutes(5)))
    func closesWhileBlocked() async throws {
        let folder = try TemporaryFolder()
        let database = try Database.open(path: folder.file("test.sqlite"), schema: .all)
        let holder = try await ChildProcess.holdingLock(of: database.path + ".lock")
        let answers = Collector<StorageError?>()
        database.enqueueWrite {
            try $0.nextChange()
        } completion: { result in
            if case .failure(let error) = result { answers.append(error as? StorageError) }
        }
        let closed = Collector<Void>()
        Thread.detachNewThread {
            database.close()
            closed.append(())
        }
        await closed.wait(for: 1)
        #expect(await answers.wait(for: 1) == [.busy(holder: holder.processID)])
        // The writer's thread finally gets the lock and must not touch the database.
        await holder.destroy()
        let next = try Database.open(path: folder.file("test.sqlite"), schema: .all)
        next.close()
    }

    @Test("A read ends without the cooperative pool, whose last thread may close the database", .timeLimit(.minutes(5)))
    func closesOnTheLastThread() async throws {
        try await withDatabase { _, folder in
            let probe = try ChildProcess(Executable.product("storage-probe"), ["close", folder.file("test.sqlite")])
            #expect(try await probe.waitForOutput(lines: 1) == ["closed"])
        }
    }

    @Test("Closing performs the waiting writes and refuses later ones")
    func closingPerformsWaitingWrites() async throws {
        let folder = try TemporaryFolder()
        let database = try Database.open(path: folder.file("test.sqlite"), schema: .all)
        try await database.migrate()
        let gate = Gate()
        database.enqueueWrite { _ in
            gate.wait()
        } completion: { _ in
        }
        let written = Collector<Int64>()
        for _ in 0..<100 {
            database.enqueueWrite {
                try $0.nextChange()
            } completion: {
                written.append((try? $0.get()) ?? -1)
            }
        }
        gate.open()
        database.close()
        #expect(written.elements == Array(1...100))
        await #expect(throws: StorageError.closed) { try await database.write { try $0.nextChange() } }
    }
}
