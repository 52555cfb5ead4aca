import Foundation
import Storage
import TestSupport
import Testing

@testable import Commands

@Suite("doctor: files")
struct FileCheckTests {
    @Test("A database made by Backline is private")
    func newDatabaseIsPrivate() async throws {
        try await withDatabase { _, folder in
            let findings = await DoctorCheck.files.findings(in: try .sample(folder))
            #expect(findings.worst == .ok, "\(findings.text)")
        }
    }

    @Test(
        "Each file that others can read is named with its mode and the remedy",
        arguments: ["", "-wal", "-shm", ".lock", ".gateway"])
    func filesThatOthersRead(suffix: String) async throws {
        try await withDatabase { database, folder in
            try await database.lockForGateway()
            let path = database.path + suffix
            #expect(chmod(path, 0o644) == 0)
            let findings = await DoctorCheck.files.findings(in: try .sample(folder))
            #expect(findings.count == 1 && findings.worst == .problem)
            #expect(findings[0].message.contains(path + " ") && findings[0].message.contains("0644"))
            #expect(findings[0].advice == "chmod 600 '\(path)'")
            #expect(chmod(path, 0o640) == 0)
            #expect(await DoctorCheck.files.findings(in: try .sample(folder)).worst == .warning)
        }
    }

    @Test("The file of Google's client secret is named when others can read it")
    func clientSecret() async throws {
        try await withDatabase { _, folder in
            let file = folder.file("google-client-secret")
            #expect(FileManager.default.createFile(atPath: file, contents: nil, attributes: [.posixPermissions: 0o644]))
            let context = try DoctorContext.sample(
                folder, environment: ["BACKLINE_GOOGLE_CLIENT_SECRET_FILE": file])
            #expect(await DoctorCheck.files.findings(in: context).compactMap(\.advice) == ["chmod 600 '\(file)'"])
        }
    }

    @Test("The folders of sockets and worker names are named when others can read them")
    func foldersThatOthersRead() async throws {
        try await withDatabase { _, folder in
            for name in ["run", "workers"] {
                try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
                #expect(chmod(folder.file(name), 0o755) == 0)
            }
            let findings = await DoctorCheck.files.findings(in: try .sample(folder))
            #expect(
                findings.compactMap(\.advice) == [
                    "chmod 700 '\(folder.file("workers"))'", "chmod 700 '\(folder.file("run"))'",
                ])
        }
    }

    @Test("Key files and token files that others can read are named, without their content")
    func keyFilesThatOthersRead() async throws {
        try await withDatabase { _, folder in
            let (key, token) = (folder.file("key"), folder.file("token"))
            for path in [key, token] {
                try Data("VERYSECRET".utf8).write(to: URL(fileURLWithPath: path))
                #expect(chmod(path, 0o644) == 0)
            }
            let context = try DoctorContext.sample(
                folder, environment: ["BACKLINE_TICKETMASTER_API_KEY_FILE": key, "BACKLINE_TOKEN_FILE": token])
            let findings = await DoctorCheck.files.findings(in: context)
            #expect(findings.count == 2 && findings.worst == .problem)
            #expect(findings.text.contains(key) && findings.text.contains(token))
            let all =
                findings + (await DoctorCheck.keys.findings(in: context))
                + (await DoctorCheck.configuration.findings(in: context))
            #expect(!all.text.contains("VERYSECRET"))
            #expect(all.text.contains("The installation has a Ticketmaster API key, from \(key)"))
        }
    }

    @Test("A folder that others can write to is a problem")
    func folderThatOthersWrite() async throws {
        try await withDatabase { _, folder in
            #expect(chmod(folder.path, 0o777) == 0)
            let findings = await DoctorCheck.files.findings(in: try .sample(folder))
            #expect(findings.worst == .problem && findings.text.contains("chmod go-w"))
        }
    }
}
