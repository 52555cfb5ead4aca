import Model
import TestSupport
import Testing

@testable import CommandSupport

@Suite("The source of the token")
struct TokenSourceTests {
    @Test("The option overrides BACKLINE_TOKEN_FILE, which overrides BACKLINE_TOKEN")
    func precedenceOfSources() {
        let environment = ["BACKLINE_TOKEN_FILE": "theirs", "BACKLINE_TOKEN": "bl_x"]
        #expect(TokenSource(file: "mine", environment: environment) == .file("mine"))
        #expect(TokenSource(file: nil, environment: environment) == .file("theirs"))
        #expect(TokenSource(file: nil, environment: ["BACKLINE_TOKEN": "bl_x"]) == .variable(Secret("bl_x")))
        #expect(TokenSource(file: nil, environment: ["BACKLINE_TOKEN": ""]) == .nowhere)
    }

    @Test("Without a token, the error says how to get one")
    func missingToken() {
        let problem = #expect(throws: TokenSource.Problem.self) { _ = try TokenSource.nowhere.token() }
        #expect(problem?.description.contains("backline user add NAME") == true)
    }

    @Test("A token is read from its file without the line end")
    func tokenFile() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("bl_secret\n", to: "token")
        #expect(try TokenSource.file(path).token() == Secret("bl_secret"))
    }

    @Test("Text that is not a token is refused without showing it", arguments: ["two words", "bl_ž", "a\r\nHost: b"])
    func noToken(text: String) {
        let problem = #expect(throws: TokenSource.Problem.self) { _ = try TokenSource.variable(Secret(text)).token() }
        #expect(problem?.description.contains(text) == false)
        #expect(throws: TokenSource.Problem.self) { _ = try TokenSource.file("/nonexistent/token").token() }
    }
}
