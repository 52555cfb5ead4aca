import Foundation
import Gateway
import HTTPTypes
import Hummingbird
import Model
import NIOCore
import Shares

/// The document of a link's page: text, two style sheets, a picture of this site, and a preview that is loaded when it
/// is played.
struct PublicSharePage: Sendable {
    private let previewHosts: MediaHosts

    init(previewHosts: MediaHosts) { self.previewHosts = previewHosts }

    /// No search engine lists the page, no other site learns its address, and nobody keeps a copy.
    var headers: HTTPFields {
        [
            .cacheControl: "no-store", .referrerPolicy: "no-referrer", .robotsTag: "noindex, nofollow, noarchive",
            .crossOriginOpenerPolicy: "same-origin",
        ]
    }

    private var policy: String {
        let media = previewHosts.policySources
        return [
            "default-src 'none'", "style-src 'self'", "img-src 'self'",
            "media-src " + (media.isEmpty ? "'none'" : media.joined(separator: " ")), "base-uri 'none'",
            "form-action 'none'", "frame-ancestors 'none'",
        ].joined(separator: "; ")
    }

    func response(_ status: HTTPResponse.Status, _ document: String, retryAfter: Int? = nil) -> Response {
        var headers = headers
        headers[.contentType] = "text/html; charset=utf-8"
        headers[.contentSecurityPolicy] = policy
        if let retryAfter { headers[.retryAfter] = String(retryAfter) }
        return Response(
            status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: document)))
    }

    // MARK: Documents

    /// - Parameters:
    ///   - sender: the name, where the link shows it.
    ///   - picture: the path of the picture; `nil` if there is none.
    func document(of share: LinkedShare, sender: String?, picture: String?) -> String {
        let song = share.song
        let artists = song.artists.joined(separator: ", ")
        var lines = ["<article class=\"linked-share\">"]
        if let picture {
            lines.append(
                "<img class=\"linked-picture\" src=\"\(escaped(picture))\" alt=\"\" width=\"300\" height=\"300\">")
        }
        lines.append("<div class=\"linked-words\">")
        lines.append(
            "<p class=\"linked-from\">\(sender.map { "<bdi>\(escaped($0))</bdi> shared a song" } ?? "A shared song")</p>"
        )
        lines.append("<h1 dir=\"auto\">\(escaped(song.title))</h1>")
        lines.append("<p class=\"linked-artists\" dir=\"auto\">\(escaped(artists))</p>")
        let details = [song.album.map(escaped), song.durationMs.map(Self.length)].compactMap(\.self)
        if !details.isEmpty {
            lines.append("<p class=\"linked-details\" dir=\"auto\">\(details.joined(separator: " · "))</p>")
        }
        if let message = share.message {
            lines.append("<blockquote class=\"linked-message\" dir=\"auto\">\(escaped(message))</blockquote>")
        }
        if let preview = song.preview, previewHosts.provider(of: preview) != nil {
            lines.append(
                "<audio class=\"linked-preview\" controls preload=\"none\" aria-label=\"Preview of the song\" "
                    + "src=\"\(escaped(preview))\"></audio>")
        }
        let links = Self.links(to: song)
        if !links.isEmpty {
            lines.append("<ul class=\"linked-services\">")
            for link in links {
                let verb = link.id == nil ? "Search" : "Open in"
                lines.append(
                    "<li><a href=\"\(escaped(link.url))\" rel=\"noopener noreferrer\">\(verb) \(link.source.displayName)"
                        + "</a></li>")
            }
            lines.append("</ul>")
        }
        lines.append("<p class=\"linked-end\">This link works until \(Self.day(share.expiresAt)) (UTC).</p>")
        lines.append("</div></article>")
        return whole(title: "\(song.title) – \(artists)", lines.joined(separator: "\n"))
    }

    /// The answer for every link that shows nothing, whatever the reason.
    var ended: String {
        whole(
            title: "This link is no longer valid",
            """
            <article class="linked-share"><div class="linked-words">
            <h1>This link is no longer valid</h1>
            <p>It may have expired, or its owner may have revoked it. Ask them for a new one, and check that the address
            is complete.</p>
            </div></article>
            """)
    }

    var tooManyRequests: String {
        whole(
            title: "Too many requests",
            """
            <article class="linked-share"><div class="linked-words">
            <h1>Too many requests</h1>
            <p>Your network has opened many links within a minute. Wait a little, and load the page again.</p>
            </div></article>
            """)
    }

    private func whole(title: String, _ content: String) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <title>\(escaped(title))</title>
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="robots" content="noindex, nofollow, noarchive">
        <meta name="color-scheme" content="light dark">
        <link rel="icon" href="/assets/shell/icon.svg" type="image/svg+xml">
        <link rel="stylesheet" href="/assets/shell/theme.css">
        <link rel="stylesheet" href="/assets/shares/link.css">
        </head>
        <body class="linked">
        <main>
        \(content)
        </main>
        <footer class="linked-footer">Backline</footer>
        </body>
        </html>

        """
    }

    // MARK: Parts

    private static func links(to song: ShareSong) -> [ServiceLink] {
        MusicSource.services.map { source in
            ServiceLink.links(to: song).first { $0.source == source }
                ?? ServiceLink(searchFor: song, at: source, country: nil)
        }
    }

    /// Minutes and seconds.
    private static func length(_ milliseconds: Int) -> String {
        let seconds = milliseconds / 1_000
        return "\(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
    }

    private static func day(_ moment: Timestamp) -> String { String(moment.description.prefix(10)) }

    /// A text as a part of the document or of an attribute's value.
    private func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
