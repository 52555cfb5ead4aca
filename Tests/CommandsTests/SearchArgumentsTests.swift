import ArgumentParser
import Testing

@testable import CommandSupport
@testable import ConcertsCommands

@Suite("The arguments of backline search")
struct SearchArgumentsTests {
    @Test("All arguments are optional")
    func defaultArguments() throws {
        let command = try SearchCommand.parse([])
        #expect(command.artists.isEmpty)
        #expect(command.home == nil)
        #expect(command.timeout == 300)
        #expect(!command.json && !command.includeCancelled)
    }

    @Test("All arguments are read")
    func allArguments() throws {
        let command = try SearchCommand.parse([
            "Imagine Dragons", "Kabát", "--home", "Prague", "--json", "--include-cancelled", "--timeout", "5",
            "--server",
            "http://localhost:8080/", "--token-file", "token",
        ])
        #expect(command.artists == ["Imagine Dragons", "Kabát"])
        #expect(command.home == "Prague")
        #expect(command.timeout == 5)
        #expect(command.json && command.includeCancelled)
        #expect(try command.gateway.address(environment: [:]).description == "http://localhost:8080")
    }

    @Test(
        "Wrong arguments are refused, naming what is allowed",
        arguments: [
            (["Muse", " "], "Artist 2 has no name."), (["--home", ""], "--home does not name a city."),
            (["--timeout", "0"], "allowed: 1 to 86400"), (["--timeout", "soon"], "--timeout"),
            (["--server", "localhost:8080"], "allowed: a URL such as http://127.0.0.1:8080"),
        ])
    func refusedArguments(arguments: [String], message: String) {
        let error = #expect(throws: (any Error).self) { _ = try SearchCommand.parse(arguments) }
        guard let error else { return }
        #expect(SearchCommand.message(for: error).contains(message))
        #expect(SearchCommand.exitCode(for: error) == ExitCode(64))
    }

    @Test("The option overrides the environment, which overrides the configuration")
    func precedenceOfServers() throws {
        let environment = ["BACKLINE_SERVER": "https://music.example/backline"]
        #expect(
            try SearchCommand.parse(["--server", "http://[::1]:1"]).gateway.address(environment: environment)
                .description
                == "http://[::1]:1")
        #expect(
            try SearchCommand.parse([]).gateway.address(environment: environment).description
                == "https://music.example/backline")
        #expect(throws: ExitCode(64)) {
            _ = try SearchCommand.parse([]).gateway.address(environment: ["BACKLINE_SERVER": "8080"])
        }
    }

    @Test(
        "An address is http or https, without user, query or fragment",
        arguments: [
            ("http://127.0.0.1:8080", true), ("https://music.example", true), ("HTTP://host:1", true),
            ("ftp://host", false),
            ("http://", false), ("http://me:word@host", false), ("http://host?x=1", false), ("http://host#top", false),
            ("http://host:70000", false), ("", false),
        ])
    func refusedAddresses(text: String, isAllowed: Bool) {
        #expect((GatewayAddress(text) != nil) == isAllowed)
    }

    @Test(
        "A gateway on all interfaces is reached by loopback",
        arguments: [
            ("0.0.0.0", "http://127.0.0.1:80"), ("::", "http://[::1]:80"), ("::1", "http://[::1]:80"),
            ("music.local", "http://music.local:80"),
        ])
    func loopbackForAllInterfaces(host: String, expected: String) {
        #expect(GatewayAddress(host: host, port: 80).description == expected)
    }

    @Test(
        "Each final state of a search has its exit status",
        arguments: [
            (SearchStatus.State.complete, 0), (.failed, 1), (.cancelled, 2), (.partial, 3),
        ] as [(SearchStatus.State, Int32)])
    func exitStatusesOfStates(state: SearchStatus.State, code: Int32) {
        #expect(SearchCommand.exit(for: state) == ExitCode(code))
    }

    @Test(
        "Each error has its exit status",
        arguments: [
            (GatewayError.unreachable(address: "a", reason: "b"), 69), (.unauthorized, 77),
            (.refused(status: 422, detail: "21 artists are too many"), 64), (.refused(status: 503, detail: "busy"), 1),
            (.forbidden(detail: "administrators only"), 77),
        ] as [(GatewayError, Int32)])
    func exitStatusesOfErrors(error: GatewayError, code: Int32) {
        #expect(CommandExit.status(for: error) == ExitCode(code))
    }
}
