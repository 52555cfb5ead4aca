import Contracts
import Foundation
import Model
import Pictures
import PicturesWorker
import Storage
import Testing

@testable import Jobs
@testable import UpstreamSimulator
@testable import Workers

extension WorkerFixture {
    /// Runs a job of a worker's domain, and makes the writes of its reply.
    func run<Payload, Result>(
        _ kind: TypedJobKind<Payload, Result>, _ payload: Payload, by domain: WorkerDomain, of process: WorkerProcess
    ) async throws -> Result {
        let handler = try #require(try domain.handlers(process).first { $0.kind.name == kind.kind.name })
        let job = AssignedJob(
            run: JobRun(jobID: "j", run: 1), userID: userID, kind: kind.kind.name, version: 1, attempt: 1,
            maximumAttempts: 1, priority: 10, payload: try kind.text(ofPayload: payload), person: nil)
        let outcome = try await handler.run(JobContext(job: job, report: { _ in }, checkpoints: nil))
        try await database.write { transaction in
            var submissions = JobSubmissions(maximumAttempts: 1, trace: nil)
            try outcome.write?(transaction, &submissions)
        }
        return try kind.result(from: outcome.result)
    }

    /// The address where the simulator listens.
    var origin: String {
        configuration.upstreams[.spotify].baseURL.replacing("/spotify/v1", with: "")
    }
}

@Suite("The handler of pictures", .timeLimit(.minutes(5)))
struct PictureHandlerTests {
    @Test("Pictures that can be shown are in the folder afterwards, and the others are refused")
    func fetchedPictures() async throws {
        try await WorkerFixture.run { fixture in
            try await fixture.withWorker("sync-worker") { process in
                let folder = PictureFolder(process.configuration[PictureSettings.self])
                func key(_ address: String) -> PictureKey { PictureKey(address: address, acceptsWebP: true) }
                let good = ["/pictures/i/a/64x64.jpg", "/pictures/i/b/600x600bb.jpg"].map { fixture.origin + $0 }
                let bad =
                    FalsePicture.allCases.map { fixture.origin + $0.path }
                    + [
                        fixture.origin + "/pictures/i/missing.jpg", "https://example.org/a.jpg",
                        "https://127.0.0.1/a.jpg",
                        "http://127.0.0.1:9/pictures/i/a/64x64.jpg",
                    ]
                var result = (fetched: 0, refused: 0)
                for start in stride(from: 0, to: good.count + bad.count, by: PictureBatch.capacity) {
                    let batch = (good + bad).dropFirst(start).prefix(PictureBatch.capacity)
                    let payload = PictureFetchPayload(pictures: batch.map { .init(address: $0, acceptsWebP: true) })
                    let found = try await fixture.run(.picturesFetch, payload, by: .pictures, of: process)
                    result = (result.fetched + found.fetched, result.refused + found.refused)
                }
                #expect(result.fetched == good.count && result.refused == bad.count)
                for address in good {
                    guard case .picture(let picture) = await folder.entry(key(address)) else {
                        Issue.record("\(address) is missing")
                        continue
                    }
                    #expect(picture.format == .jpeg)
                }
                for address in bad { #expect(await folder.entry(key(address)) == .refused, "\(address)") }

                // Pictures that are in the folder are not requested again.
                let counts = fixture.simulator.media.counts
                let again = PictureFetchPayload(pictures: good.map { .init(address: $0, acceptsWebP: true) })
                let found = try await fixture.run(.picturesFetch, again, by: .pictures, of: process)
                #expect(found.fetched == good.count && fixture.simulator.media.counts == counts)
            }
        }
    }

    @Test("A folder that cannot be written to says nothing about the picture, which is fetched later")
    func unwritableFolder() async throws {
        try await WorkerFixture.run { fixture in
            try await fixture.withWorker("sync-worker") { process in
                let folder = PictureFolder(process.configuration[PictureSettings.self])
                let address = fixture.origin + "/pictures/i/a/64x64.jpg"
                let key = PictureKey(address: address, acceptsWebP: true)
                let payload = PictureFetchPayload(pictures: [.init(address: address, acceptsWebP: true)])
                try Data().write(to: URL(filePath: folder.path))
                let failure = await #expect(throws: JobFailure.self) {
                    try await fixture.run(.picturesFetch, payload, by: .pictures, of: process)
                }
                #expect(failure?.code == "pictureNotStored")
                try FileManager.default.removeItem(atPath: folder.path)
                #expect(await folder.entry(key) == .missing)
                #expect(try await fixture.run(.picturesFetch, payload, by: .pictures, of: process).fetched == 1)
            }
        }
    }
}
