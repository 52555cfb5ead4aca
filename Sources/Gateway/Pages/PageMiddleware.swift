import HTTPTypes
import Hummingbird

/// Serves the web pages: the shell, of which every page has its document, the assets that it loads, the service worker
/// and the manifest.
///
/// It runs before the router, so that pages need no routes. Where the router finds nothing, a browser gets the shell,
/// which shows its page for unknown addresses.
struct PageMiddleware: RouterMiddleware {
    typealias Context = GatewayContext

    private let site: SitePages
    /// `nil` when the gateway was started without pages.
    private let files: PageFiles?
    private let headers: PageHeaders
    /// The headers of the pages with a policy, by their paths.
    private let specialHeaders: [String: PageHeaders]

    /// - Parameter mediaSources: the origins from which pages may play audio.
    init(pages: WebFolder?, site: SitePages, mediaSources: [String]) {
        self.site = site
        files = pages.map { PageFiles($0, site: site) }
        headers = PageHeaders(mediaSources: mediaSources)
        specialHeaders = site.policies.mapValues { PageHeaders(mediaSources: mediaSources, policy: $0) }
    }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let path = request.uri.path
        let isReading = request.method == .get || request.method == .head
        let page = site.page(at: path)
        let rootFile = files?.rootFiles[path]
        if page != nil || rootFile != nil || path.hasPrefix("/assets/") {
            guard let files else { throw Problem.pagesUnavailable }
            let asset = files.asset(at: path)
            if let file = page.map(files.document) ?? rootFile ?? asset?.file {
                guard isReading else { throw Problem.methodNotAllowed(request, allowed: "GET, HEAD") }
                return answer(file, to: request, isVersioned: asset?.isVersioned ?? false)
            }
        }
        do {
            return try await next(request, context)
        } catch let error as any HTTPResponseError where error.status == .notFound {
            guard isReading, let files, !path.hasPrefix("/v1/"), request.acceptsHTML else { throw error }
            return answer(files.unknown, to: request, status: .notFound)
        }
    }

    private static let serviceWorkerPath = "/service-worker.js"

    /// - Parameter isVersioned: whether the path names the content, so that browsers may cache it for good.
    private func answer(
        _ file: WebFile, to request: Request, status: HTTPResponse.Status = .ok, isVersioned: Bool = false
    ) -> Response {
        let headers = specialHeaders[request.uri.path] ?? headers
        let compressed = request.acceptsGzip ? file.gzip : nil
        let form = compressed ?? file.plain
        var fields: HTTPFields = [
            // Browsers revalidate a document, which names the version of its files, and a file at the root, whose
            // address never changes. Most answers are 304.
            .cacheControl: isVersioned ? "public, max-age=31536000, immutable" : "no-cache",
            .eTag: form.entityTag, .contentType: file.contentType, .referrerPolicy: headers.referrerPolicy,
        ]
        if file.gzip != nil { fields[.vary] = "Accept-Encoding" }
        if compressed != nil { fields[.contentEncoding] = "gzip" }
        if file.contentType.hasPrefix("text/html") {
            fields[.contentSecurityPolicy] = headers.contentSecurityPolicy
            fields[.crossOriginOpenerPolicy] = headers.crossOriginOpenerPolicy
        } else if request.uri.path == Self.serviceWorkerPath {
            // A worker has the policy of its own file, not that of a page (w3.org/TR/CSP3, "worker-src").
            fields[.contentSecurityPolicy] = PageHeaders.serviceWorkerPolicy
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
    package var acceptsHTML: Bool {
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
