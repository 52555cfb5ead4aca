import Foundation
import TestProcesses
import TestSupport
import Testing

@Suite(
    "Pictures that people upload to a running gateway",
    .enabled(if: !Seccomp.isMissing, "\(Seccomp.whyNot)"), .timeLimit(.minutes(20)))
struct PictureUploadTests {
    private func upload(_ file: [UInt8], as person: APIClient) async throws -> APIResponse {
        try await person.send(.PUT, "/v1/me/picture", body: file, headers: ["Content-Type": "image/png"])
    }

    /// The processes that a process has started and that are still there.
    private func children(of process: ChildProcess) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { name in
            guard let status = try? String(contentsOfFile: "/proc/\(name)/status", encoding: .utf8),
                status.contains("\nPPid:\t\(process.processID)\n")
            else { return nil }
            return String(status.prefix { $0 != "\n" })
        }
    }

    @Test("Damaged pictures of several people at once leave the gateway as it was, and no process behind")
    func damagedPictures() async throws {
        try await Installation.run { installation in
            let gateway = try await installation.startGateway()
            let worker = try await installation.startWorker(.sync)
            let people = [
                try await installation.addUser("ada"), try await installation.addUser("ben"),
                try await installation.addUser("cleo"),
            ]
            let picture = SamplePNG.gradient(width: 300, height: 200).bytes
            try await withThrowingTaskGroup { group in
                for (index, person) in people.enumerated() {
                    group.addTask {
                        var random = SeededRandom(seed: UInt64(index))
                        for round in 0..<Fuzzing.rounds(20, long: 700) {
                            let file = SamplePNG.correctingChecksums(in: random.damaged(picture))
                            let status = try await upload(file, as: person).status
                            #expect([200, 415, 422].contains(status), "person \(index), round \(round)")
                        }
                    }
                }
                try await group.waitForAll()
            }
            let stored = try await upload(picture, as: people[0])
            let path = try #require(try stored.decode(JSON.self)["picture"]?.text)
            let shown = try await people[1].get(path)
            #expect(shown.status == 200 && shown.header("Content-Type") == "image/webp")
            #expect(try await installation.visitor.get("/readyz").status == 200)
            #expect(gateway.isRunning && worker.isRunning)
            #expect(try children(of: gateway) == [])
            let metrics = try await installation.visitor.get("/metrics")
            let text = String(decoding: metrics.body, as: UTF8.self)
            #expect(text.contains(#"backline_picture_uploads_total{"#) && text.contains(#"outcome="stored""#))
            // Nothing of a file is in the log.
            #expect(!gateway.errors.lines.contains { $0.contains("IHDR") || $0.contains("PNG") })
        }
    }
}
