import Model
import TestSupport
import Testing

@testable import CommandSupport
@testable import Commands

@Suite("Addresses to which the token may be sent")
struct GatewayAddressTests {
    @Test(
        "A token is sent over https, and over plain http only on this machine",
        arguments: [
            ("https://music.example", true), ("HTTPS://192.168.1.5:8443/backline", true),
            ("http://127.0.0.1:8080", true), ("http://127.8.8.8", true), ("http://[::1]:8080", true),
            ("http://localhost:8080", true), ("HTTP://LocalHost", true),
            ("http://music.example", false), ("http://192.168.1.5:8080", false), ("http://nas:8080", false),
            ("http://[fd00::1]:8080", false), ("http://[::ffff:192.0.2.1]", false), ("http://0.0.0.0:8080", false),
            ("http://127.0.0.1.music.example", false), ("http://localhost.music.example", false),
            ("http://127.1", false), ("http://music.example/127.0.0.1", false),
        ])
    func addressesThatGetTheToken(text: String, isPrivate: Bool) throws {
        #expect(try #require(GatewayAddress(text)).isPrivate == isPrivate)
    }

    @Test("A token is sent over plain http only with --insecure; requests without a token are always sent")
    func insecureFlag() async throws {
        let address = try #require(GatewayAddress("http://music.example"))
        let token = Secret("bl_x")
        await #expect(throws: GatewayError.plainHTTP(address: "http://music.example")) {
            try await GatewayClient.with(address, token: token) { _ in Issue.record("a client was made") }
        }
        let made = try await GatewayClient.with(address, token: token, isInsecure: true) { _ in true }
        let madeForNobody = try await GatewayClient.with(address, token: nil) { _ in true }
        #expect(made && madeForNobody)
        let error = GatewayError.plainHTTP(address: "http://music.example")
        #expect(CommandExit.status(for: error) == CommandExit.usage && !error.isPassing)
        #expect("\(error)".contains("--insecure") && !"\(error)".contains("bl_x"))
    }

    @Test("Every command that calls the gateway has the flag, and doctor sends no token over plain http")
    func commandsWithTheFlag() async throws {
        for arguments in [["workers"], ["artists", "list"], ["jobs", "list"], ["search", "Air"], ["doctor"]] {
            #expect(throws: Never.self, "\(arguments)") {
                _ = try BacklineCommand.parseAsRoot(arguments + ["--insecure", "--server", "http://nas:8080"])
            }
        }
        var context = try DoctorContext.sample(TemporaryFolder())
        // The host name does not exist (RFC 6761).
        (context.gateway, context.token) = (GatewayAddress("http://nas.invalid:1"), Secret("bl_x"))
        #expect(await DoctorCheck.workers.findings(in: context).text.contains("Your token was not sent"))
        context.isInsecure = true
        #expect(await !DoctorCheck.workers.findings(in: context).text.contains("Your token was not sent"))
    }
}
