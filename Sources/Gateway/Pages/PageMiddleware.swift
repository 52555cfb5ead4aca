import HTTPTypes
import Hummingbird

/// Serves the web pages: the shell, which is the document of every page, and the assets that it loads.
///
/// It runs before the router, so that pages need no routes. Where the router finds nothing, a browser gets the shell,
/// which shows its page for unknown addresses.
struct PageMiddleware: RouterMiddleware {
    typealias Context = GatewayContext

    /// `nil` when the gateway was started without pages.
    let pages: WebFolder?

    let site: SitePages

    private let headers: PageHeaders
    /// The headers of the pages with a policy, by their paths.
    private let specialHeaders: [String: PageHeaders]

    /// - Parameter mediaSources: the origins from which pages may play audio.
    init(pages: WebFolder?, site: SitePages, mediaSources: [String]) {
        self.pages = pages
        self.site = site
        headers = PageHeaders(mediaSources: mediaSources)
        specialHeaders = site.policies.mapValues { PageHeaders(mediaSources: mediaSources, policy: $0) }
    }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let path = request.uri.path
        let isReading = request.method == .get || request.method == .head
        let isPage = site.contains(path)
        if isPage || path.hasPrefix("/assets/") {
            guard let pages else { throw Problem.pagesUnavailable }
            if let file = isPage ? pages.shell : path == SitePages.indexPath ? site.index : pages.assets[path] {
                guard isReading else { throw Problem.methodNotAllowed(request, allowed: "GET, HEAD") }
                return answer(file, to: request)
            }
        }
        do {
            return try await next(request, context)
        } catch let error as any HTTPResponseError where error.status == .notFound {
            guard isReading, let pages, !path.hasPrefix("/v1/"), request.acceptsHTML else { throw error }
            return answer(pages.shell, to: request, status: .notFound)
        }
    }

    private func answer(
        _ file: WebFile, to request: Request, status: HTTPResponse.Status = .ok
    ) -> Response {
        let headers = specialHeaders[request.uri.path] ?? headers
        let compressed = request.acceptsGzip ? file.gzip : nil
        let form = compressed ?? file.plain
        var fields: HTTPFields = [
            // Browsers revalidate every file, so that files of two versions are never mixed. Most answers are 304.
            .cacheControl: "no-cache", .eTag: form.entityTag, .contentType: file.contentType,
            .referrerPolicy: headers.referrerPolicy,
        ]
        if file.gzip != nil { fields[.vary] = "Accept-Encoding" }
        if compressed != nil { fields[.contentEncoding] = "gzip" }
        if file.contentType.hasPrefix("text/html") {
            fields[.contentSecurityPolicy] = headers.contentSecurityPolicy
            fields[.crossOriginOpenerPolicy] = headers.crossOriginOpenerPolicy
        }
        if status == .ok, request.knows(entityTag: form.entityTag) {
            (fields[.contentType], fields[.contentEncoding]) = (nil, nil)
            return Response(status: .notModified, headers: fields)
        }
        let body = ResponseBody(byteBuffer: ByteBuffer(bytes: form.bytes))
        let response = Response(status: status, headers: fields, body: body)
        return request.method == .head ? response.createHeadResponse() : response
    }
}

extension Request {
    /// Whether a browser opens a page: it accepts HTML, which programs do not ask for.
    var acceptsHTML: Bool {
        headers[.accept]?.lowercased().contains("text/html") == true
    }

    /// Whether the client accepts gzip (RFC 9110, section 12.5.3).
    fileprivate var acceptsGzip: Bool {
        let codings = headers[values: .acceptEncoding].flatMap { $0.lowercased().split(separator: ",") }
        return codings.contains { coding in
            let parts = coding.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            guard parts.first == "gzip" else { return false }
            return parts.dropFirst().allSatisfy {
                !$0.hasPrefix("q=") || (Double(decimal: $0.dropFirst(2), in: 0...1) ?? 0) > 0
            }
        }
    }
}

extension Problem {
    static let pagesUnavailable = Problem(
        .serviceUnavailable, code: .pagesUnavailable, title: "There are no web pages here",
        detail: "The gateway found no pages when it started; its log names the folder. The API works without them.")
}
