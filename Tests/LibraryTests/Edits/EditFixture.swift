import Model
import Synchronization
import TestSupport
import Testing

@testable import Library
@testable import LibraryEdits
@testable import LibraryWriting
@testable import Storage

/// A service that edits are written to and that a test can disturb, with a library that knows some of its songs.
final class EditFixture: Sendable {
    /// What goes wrong with a write request, or with the transaction after it.
    enum Fault: Sendable, CaseIterable {
        /// The process dies before the request is sent.
        case killedBefore
        /// The process dies after the service has made the write.
        case killedAfter
        /// The service makes the write, but its answer is lost.
        case answerLost
        /// The request is lost, which cannot be distinguished from a lost answer.
        case requestLost
        /// The service answers with status 500 after a part of the write. Spotify writes all or nothing; Apple
        /// guarantees nothing.
        case partlyMade
        /// The service answers with status 429.
        case refused
        /// Somebody else changes the list while the answer is lost.
        case answerLostAndOthers
    }

    /// The services that accept changes.
    static let sources: [MusicSource] = [.appleMusic, .spotify]

    struct KillError: Error {}

    /// The job is handed back at a checkpoint.
    struct StopError: Error {}

    struct State {
        var calls = 0
        var faults: [Int: Fault] = [:]
        /// The transactions after which the process dies.
        var commits = 0
        var killedCommits: Set<Int> = []
        /// The transactions at which the worker is told to stop.
        var stoppedCommits: Set<Int> = []
        var clock = TestLibrary.moment(1_000)
        var snapshot = 0
        var saved: Set<String> = []
        /// Whether the last write that was disturbed was made.
        var wasMade = false
        var questions = 0
        /// Whether new playlists are not shown.
        var isLate = false
        /// The numbers of the songs that the service refuses.
        var refused: Set<Int> = []
        /// What others do immediately before and after a write request, by the request's number.
        var before: [Int: @Sendable (EditFixture) -> Void] = [:]
        var after: [Int: @Sendable (EditFixture) -> Void] = [:]
    }

    let source: MusicSource
    let service: ScriptedLibrary
    let library: TestLibrary
    let state: Mutex<State>
    /// Whether Spotify shows songs with valid catalog ids.
    private let showsCatalogIDs: Bool

    init(_ source: MusicSource, _ library: TestLibrary, showsCatalogIDs: Bool = false) async throws {
        self.source = source
        self.showsCatalogIDs = showsCatalogIDs
        self.library = library
        service = ScriptedLibrary(source, pageSize: 50)
        state = Mutex(State())
        let scan = try await library.scan(source, account: "account-1")
        try await library.database.write { transaction in
            try transaction.run(
                """
                INSERT INTO library_sources (library_id, source, account_id, credential)
                VALUES (\(library.libraryID), \(source.number), \(scan.accountID), 'account-1')
                """)
        }
        try await library.save(Self.songs(source), source, account: "account-1")
    }

    /// The songs in the library, in order.
    static func songs(_ source: MusicSource) -> [SourceTrack] {
        (0..<260).map { number in
            var track = SourceTrack.made(id(number, source), "Title \(number)", by: "Artist \(number)", added: 1)
            if source == .appleMusic { (track.catalogID, track.storefront) = ("\(1_000 + number)", "de") }
            return track
        }
    }

    static func id(_ number: Int, _ source: MusicSource) -> String { source == .spotify ? "s\(number)" : "i.\(number)" }

    // MARK: The service

    func fail(call: Int, _ fault: Fault) { state.withLock { $0.faults[call] = fault } }

    func kill(afterCommit number: Int) { _ = state.withLock { $0.killedCommits.insert(number) } }

    func stop(atCommit number: Int) { _ = state.withLock { $0.stoppedCommits.insert(number) } }

    var calls: Int { state.withLock { $0.calls } }

    var commits: Int { state.withLock { $0.commits } }

    var now: Timestamp { state.withLock { $0.clock } }

    var saved: Set<String> {
        get { state.withLock { $0.saved } }
        set { state.withLock { $0.saved = newValue } }
    }

    /// The numbers of a playlist's songs at the service.
    func numbers(_ playlist: String) -> [Int] {
        (service.content.entries[playlist] ?? []).compactMap { entry in
            guard case .track(let track) = entry.content else { return nil }
            return Int(track.sourceID.drop { !$0.isNumber }).map { $0 >= 1_000 ? $0 - 1_000 : $0 }
        }
    }

    func setNumbers(_ numbers: [Int], of playlist: String) { set(numbers, of: playlist) }

    func set(_ numbers: [Int], of playlist: String) {
        let version = state.withLock { state in
            state.snapshot += 1
            return "snapshot-\(state.snapshot)"
        }
        let songs = shownSongs
        service.change { content in
            content.entries[playlist] = numbers.enumerated().map {
                SourcePlaylistEntry(position: $0, content: .track(songs[$1]), addedAt: nil)
            }
            guard let index = content.playlists.firstIndex(where: { $0.sourceID == playlist }) else { return }
            content.playlists[index].version = source == .spotify ? version : nil
        }
    }

    /// The songs as the service shows them, by number.
    var shownSongs: [SourceTrack] {
        let songs = Self.songs(source)
        guard showsCatalogIDs else { return songs }
        return songs.enumerated().map { number, song in
            var song = song
            song.sourceID = Self.catalogID(number, source)
            return song
        }
    }

    static func catalogID(_ number: Int, _ source: MusicSource) -> String {
        (source == .spotify ? String(repeating: "s", count: 18) : "") + "\(1_000 + number)"
    }

