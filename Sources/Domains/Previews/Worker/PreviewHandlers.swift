import Contracts
import ITunes
import Identity
import Jobs
import Model
import Previews
import Storage
import Workers

extension JobHandler {
    /// Handles `previews.find`. If iTunes cannot be asked now, that is also a result, since somebody waits for it.
    static func previewsFind(_ itunes: ITunesProvider, database: Database) -> JobHandler {
        let finder = PreviewFinder(
            search: { term, country in
                try await itunes.call { try await $0.songs(term: term, country: country) }.map(StoreSong.init)
            },
            lookup: { id, country in
                try await itunes.call { try await $0.song(id: id, country: country) }.map(StoreSong.init)
            })
        return .calling(.previewsFind) { question, _ in
            // Somebody else may have asked for it in the meantime.
            let known = try await database.read { try $0.previews.answer(to: question, at: .now()) }
            if let known { return JobResult(PreviewFindResult(url: known.url)) }
            do {
                let url = try await finder.preview(of: question)
                return JobResult(PreviewFindResult(url: url)) { transaction, _ in
                    try transaction.previews.put(StoredPreview(url: url, foundAt: .now()), to: question)
                }
            } catch let failure as ProviderFailure {
                return JobResult(PreviewFindResult(retryAfter: failure.retryAfter()))
            }
        }
    }
}

extension StoreSong {
    fileprivate init(_ song: ITunesSong) {
        self.init(
            IdentityRecord(
                title: song.title, artist: song.artist, album: song.album, durationMs: song.durationMs,
                isExplicit: song.isExplicit),
            previewURL: song.previewURL)
    }
}

extension WorkerDomain {
    /// Looks for previews of songs at iTunes.
    package static let previews = WorkerDomain { process in
        [.previewsFind(try process.providers.itunes(), database: process.database)]
    }
}
