import Testing

@testable import Upstream

@Suite("Proxies of the environment")
struct ProxyEnvironmentTests {
    @Test(
        "Only a proxy of the request's own scheme, or of all, can judge its address in our place",
        arguments: [
            ([:], false, false), (["https_proxy": "http://p:3128"], true, false),
            (["HTTPS_PROXY": "http://p:3128"], true, false), (["http_proxy": "http://p:3128"], false, true),
            // libcurl does not read it.
            (["HTTP_PROXY": "http://p:3128"], false, false), (["all_proxy": "socks5h://p"], true, true),
            (["ALL_PROXY": "socks5h://p"], true, true), (["https_proxy": "", "http_proxy": ""], false, false),
            (["https_proxy": "", "HTTPS_PROXY": "http://p:3128"], true, false),
            (["no_proxy": "*", "https_proxy": "http://p:3128"], true, false),
        ] as [([String: String], Bool, Bool)])
    func schemes(environment: [String: String], secure: Bool, plain: Bool) {
        #expect(ProxyEnvironment.hasProxy(isSecure: true) { environment[$0] } == secure)
        #expect(ProxyEnvironment.hasProxy(isSecure: false) { environment[$0] } == plain)
    }
}
