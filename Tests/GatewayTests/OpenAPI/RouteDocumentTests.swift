import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import Gateway

@Suite("The routes of docs/openapi.yaml")
struct RouteDocumentTests {
    private func routes(_ gateway: TestGateway) -> Set<OpenAPIDocument.Operation> {
        Set(
            gateway.application.routes().routes.map { route in
                let path = route.path.description.split(separator: "/").map {
                    $0.first == ":" ? "{\($0.dropFirst())}" : "\($0)"
                }
                return OpenAPIDocument.Operation(method: route.method.rawValue, path: "/" + path.joined(separator: "/"))
            })
    }

    @Test("Every route is documented, and every documented route exists")
    func routesAreDocumented() async throws {
        try await TestGateway.run { gateway in
            let documented = Set(try OpenAPIDocument().operations.keys)
            let routes = routes(gateway)
            #expect(routes.count > 15)
            #expect(routes.subtracting(documented).sorted() == [], "not documented")
            #expect(documented.subtracting(routes).sorted() == [], "not there")
        }
    }

    @Test("Nobody can have a name that follows /v1/users/ in the path of something else")
    func pathsOfPeople() throws {
        let paths = try OpenAPIDocument().operations.keys.map(\.path)
        let names = paths.compactMap { path -> String? in
            let parts = path.split(separator: "/")
            guard parts.count > 2, parts[0] == "v1", parts[1] == "users", parts[2].first != "{" else { return nil }
            return String(parts[2])
        }
        #expect(Set(names) == Username.paths)
    }

    @Test("Every operation under /v1 needs a token but those that sign in and calendars, and the document says so")
    func operationsThatNeedAToken() async throws {
        @Sendable func signsIn(_ operation: OpenAPIDocument.Operation) -> Bool {
            operation.path.hasPrefix("/v1/auth")
                || ["", "/invitation", "/invitation/check"].contains {
                    operation.description == "POST /v1/session" + $0
                }
        }
        @Sendable func isLink(_ operation: OpenAPIDocument.Operation) -> Bool {
            ["/p/", "/v1/calendar/"].contains { operation.path.hasPrefix($0) }
        }
        try await TestGateway.run { gateway in
            let operations = try OpenAPIDocument().operations
            for (operation, description) in operations {
                let responses = try #require(description["responses"] as? [String: Any])
                let isOpen = (description["security"] as? [Any])?.isEmpty == true
                let needsNoToken = !operation.path.hasPrefix("/v1/") || signsIn(operation) || isLink(operation)
                #expect(isOpen == needsNoToken, "\(operation)")
                // The addresses that a browser opens to sign in always redirect to a page. The metrics need a token
                // from another machine.
                let mayAsk =
                    operation.path.hasPrefix("/v1/") && !isLink(operation) || operation.path == "/metrics"
                let asksWho = mayAsk && !(signsIn(operation) && operation.method == "GET")
                #expect((responses["401"] != nil) == asksWho, "\(operation)")
                // The links that work without an account have a limit of their own.
                #expect((responses["429"] != nil) == (mayAsk || isLink(operation)), "\(operation)")
            }
            let requests = operations.map { operation, description in
                (operation, (description["security"] as? [Any])?.isEmpty == true)
            }
            try await gateway.withClient { client in
                for (operation, isOpen) in requests where !signsIn(operation) {
                    let method = try #require(HTTPRequest.Method(rawValue: operation.method))
                    let path = operation.path.replacing(/{[a-z]+}/, with: "1")
                    let status = try await client.execute(uri: path, method: method).status
                    let open: HTTPResponse.Status = isLink(operation) ? .notFound : .ok
                    #expect(status == (isOpen ? open : .unauthorized), "\(operation)")
                }
            }
        }
    }

    @Test("Operations have unique names and document their path parameters")
    func namesAndPathParameters() throws {
        let document = try OpenAPIDocument()
        var names: Set<String> = []
        for (operation, description) in try document.operations {
            let name = try #require(description["operationId"] as? String, "\(operation)")
            #expect(names.insert(name).inserted, "\(name) twice")
            let parameters = (description["parameters"] as? [[String: Any]] ?? []).map { parameter in
                (parameter["$ref"] as? String).flatMap { document.value(at: String($0.dropFirst(2))) as? [String: Any] }
                    ?? parameter
            }
            let inPath = Set(parameters.filter { $0["in"] as? String == "path" }.compactMap { $0["name"] as? String })
            let wanted = operation.path.matches(of: /{([^}]+)}/).map { String($0.1) }
            #expect(inPath == Set(wanted), "\(operation)")
        }
    }

    @Test("Every reference resolves, and every component is used")
    func resolvedReferences() throws {
        let document = try OpenAPIDocument()
        var used: Set<String> = []
        document.visit { object, place in
            guard let reference = object["$ref"] as? String else { return }
            used.insert(reference)
            #expect(
                reference.hasPrefix("#/") && document.value(at: String(reference.dropFirst(2))) != nil,
                "\(place): \(reference)")
        }
        for kind in ["parameters", "headers", "responses", "schemas"] {
            for name in try #require(document.value(at: "components/\(kind)") as? [String: Any]).keys {
                #expect(used.contains("#/components/\(kind)/\(name)"), "nothing refers to \(kind)/\(name)")
            }
        }
    }
}
