import TestSupport
import Testing

@testable import Commands

@Suite("doctor: the machine")
struct SystemCheckTests {
    @Test(
        "The versions of SQLite with the WAL-reset bug are known",
        arguments: [
            ("3.6.23", false), ("3.7.0", true), ("3.40.1", true), ("3.44.5", true), ("3.44.6", false), ("3.45.0", true),
            ("3.50.6", true), ("3.50.7", false), ("3.51.2", true), ("3.51.3", false), ("3.53.0", false),
        ])
    func walReset(version: String, hasBug: Bool) {
        #expect(DoctorCheck.hasWALResetBug(LibraryVersion(version)) == hasBug)
    }

    @Test("A version with the bug is reported with what prevents it; a version that is too old is a problem")
    func versionsOfLibraries() async throws {
        #expect(DoctorCheck.sqlite(version: "3.40.1").message.contains("lock file"))
        #expect(DoctorCheck.sqlite(version: "3.40.1").severity == .ok)
        #expect(DoctorCheck.sqlite(version: "3.34.0").severity == .problem)
        #expect(DoctorCheck.libcurl(version: "7.74.0").severity == .problem)
        #expect(DoctorCheck.libzmq(version: "4.2.5").severity == .problem)
        #expect(await DoctorCheck.libraries.findings(in: try .sample(TemporaryFolder())).worst == .ok)
    }

    @Test("Little free space is a warning, and very little is a problem")
    func freeSpace() {
        let total = Int64(100) << 30
        #expect(DoctorCheck.spaceFinding(free: 50 << 30, total: total, folder: "/d").severity == .ok)
        #expect(DoctorCheck.spaceFinding(free: 1 << 30, total: total, folder: "/d").severity == .warning)
        #expect(DoctorCheck.spaceFinding(free: 100 << 20, total: total, folder: "/d").severity == .problem)
    }

    @Test("A file system is found by the mount of a path, and a network file system is a problem")
    func fileSystems() {
        let mounts = """
            20 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
            30 20 0:40 / /srv/my\\040music rw,relatime - nfs4 host:/music rw
            31 20 8:2 / /srv rw shared:2 master:1 - xfs /dev/sdb rw
            """
        #expect(DoctorCheck.fileSystem(of: "/home/ada", mounts: mounts) == "ext4")
        #expect(DoctorCheck.fileSystem(of: "/srv/my music/data", mounts: mounts) == "nfs4")
        #expect(DoctorCheck.fileSystem(of: "/srvx", mounts: mounts) == "ext4")
        #expect(DoctorCheck.networkFinding(type: "nfs4", folder: "/x")?.severity == .problem)
        #expect(DoctorCheck.networkFinding(type: "xfs", folder: "/x") == nil)
    }

    @Test("A report names each check once, and ends with the count")
    func textOfTheReport() {
        let findings = [
            Finding(check: "disk", severity: .ok, message: "a"),
            Finding(check: "disk", severity: .warning, message: "b\u{1B}[2J", advice: "do"),
            Finding(check: "gateway", severity: .problem, message: "c", advice: "start"),
        ]
        let report = DoctorReport(findings: findings)
        #expect(report.worst == .problem)
        let lines = report.lines(isColored: false)
        #expect(
            lines == [
                "disk     ok       a", "         warning  b [2J", "                  → do", "gateway  problem  c",
                "                  → start", "", "1 problem, 1 warning.",
            ])
        #expect(report.lines(isColored: true)[0].contains("\u{1B}[32m"))
    }
}
