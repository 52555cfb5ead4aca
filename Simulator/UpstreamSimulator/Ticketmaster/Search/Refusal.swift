/// A 400 or 404 of the Discovery API, in the form in which its errors have been seen.
///
/// The forms differ between codes: most link `about`, DIS1015 links `self`, and DIS1024 and DIS1004 have the bare
/// number as their status.
package struct Refusal: Error, Equatable {
    package var code: String
    package var detail: String
    /// The HTTP status.
    package var status: Int
    /// The `status` in the body.
    package var statusText: String
    package var link: String

    init(
        code: String, detail: String, status: Int = 400, statusText: String = "400 BAD_REQUEST", link: String = "about"
    ) {
        self.code = code
        self.detail = detail
        self.status = status
        self.statusText = statusText
        self.link = link
    }

    static func notFound(id: String, locale: String) -> Refusal {
        Refusal(
            code: "DIS1004", detail: "Resource not found with provided criteria (locale=\(locale), id=\(id))",
            status: 404, statusText: "404")
    }

    static let dateFormat = Refusal(
        code: "DIS1015",
        detail: "Query param with date must be of valid format YYYY-MM-DDTHH:mm:ssZ {example: 2020-08-01T14:00:00Z }",
        link: "self")

    /// The message is off by one: 200 itself is served.
    static let pageSize = Refusal(code: "DIS1036", detail: "Query param \"size\" must be less than 200")

    static let pagingDepth = Refusal(
        code: "DIS1035",
        detail: "API Limits Exceeded: Max paging depth exceeded. (page * size) must be less than 1,000")

    static let resultLimit = Refusal(
        code: "DIS1024", detail: "Results limit exceeded. Please refine your search criteria.", statusText: "400")

    /// DIS1005 was seen for `sort`; that other malformed values also get it is an assumption.
    static func value(of parameter: String, allowed: String) -> Refusal {
        Refusal(
            code: "DIS1005", detail: "Query param \"\(parameter)\" may take one of these values only - {\(allowed)}",
            statusText: "400")
    }
}
