import Foundation
import TestSupport
import Testing

@testable import Jobs

@Suite("Names of workers")
struct WorkerNameTests {
    @Test("The first free name is claimed, even if its earlier process died")
    func firstFree() async throws {
        let folder = try TemporaryFolder()
        // Another process has the first name.
        let holder = try await ChildProcess.holdingLock(of: folder.file("concert-worker-1.lock"))
        #expect(try WorkerName.claim(service: "concert-worker", wanted: nil, folder: folder.path) == "concert-worker-2")
        #expect(throws: WorkerNameError.taken("concert-worker-1")) {
            try WorkerName.claim(service: "concert-worker", wanted: "concert-worker-1", folder: folder.path)
        }
        await holder.destroy()
        #expect(try WorkerName.claim(service: "concert-worker", wanted: nil, folder: folder.path) == "concert-worker-1")
        // A name is reserved until the process ends.
        #expect(try WorkerName.claim(service: "concert-worker", wanted: nil, folder: folder.path) == "concert-worker-3")
    }

    @Test("A configured name is used as it is")
    func configuredName() throws {
        let folder = try TemporaryFolder()
        #expect(try WorkerName.claim(service: "s", wanted: "mine", folder: folder.file("workers")) == "mine")
    }

    @Test("An epoch is unique, contains the name, and increases with time")
    func uniqueInstances() {
        let instances = (0..<100).map { _ in WorkerInstance.make(name: "concert-worker-1") }
        #expect(Set(instances).count == 100)
        #expect(instances == instances.sorted())
        #expect(WorkerInstance.name(of: instances[0]) == "concert-worker-1")
    }
}
