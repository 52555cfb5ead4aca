import Model
import Testing

@Suite("Secrets")
struct SecretTests {
    @Test("Descriptions, interpolations and dumps do not show a secret")
    func hiddenInDescriptions() {
        let secret = Secret("s3cr3t+key/=")
        var dumped = ""
        dump(secret, to: &dumped)
        for text in [
            "\(secret)", String(reflecting: secret), String(describing: [secret]), dumped, "\(["key": secret])",
        ] {
            #expect(!text.contains("s3cr3t"))
        }
        #expect(secret.reveal() == "s3cr3t+key/=")
    }

    @Test("A secret is redacted in a text, plain and percent-encoded")
    func redactedInTexts() {
        let secret = Secret("a+b/=")
        #expect(secret.redacted(from: "?apikey=a+b/=&x=a%2Bb%2F%3D.") == "?apikey=•••&x=•••.")
        #expect(Secret("a-b+c").redacted(from: "?apikey=a-b%2Bc&x=a-b+c") == "?apikey=•••&x=•••")
        #expect(Secret("").redacted(from: "text") == "text")
    }
}
