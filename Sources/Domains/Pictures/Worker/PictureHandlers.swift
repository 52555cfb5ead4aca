import Contracts
import Jobs
import Pictures
import Storage
import Workers

extension JobHandler {
    /// Handles `pictures.fetch`. The pictures it has fetched stay in the folder even if the job is cancelled.
    static func picturesFetch(_ provider: PictureProvider, folder: PictureFolder) -> JobHandler {
        .calling(.picturesFetch) { payload, _ in
            let fetched = try await withThrowingTaskGroup(of: Bool.self) { group in
                for item in payload.pictures.prefix(PictureBatch.capacity) {
                    group.addTask { try await fetch(item, from: provider, into: folder) }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            return JobResult(PictureFetchResult(fetched: fetched, refused: payload.pictures.count - fetched))
        }
    }

    /// - Returns: whether the folder has the picture now.
    private static func fetch(
        _ item: PictureFetchPayload.Item, from provider: PictureProvider, into folder: PictureFolder
    ) async throws -> Bool {
        let key = PictureKey(address: item.address, acceptsWebP: item.acceptsWebP)
        // Another person's page may have requested it in the meantime.
        if case .picture = await folder.entry(key) { return true }
        let picture: CheckedPicture
        do {
            picture = try await provider.picture(at: item.address, acceptsWebP: item.acceptsWebP)
        } catch is CancellationError {
            throw CancellationError()
        } catch let error as StorageError {
            // This says nothing about the picture.
            throw error
        } catch let refusal as PictureRefusal where refusal != .serverFailed {
            try? await folder.refuse(key)
            return false
        } catch {
            try Task.checkCancellation()
            // The network or the server failed, which may be over soon.
            try? await folder.refuse(key, for: PictureFolder.failureLifetime)
            return false
        }
        do {
            try await folder.store(picture, as: key)
        } catch {
            // Nor does a full disk say anything about the picture.
            throw JobFailure(
                code: "pictureNotStored",
                message: "A picture could not be written to the picture folder (\(error)). Its disk may be full.",
                remedy: .retry(after: nil))
        }
        return true
    }
}

extension WorkerDomain {
    /// Fetches pictures.
    package static let pictures = WorkerDomain { process in
        [
            .picturesFetch(
                try process.providers.pictures(), folder: PictureFolder(process.configuration[PictureSettings.self]))
        ]
    }
}
