import Composition
import Curation
import Foundation
import TestSupport
import Testing

@testable import Bootstrap

@Suite("config/backline.yaml")
struct ConfigurationDocumentTests {
    @Test("The file shows every key with its default, meaning and variable, and nothing else")
    func fileShowsEveryKey() throws {
        let text = try String(contentsOfFile: ConfigurationDocument.path, encoding: .utf8)
        let blocks = ConfigurationDocument.blocks(of: ConfigurationKeys.all(with: .all))
        for block in blocks {
            #expect(text.contains(block + "\n"), "config/backline.yaml should contain:\n\(block)")
        }
        #expect(ConfigurationDocument.body(ofText: text) == blocks.joined(separator: "\n\n") + "\n")
    }

    @Test("Loading the file changes no value and causes no warning")
    func loadingChangesNothing() throws {
        let loaded = try BacklineConfiguration.load(sections: .all, file: ConfigurationDocument.path, environment: [:])
        #expect(loaded.configuration == .defaults(with: .all))
        #expect(loaded.warnings.isEmpty)
    }

    @Test("Every example in the file is a valid value")
    func examplesAreValid() throws {
        let text = try String(contentsOfFile: ConfigurationDocument.path, encoding: .utf8)
        let uncommented = text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
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
