import Composition
import Curation
import Domains
import Foundation
import Notes
import TestSupport
import Testing

@testable import Bootstrap

@Suite("config/backline.yaml and the settings.yaml of domains")
struct ConfigurationDocumentTests {
    /// All files as one, as `scripts/install` joins them.
    private static let joined = ConfigurationDocument.all(of: .all).map(\.text).joined(separator: "\n")

    private func check(_ document: ConfigurationDocument) {
        for block in document.expectedBlocks {
            #expect(document.text.contains(block + "\n"), "\(document.name) should contain:\n\(block)")
        }
        #expect(document.body == document.expectedBlocks.joined(separator: "\n\n") + "\n")
    }

    @Test("The files show every key with its default, meaning and variable, and nothing else")
    func filesShowEveryKey() throws {
        let documents = ConfigurationDocument.all(of: .all)
        for document in documents { check(document) }
        let domains = try FileManager.default.contentsOfDirectory(atPath: Repository.path("Sources/Domains"))
        let present = domains.map { "Sources/Domains/\($0)/settings.yaml" }
            .filter { FileManager.default.fileExists(atPath: Repository.path($0)) }
        #expect(Set(present) == Set(documents.map(\.name).filter { $0.hasPrefix("Sources/") }))
    }

    @Test("The example domain's file shows its key")
    func fileOfTheExample() throws {
        let document = try #require(ConfigurationDocument.all(of: [.notes]).last)
        #expect(document.name == "Sources/Domains/Notes/settings.yaml")
        check(ConfigurationDocument(name: "Tests/ExampleDomain/settings.yaml", keys: document.keys))
    }

    @Test("Loading all files as one changes no value and causes no warning")
    func loadingChangesNothing() throws {
        let loaded = try load(yaml: Self.joined)
        #expect(loaded.configuration == .defaults(with: .all))
        #expect(loaded.warnings.isEmpty)
    }

    @Test("Every example in the files is a valid value")
    func examplesAreValid() throws {
        let uncommented = Self.joined.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
            let isSetting = line.contains("#") && !line.hasPrefix("#") && !line.contains("# ")
            return isSetting ? String(line).replacing("#", with: "") : String(line)
        }
        let yaml = uncommented.joined(separator: "\n").replacing("NAME:", with: "hourly:")
        let folder = try TemporaryFolder()
        let cities = try folder.write("", to: "cities.txt")
        let keyFree = yaml.replacing("config/city-names.txt", with: cities)
            .replacing("  apiKeyFile: /etc/backline/ticketmaster.key\n", with: "")
        let configuration = try load(yaml: keyFree).configuration
        #expect(configuration.worker.name == "concert-1")
        #expect(configuration.ticketmaster.apiKey != nil)
        #expect(configuration.schedules.map(\.kind) == ["diagnostics.echo"])
        #expect(configuration[CurationSettings.self].endpoints.map(\.model) == ["llama3.1:8b"])
        #expect(configuration.messaging.endpoint == BacklineConfiguration.defaults(with: .all).messaging.endpoint)
    }
}
