import Accounts
import Gateway
import Model
import People
import Shares
import Storage
import Visibility

/// Writes shares as the API shows them.
struct ShareWriter: Sendable {
    let pictures: PicturePaths
    /// The hosts from which pages may play audio.
    let previewHosts: MediaHosts
    /// The songs of shares as JSON, by the shares' numbers. What a share shows of its song never changes, and no number
    /// is given twice; a share reaches many feeds at the same moment.
    private let songs = SharedValues<Int64, [UInt8]>(maximumBytes: 4 << 20) { $0.count }

    init(pictures: PicturePaths, previewHosts: MediaHosts) {
        (self.pictures, self.previewHosts) = (pictures, previewHosts)
    }

    /// The shares as a viewer sees them, by id. Those of somebody who is being erased at this moment are left out.
    func documents(
        of shares: [Share], for viewer: Viewer, in reader: some SQLReader
    ) throws -> [ShareID: [UInt8]] {
        let senders = try reader.accounts.summaries(ofUsers: shares.map(\.sender.userID))
        let requests = try reader.people.requests(
            between: viewer, and: shares.filter { !$0.isMine }.map(\.sender.key))
        let songs = songs(of: shares)
        return shares.reduce(into: [:]) { documents, share in
            guard let sender = senders[share.sender.userID], let song = songs[share.id.number] else { return }
            let card = PersonCard(
                sender, share.sender, follow: requests.state(toward: share.sender),
                asksSince: requests.since(of: share.sender))
            documents[share.id] = JSONWriter.object { write(share, song, from: card, to: &$0) }
        }
    }

    /// The shares of many viewers: each as JSON, once for all who see the same of it.
    ///
    /// - Parameter shares: those that each of the viewers sees.
    func seenContents(
        of shares: [PersonKey: [Share]], for viewers: [Viewer], in reader: some SQLReader
    ) throws -> [SeenContent] {
        let all = shares.values.joined()
        let first = Dictionary(all.map { ($0.id.number, $0) }) { first, _ in first }
        let senders = try reader.accounts.summaries(ofUsers: Set(all.lazy.map(\.sender.userID)))
        let requests = try reader.people.requests(between: viewers, and: Set(all.lazy.map(\.sender.key)))
        let songs = songs(of: Array(first.values))
        var seen: [SeenShare: (share: Share, viewers: [PersonKey])] = [:]
        for (viewer, own) in shares {
            let requests = requests[viewer] ?? FollowRequests()
            for share in own { seen[SeenShare(share, requests), default: (share, [])].viewers.append(viewer) }
        }
        return seen.compactMap { one, group in
            guard let sender = senders[one.sender.userID], let song = songs[one.number] else { return nil }
            let card = PersonCard(sender, one.sender, follow: one.follow, asksSince: one.asksSince)
            return SeenContent(
                subject: one.number,
                content: FeedContent(
                    id: group.share.id.text, foldSource: one.sender.userID,
                    json: JSONWriter.object { write(group.share, song, from: card, to: &$0) }),
                viewers: group.viewers)
        }
    }

    private func songs(of shares: [Share]) -> [Int64: [UInt8]] {
        songs.values(of: shares.map(\.id.number)) { unknown in
            let unknown = Set(unknown)
            return shares.reduce(into: [:]) { songs, share in
                guard unknown.contains(share.id.number) else { return }
                songs[share.id.number] = JSONWriter.object { write(share.song, to: &$0) }
            }
        }
    }

    /// One share.
    func document(of share: Share, for viewer: Viewer, in reader: some SQLReader) throws -> [UInt8]? {
        try documents(of: [share], for: viewer, in: reader)[share.id]
    }

    private func write(_ share: Share, _ song: [UInt8], from sender: PersonCard, to json: inout JSONWriter) {
        json.member("id", share.id.text)
        json.member("sender") { json in json.object { sender.writeMembers(to: &$0, pictures) } }
        json.member("song", raw: String(decoding: song, as: UTF8.self))
        json.member("message", share.message)
        json.member("at", share.at)
        json.member("reactions") { json in json.object { write(share.reactions, to: &$0) } }
        json.member("thanked", share.reactions.hasThanked)
        json.member("isMine", share.isMine)
        json.member("pinnedUntil", share.pinnedUntil)
    }

    /// What the API shows of a song.
    func write(_ song: ShareSong, to json: inout JSONWriter) {
        json.member("title", song.title)
        json.member("artists") { json in json.array(song.artists) { $0.value($1) } }
        json.member("album", song.album)
        json.member("durationMs", song.durationMs)
        json.member("isrc", song.isrc)
        json.member("explicit", raw: song.isExplicit.map { $0 ? "true" : "false" })
        json.member("picture", pictures.path(of: song.picture))
        json.member("preview", preview(of: song))
        json.member("sources") { json in
            json.array(ServiceLink.links(to: song)) { json, link in json.object { link.writeMembers(to: &$0) } }
        }
    }

    private func write(_ reactions: ShareReactions, to json: inout JSONWriter) {
        json.member("counts") { json in
            json.object { json in
                json.member("heart", reactions.counts[.heart] ?? 0)
                json.member("fire", reactions.counts[.fire] ?? 0)
                json.member("laugh", reactions.counts[.laugh] ?? 0)
                json.member("wow", reactions.counts[.wow] ?? 0)
                json.member("sad", reactions.counts[.sad] ?? 0)
                json.member("dance", reactions.counts[.dance] ?? 0)
            }
        }
        json.member("thanks", reactions.thanks)
        json.member("mine", reactions.mine?.rawValue)
    }

    /// The stored address of a preview that pages may play.
    func preview(of song: ShareSong) -> String? {
        song.preview.flatMap { previewHosts.provider(of: $0) == nil ? nil : $0 }
    }
}

/// What differs between viewers of a share.
private struct SeenShare: Hashable {
    let number: Int64
    let sender: Standing
    let follow: FollowState
    let asksSince: Timestamp?
    let reactions: ShareReactions
    let isMine: Bool

    init(_ share: Share, _ requests: FollowRequests) {
        (number, sender, reactions, isMine) = (share.id.number, share.sender, share.reactions, share.isMine)
        // Nobody asks themselves.
        follow = requests.state(toward: sender)
        asksSince = requests.since(of: sender)
    }
}
