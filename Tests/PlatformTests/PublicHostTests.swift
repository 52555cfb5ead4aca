import Platform
import Testing

@Suite("Hosts of the internet")
struct PublicHostTests {
    @Test(
        "Names of the public name system are public",
        arguments: [
            "fcm.googleapis.com", "web.push.apple.com", "a.de", "xn--bcher-kva.example.com", "push.localhost.com",
            "1.1.1.1.nip.io", "x.arpa",
        ])
    func publicNames(name: String) {
        #expect(PublicHost.isName(name) && !PublicHost.isAddress(name))
    }

    @Test(
        "Names of a network of one's own, and what clients read as an address, are not",
        arguments: [
            "", "localhost", "push.localhost", "printer", "nas.local", "nas.lan", "a.internal", "router.home.arpa",
            "a.invalid", "a.test", "a.example", "x.onion", "127.0.0.1", "127.1", "0x7f.1", "1.0x7f", "2130706433",
            "::1", "FCM.googleapis.com", "fcm.googleapis.com.", "a..com", "-a.com", "a_b.com", "a b.com", "é.com",
            "a.c", "a.1com",
        ])
    func otherNames(name: String) {
        #expect(!PublicHost.isName(name))
    }

    @Test("Addresses of the internet are public, others are not")
    func addresses() {
        for address in ["1.1.1.1", "2606:4700::1"] { #expect(PublicHost.isAddress(address)) }
        for address in ["127.0.0.1", "10.0.0.1", "::1", "fd00::1", "::ffff:10.0.0.1", "a.com", "[::1]"] {
            #expect(!PublicHost.isAddress(address))
        }
    }
}
