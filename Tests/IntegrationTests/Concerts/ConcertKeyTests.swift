import Foundation
import TestProcesses
import Testing

@Suite("The installation's Ticketmaster key", .timeLimit(.minutes(20)))
struct ConcertKeyTests {
    @Test("Without a key, all services start, and each search warns of the missing key")
    func missingKey() async throws {
        try await ConcertInstallation.run(.init(workerKey: nil)) { concerts in
            let ada = try await concerts.addUser()
            let names = ["Coldplay", "Adele", "Мумий Тролль"]
            let search = try await ada.search(names)
            #expect(search.state == "failed")
            #expect(search.coverage.map(\.status) == ["failed", "failed", "failed"])
            #expect(search.warnings.map(\.artist) == names)
            #expect(search.warnings.allSatisfy { $0.code == "ticketmasterKeyMissing" })
            #expect(search.warnings.allSatisfy { $0.recovery.contains("/setup/ticketmaster") })
            #expect(try await concerts.upstream.counters().arrivals == 0)
            let nearby: SearchView = try await ada.get("/v1/concerts/nearby?city=London").decode()
            let area = try await ada.endOfSearch(try #require(nearby.id))
            #expect(area.state == "failed" && area.warnings.map(\.code) == ["ticketmasterKeyMissing"])

            // The retry succeeds with a worker that has a key.
            for worker in concerts.base.running("concert-worker") {
                worker.terminate()
                #expect(try await worker.waitForEnd() == .exited(0))
            }
            _ = try await concerts.base.startWorker(
                environment: concerts.workerEnvironment.merging(
                    ["BACKLINE_TICKETMASTER_API_KEY": Simulator.key]) { _, given in given })
            let mended = try await ada.retrySearch(try #require(search.id))
            #expect(mended.state == "complete" && mended.warnings.isEmpty && mended.items?.isEmpty == false)
        }
    }

    @Test("The key is in no log, response, event or file, even when upstream errors contain it")
    func keyIsNowhere() async throws {
        let key = "T0pSecretKeyOfTheTest"
        let setup = ConcertInstallation.Setup(
            keys: [key], workerKey: key,
            worker: ["BACKLINE_UPSTREAMS_TICKETMASTER_TIMEOUT_MS": "2000"],
            environment: ["BACKLINE_LOG_LEVEL": "trace"])
        try await ConcertInstallation.run(setup) { concerts in
            let ada = try await concerts.addUser()
            let stream = try await EventStream.open(ada)
            var answers: [String] = []
            // This order does not open the circuit breaker. The quota comes last, since it pauses all calls.
            let faults = [
                "drop", "html", "status500", "truncatedJSON", "truncated", "malformedItem", "slow", "spike429",
                "quota429",
            ]
            let names = try await concerts.upstream.artists(.unknown, count: faults.count + 1)
            for (fault, name) in zip(faults, names) {
                try await concerts.upstream.injectFault(fault, match: ["keyword": name], extra: ["ms": 60_000])
            }
            for name in [names[names.count - 1]] + names.dropLast() {
                let id = try await ada.beginSearch([name])
                let search = try await ada.endOfSearch(id)
                answers.append(try await ada.get("/v1/concert-searches/\(id)").text)
                try await stream.first("the end of the search for \(name)") {
                    $0.name == "concertSearch" && $0.json?["id"]?.text == id && $0.json?["state"]?.text == search.state
                }
            }
            #expect(answers.contains { $0.contains("quotaExhausted") })
            for path in ["/metrics", "/readyz", "/healthz"] {
                answers.append(try await concerts.base.visitor.get(path).text)
            }
            for answer in answers { #expect(!answer.contains(key)) }
            for event in stream.events { #expect(!event.data.contains(key)) }
            stream.close()
            let services = ["api-gateway", "concert-worker"].flatMap { concerts.base.running($0) }
            for process in services {
                #expect(!process.errors.lines.isEmpty)
                #expect(!process.errors.contains(key) && !process.output.contains(key), "\(process.name)")
            }
            // The failures were logged.
            #expect(services.contains { $0.errors.contains("upstream call failed") })
            let files = try Self.files(in: concerts.base.folder)
            #expect(files.contains { $0.hasSuffix(".sqlite") } && files.contains { $0.hasSuffix("-wal") })
            for file in files {
                guard let content = FileManager.default.contents(atPath: file) else { continue }
                #expect(content.range(of: Data(key.utf8)) == nil, "\(file)")
            }
        }
    }

    /// All regular files below a folder.
    private static func files(in folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).map { "\(folder)/\($0)" }.filter {
            let type = try? FileManager.default.attributesOfItem(atPath: $0)[.type] as? FileAttributeType
            return type == .typeRegular
        }
    }
}
