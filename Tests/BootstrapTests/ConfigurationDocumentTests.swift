import Foundation
import Testing

@testable import Bootstrap

@Suite("config/backline.yaml")
struct ConfigurationDocumentTests {
    @Test("The file shows every key with its default, meaning and variable, and nothing else")
    func complete() throws {
        let text = try String(contentsOfFile: ConfigurationDocument.path, encoding: .utf8)
        let blocks = ConfigurationDocument.blocks(of: ConfigurationKeys.all)
        for block in blocks {
            #expect(text.contains(block + "\n"), "config/backline.yaml should contain:\n\(block)")
        }
        #expect(ConfigurationDocument.body(ofText: text) == blocks.joined(separator: "\n\n") + "\n")
    }

    @Test("Loading the file changes no value and causes no warning")
    func harmless() throws {
        let loaded = try BacklineConfiguration.load(file: ConfigurationDocument.path, environment: [:])
        #expect(loaded.configuration == .defaults)
        #expect(loaded.warnings.isEmpty)
    }

    @Test("Every example in the file is a valid value")
    func examples() throws {
        let text = try String(contentsOfFile: ConfigurationDocument.path, encoding: .utf8)
        let uncommented = text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
            let isSetting = line.contains("#") && !line.hasPrefix("#") && !line.contains("# ")
            return isSetting ? String(line).replacing("#", with: "") : String(line)
        }
        let yaml = uncommented.joined(separator: "\n").replacing("NAME:", with: "hourly:")
        let folder = try TemporaryFolder()
        let cities = try folder.file("cities.txt", "")
        let keyFree = yaml.replacing("config/city-names.txt", with: cities)
            .replacing("  apiKeyFile: /etc/backline/ticketmaster.key\n", with: "")
        let configuration = try load(yaml: keyFree).configuration
        #expect(configuration.worker.name == "concert-1")
        #expect(configuration.ticketmaster.apiKey != nil)
        #expect(configuration.schedules.map(\.kind) == ["diagnostics.echo"])
        #expect(configuration.ai.endpoints.map(\.model) == ["llama3.1:8b"])
        #expect(configuration.messaging.endpoint == BacklineConfiguration.defaults.messaging.endpoint)
    }
}
