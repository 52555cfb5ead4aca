import Composition
import Model
import TestSupport
import Testing

@testable import Bootstrap

@Suite("Ticketmaster's key")
struct TicketmasterKeyTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("The key is read from the variable, a key file, or the configuration file, in that order")
    func orderOfSources() throws {
        let keyFile = try folder.write("  from-file\n", to: "key")
        let yaml = "ticketmaster: {apiKeyFile: \(keyFile)}"
        #expect(
            try load(environment: ["BACKLINE_TICKETMASTER_API_KEY": "k"]).configuration.ticketmaster.apiKey
                == Secret("k"))
        #expect(
            try load(environment: ["BACKLINE_TICKETMASTER_API_KEY_FILE": keyFile]).configuration.ticketmaster.apiKey
                == Secret("from-file"))
        #expect(try load(yaml: yaml).configuration.ticketmaster.apiKey == Secret("from-file"))
        #expect(try load(yaml: "ticketmaster: {apiKey: y}").configuration.ticketmaster.apiKey == Secret("y"))
        let overridden = try load(yaml: yaml, environment: ["BACKLINE_TICKETMASTER_API_KEY": "k"])
        #expect(overridden.configuration.ticketmaster.apiKey == Secret("k"))
    }

    @Test("A key and a key file in the same source are refused")
    func keyAndKeyFileAtOnce() throws {
        let keyFile = try folder.write("k", to: "key")
        let environment = ["BACKLINE_TICKETMASTER_API_KEY": "s3cret", "BACKLINE_TICKETMASTER_API_KEY_FILE": keyFile]
        #expect(
            try complaints(environment: environment) == [
                "error: ticketmaster.apiKey (environment variable BACKLINE_TICKETMASTER_API_KEY) and"
                    + " ticketmaster.apiKeyFile (environment variable BACKLINE_TICKETMASTER_API_KEY_FILE) are both set;"
                    + " allowed: one of them"
            ])
        let yaml = "ticketmaster: {apiKey: s3cret, apiKeyFile: \(keyFile)}"
        #expect(try complaints(yaml: yaml).count == 1)
        #expect(try complaints(yaml: yaml, environment: ["BACKLINE_TICKETMASTER_API_KEY": "k"]).isEmpty)
    }

    @Test("An empty key file is a warning, since a service manager passes one when there is no key")
    func emptyFile() throws {
        let keyFile = try folder.write(" \n", to: "empty")
        let loaded = try load(environment: ["BACKLINE_TICKETMASTER_API_KEY_FILE": keyFile])
        #expect(loaded.configuration.ticketmaster.apiKey == nil)
        #expect(
            loaded.warnings.map(\.text) == [
                "ticketmaster.apiKeyFile (environment variable BACKLINE_TICKETMASTER_API_KEY_FILE) names"
                    + " \"\(keyFile)\", which is empty: there is no key"
            ])
    }

    @Test("A key file that is missing, empty or a folder prevents the start")
    func unusableKeyFiles() throws {
        let subject = "error: ticketmaster.apiKeyFile (environment variable BACKLINE_TICKETMASTER_API_KEY_FILE) names"
        let rule = "allowed: 1 to 512 visible ASCII characters on one line"
        let two = try folder.write("s3cret\nother\n", to: "two")
        let cases = [
            (folder.path + "/none", "does not exist"),
            (folder.path, "is not a regular file"),
            (two, "does not contain a secret (its content is not shown); \(rule)"),
        ]
        for (path, reason) in cases {
            let lines = try complaints(environment: ["BACKLINE_TICKETMASTER_API_KEY_FILE": path])
            #expect(lines == ["\(subject) \"\(path)\", which \(reason)"])
        }
    }

    @Test("A key or configuration file that all accounts can read is a warning")
    func readableByOthers() throws {
        let keyFile = try folder.write("k", to: "key", permissions: 0o644)
        let loaded = try load(environment: ["BACKLINE_TICKETMASTER_API_KEY_FILE": keyFile])
        #expect(loaded.configuration.ticketmaster.apiKey == Secret("k"))
        #expect(
            loaded.warnings.map(\.text) == [
                "ticketmaster.apiKeyFile (environment variable BACKLINE_TICKETMASTER_API_KEY_FILE) names"
                    + " \"\(keyFile)\", which every account can read: chmod o-r \(keyFile)"
            ])
        let open = try folder.write("ticketmaster: {apiKey: k}", to: "open.yaml", permissions: 0o644)
        #expect(
            try BacklineConfiguration.load(sections: .all, file: open, environment: [:]).warnings.map(\.text) == [
                "\(open) contains ticketmaster.apiKey and every account can read it: chmod o-r \(open),"
                    + " or use ticketmaster.apiKeyFile"
            ])
        let closed = try folder.write("ticketmaster: {apiKey: k}", to: "closed.yaml", permissions: 0o640)
        #expect(try BacklineConfiguration.load(sections: .all, file: closed, environment: [:]).warnings.isEmpty)
        let keyless = try folder.write("http: {port: 1}", to: "keyless.yaml", permissions: 0o644)
        #expect(try BacklineConfiguration.load(sections: .all, file: keyless, environment: [:]).warnings.isEmpty)
    }

    @Test("Errors, descriptions and dumps never show a key")
    func neverShown() throws {
        let bad = "s3cret with spaces"
        let lines =
            try complaints(environment: ["BACKLINE_TICKETMASTER_API_KEY": bad])
            + complaints(yaml: "ticketmaster: {apiKey: \(bad)}")
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { !$0.contains("s3cret") && $0.contains("its value is not shown") })
        let configuration = try load(environment: ["BACKLINE_TICKETMASTER_API_KEY": "s3cret"]).configuration
        var dumped = ""
        dump(configuration, to: &dumped)
        #expect(!dumped.contains("s3cret") && !"\(configuration)".contains("s3cret"))
    }

    @Test("An empty key is refused, since a variable was probably left unset")
    func emptyKey() throws {
        let lines = try complaints(environment: ["BACKLINE_TICKETMASTER_API_KEY": ""])
        #expect(
            lines == [
                "error: ticketmaster.apiKey (environment variable BACKLINE_TICKETMASTER_API_KEY) is empty;"
                    + " allowed: 1 to 512 visible ASCII characters"
            ])
    }
}
