import Platform
import Testing

@Suite("Addresses of the internet")
struct PublicAddressesTests {
    private func bytes(_ text: String) -> [UInt8] { NetworkHost(text).addressBytes ?? [] }

    @Test("Addresses of this machine, of private networks and of special uses are not public")
    func addressesThatAreNotPublic() {
        for text in [
            "1.1.1.1", "151.101.1.1", "172.32.0.1", "192.167.255.255", "223.255.255.255", "2606:4700::1",
            "2a04:4e42::1",
            "::ffff:8.8.8.8", "64:ff9b::808:808",
        ] {
            #expect(PublicAddresses.contain(bytes(text)), "\(text)")
        }
        for text in [
            "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.8.9.1", "169.254.169.254", "172.16.0.1",
            "172.31.255.255", "192.168.1.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1",
            "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "fe80::1", "fd00::1", "fc00::1", "ff02::1",
            "2002:7f00:1::",
            "2001:db8::1", "64:ff9b::7f00:1", "",
        ] {
            #expect(!PublicAddresses.contain(bytes(text)), "\(text)")
        }
    }
}
