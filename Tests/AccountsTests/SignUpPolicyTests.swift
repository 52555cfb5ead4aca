import Accounts
import Testing

@Suite("The sign-up policy")
struct SignUpPolicyTests {
    @Test(
        "Keywords and lists are read and written",
        arguments: [
            ("everyone", "everyone"), ("nobody", "nobody"),
            ("Ada@Example.org,@example.com , bob@example.org", "ada@example.org, bob@example.org, @example.com"),
        ])
    func writtenForm(text: String, written: String) {
        #expect(SignUpPolicy(text)?.text == written)
        #expect(SignUpPolicy(written)?.text == written)
    }

    @Test(
        "Other texts are refused",
        arguments: [
            "", "Everyone", "ada", "ada@", "@", "a@b@c.org", "a b@example.org", "everyone, ada@example.org",
            "ada@example.org,",
        ])
    func refusedTexts(text: String) {
        #expect(SignUpPolicy(text) == nil)
    }

    @Test("Addresses are compared in full, and domains with the account's domain")
    func addressesAndDomains() {
        let policy = SignUpPolicy("ada@example.org, @example.com")
        func admits(_ email: String?, _ domain: String? = nil) -> Bool? {
            policy?.admits(email: email, hostedDomain: domain)
        }
        #expect(admits("ADA@example.org") == true && admits(nil, "Example.com") == true)
        #expect(admits("eve@example.com") == false && admits("bob@example.org") == false)
        #expect(admits("ada@example.org.example") == false && admits(nil) == false)
        #expect(admits(nil, "sub.example.com") == false)
        #expect(SignUpPolicy.nobody.admits(email: "ada@example.org", hostedDomain: nil) == false)
        #expect(SignUpPolicy.everyone.admits(email: nil, hostedDomain: nil))
    }
}
