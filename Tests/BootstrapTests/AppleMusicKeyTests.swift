import Model
import Settings
import TestSupport
import Testing

@testable import Bootstrap

@Suite("The installation's Apple developer key")
struct AppleMusicKeyTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("The key needs all three parts or none, from any source")
    func threePartsOrNone() throws {
        #expect(try load(environment: [:]).configuration.appleMusic.developerKey == nil)
        let yaml = "appleMusic: {teamID: TEAM123456, keyID: KEY1234567}"
        let environment = ["BACKLINE_APPLE_MUSIC_PRIVATE_KEY_FILE": "/etc/key.p8"]
        #expect(
            try load(yaml: yaml, environment: environment).configuration.appleMusic.developerKey
                == .init(teamID: "TEAM123456", keyID: "KEY1234567", privateKeyFile: "/etc/key.p8"))
        let allowed =
            "; allowed: appleMusic.teamID, appleMusic.keyID and appleMusic.privateKeyFile together, or none of them"
        #expect(
            try complaints(yaml: yaml) == [
                "error: Apple Music's developer key is incomplete without appleMusic.privateKeyFile" + allowed
            ])
        #expect(
            try complaints(environment: environment) == [
                "error: Apple Music's developer key is incomplete without appleMusic.teamID and appleMusic.keyID"
                    + allowed
            ])
    }

    @Test("The file contains a private key in PEM, and errors never show its content")
    func keyFileInPEM() throws {
        let pem = "-----BEGIN PRIVATE KEY-----\nsecret\n-----END PRIVATE KEY-----\n"
        #expect(try SecretFile.readPEM(try folder.write(pem, to: "key.p8")) == Secret(pem))
        for (name, content) in [("other.p8", "secret"), ("empty.p8", "")] {
            let path = try folder.write(content, to: name)
            let failure = try #require(throws: SecretFile.Failure.self) { try SecretFile.readPEM(path) }
            #expect(failure.description.contains("PEM") && !failure.description.contains("secret"))
        }
        let missing = try #require(throws: SecretFile.Failure.self) { try SecretFile.readPEM("/nowhere/key.p8") }
        #expect(missing.description == "does not exist")
    }
}
