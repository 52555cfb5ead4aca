/// The page on which a person allows or refuses an app's request. It needs no script.
struct ConsentPage {
    var title: String
    /// The sentences above the list of what is requested.
    var introduction: [String]
    var list: [String] = []
    /// HTML between the list and the buttons.
    var fields = ""
    /// The title of each button, and the `decision` that it sends.
    var buttons: [(title: String, decision: String)]

    /// The page. Its form is sent to the page's own address, whose query contains the request.
    var answer: Answer {
        let paragraphs = introduction.map { "<p>\(Self.escape($0))</p>" }.joined(separator: "\n")
        let items = list.map { "<li>\(Self.escape($0))</li>" }.joined(separator: "\n")
        let buttons = buttons.map {
            "<button name=\"decision\" value=\"\(Self.escape($0.decision))\">\(Self.escape($0.title))</button>"
        }.joined(separator: "\n")
        return Self.page(
            title: title,
            """
            \(paragraphs)
            \(items.isEmpty ? "" : "<ul>\n\(items)\n</ul>")
            <form method="post">
            \(fields)
            <div class="buttons">
            \(buttons)
            </div>
            </form>
            """)
    }

    /// A page with an error instead of a decision.
    static func refusal(_ message: String) -> Answer {
        page(title: "Something is wrong with this link", "<p>\(escape(message))</p>", status: 400)
    }

    private static func page(title: String, _ content: String, status: Int = 200) -> Answer {
        let body = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(escape(title))</title>
            <style>
            :root { color-scheme: light dark; }
            body { font: 1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 2rem auto; padding: 0 1rem; }
            .buttons { display: flex; flex-wrap: wrap; gap: 1rem; margin-top: 1.5rem; }
            button { font: inherit; min-height: 2.75rem; padding: 0.5rem 1.5rem; }
            </style>
            </head>
            <body>
            <main>
            <h1>\(escape(title))</h1>
            \(content)
            </main>
            </body>
            </html>

            """
        return Answer(
            status: status, contentType: "text/html; charset=utf-8", body: body,
            headers: [("Cache-Control", "no-store")])
    }

    static func escape(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
    }
}