    /// Makes the service hide a playlist.
    func hide(_ playlist: String) { service.change { _ = $0.forbidden.insert(playlist) } }

    func showAll() { service.change { $0.forbidden = [] } }

    private func number(_ track: EditTrack) -> Int {
        let number = Int(track.id.drop { !$0.isNumber }) ?? -1
        return number >= 1_000 ? number - 1_000 : number
    }

    /// Makes a write, with what others do before and after it.
    private func write<Value>(
        _ count: Int = 0, _ body: (_ count: Int) throws -> Value, others: () -> Void = {}
    ) throws -> Value {
        let (number, before, after) = state.withLock { state in
            state.calls += 1
            return (state.calls, state.before[state.calls], state.after[state.calls])
        }
        before?(self)
        defer { after?(self) }
        return try write(number: number, count, body, others: others)
    }

    /// Makes a write, with the fault for its number.
    private func write<Value>(
        number: Int, _ count: Int, _ body: (_ count: Int) throws -> Value, others: () -> Void
    ) throws -> Value {
        let fault = state.withLock { $0.faults[number] }
        if fault != nil { state.withLock { $0.wasMade = ![.killedBefore, .requestLost, .refused].contains(fault) } }
        switch fault {
        case nil: return try body(count)
        case .killedBefore: throw KillError()
        case .killedAfter:
            _ = try body(count)
            throw KillError()
        case .answerLost:
            _ = try body(count)
            throw ProviderFailure(source.provider ?? .spotify, .timedOut, message: "No answer.")
        case .requestLost: throw ProviderFailure(source.provider ?? .spotify, .notReached, message: "No answer.")
        case .partlyMade:
            _ = try body(source == .spotify ? count : count / 2)
            throw ProviderFailure(source.provider ?? .spotify, .serverError, message: "Status 500.")
        case .refused: throw ProviderFailure(source.provider ?? .spotify, .rateLimited, until: now, message: "Wait.")
        case .answerLostAndOthers:
            _ = try body(count)
            others()
            throw ProviderFailure(source.provider ?? .spotify, .timedOut, message: "No answer.")
        }
    }

    private func version(of playlist: String) -> String? {
        service.content.playlists.first { $0.sourceID == playlist }?.version
    }

    private func addOther(to playlist: String) { set(numbers(playlist) + [259], of: playlist) }

    var upstream: EditUpstream {
        let isSpotify = source == .spotify
        return EditUpstream(
            library: service.librarySource,
            save: { [self] tracks in
                try write { _ in state.withLock { $0.saved.formUnion(tracks.map(\.id)) } }
            },
            unsave: { [self] tracks in
                try write { _ in state.withLock { $0.saved.subtract(tracks.map(\.id)) } }
            },
            areSaved: isSpotify ? { @Sendable [self] tracks in tracks.map { saved.contains($0.id) } } : nil,
            create: { [self] name, description, isPublic in
                try write { _ in
                    let id = "p\(service.content.playlists.count)"
                    var playlist = SourcePlaylist(sourceID: id, name: name)
                    (playlist.description, playlist.isPublic) = (description, isPublic)
                    playlist.ownerID = isSpotify ? "me" : nil
                    service.change { $0.playlists.insert(playlist, at: 0) }
                    set([], of: id)
                    if state.withLock({ $0.isLate }) { hide(id) }
                    return EditUpstream.CreatedPlaylist(sourceID: id, version: version(of: id), ownerID: "me")
                }
            },
            append: { [self] playlist, tracks in
                guard state.withLock({ $0.refused }).isDisjoint(with: tracks.map(number)) else {
                    throw ProviderFailure(source.provider ?? .spotify, .requestRefused, message: "Status 404.")
                }
                return try write(tracks.count) { count in
                    set(numbers(playlist) + tracks.prefix(count).map(number), of: playlist)
                    return version(of: playlist)
                } others: {
                    addOther(to: playlist)
                }
            },
            insert: { [self] playlist, tracks, position in
                guard state.withLock({ $0.refused }).isDisjoint(with: tracks.map(number)) else {
                    throw ProviderFailure(source.provider ?? .spotify, .requestRefused, message: "Status 400.")
                }
                return try write(tracks.count) { count in
                    var list = numbers(playlist)
                    list.insert(contentsOf: tracks.prefix(count).map(number), at: position)
                    set(list, of: playlist)
                    return version(of: playlist)
                } others: {
                    addOther(to: playlist)
                }
            },
            remove: { [self] playlist, ids in
                try write { _ in
                    let removed = Set(ids.map { number(EditTrack(id: $0)) })
                    set(numbers(playlist).filter { !removed.contains($0) }, of: playlist)
                    return version(of: playlist)
                }
            },
            rename: { [self] playlist, name, description in
                try write { _ in
                    service.change { content in
                        guard let index = content.playlists.firstIndex(where: { $0.sourceID == playlist }) else {
                            return
                        }
                        (content.playlists[index].name, content.playlists[index].description) = (name, description)
                    }
                }
            },
            mark: { [self] playlist in
                let content = service.content
                guard content.playlists.contains(where: { $0.sourceID == playlist }),
                    !content.forbidden.contains(playlist)
                else { return nil }
                return PlaylistMark(count: numbers(playlist).count, version: version(of: playlist))
            },
            describe: { [source] ids in
                ids.map { SourceTrack(sourceID: $0, title: "Described \($0)", artist: "Artist", album: "") }
                    .map { track in
                        var track = track
                        if source == .appleMusic { (track.catalogID, track.storefront) = (track.sourceID, "de") }
                        return track
                    }
            })
    }
}
