import Foundation
import LibraryFiles
import TestSupport
import Testing

@Suite("Refusals say what a file is")
struct FileRefusalTests {
    private func refusal(_ data: Data) -> String {
        do {
            let file = try FileItems(data)
            return ([file.failure ?? ""] + file.skips).joined(separator: "\n")
        } catch {
            return "\(error)"
        }
    }

    @Test(
        "A web page is not an export",
        arguments: [
            "<!DOCTYPE html>\n<html lang=en><head><title>Sign in<link>", "<html></html>", "\n <HTML><body>",
            "<!-- saved from a page --><!doctype HTML>x",
            "<?xml version=\"1.0\"?>\n<!DOCTYPE html PUBLIC \"x\"><html/>",
            "<head><meta charset=utf-8>", "<body class=x>Error 404",
        ])
    func webPages(text: String) throws {
        let utf16 = try #require(text.data(using: .utf16))
        for data in [Data(text.utf8), Data([0xEF, 0xBB, 0xBF]) + Data(text.utf8), utf16] {
            #expect(refusal(data).hasPrefix("This is a web page and not an export; "), "\(refusal(data))")
        }
        let archive = ZipBytes.archive([
            ("archive_browser.html", Data(text.utf8)), ("a.csv", Data("Title,Artist\nA,B\n".utf8)),
        ])
        let file = try FileItems(Data(archive))
        #expect(file.failure == nil && file.tracks.count == 1)
        #expect(file.skips.first?.hasPrefix("1: archive_browser.html: This is a web page") == true, "\(file.skips)")
    }

    @Test("Damaged XML and other XML are still refused as such")
    func otherXML() {
        #expect(refusal(Data("<plist><dict>".utf8)).contains("The XML is incomplete or damaged"))
        #expect(refusal(Data("<!-- <html> --><other/>".utf8)).contains("This XML is neither"))
    }

    @Test("An archive whose bytes have changed is damaged, whatever its files seem to have become")
    func damagedArchives() throws {
        // Deflate: a block without compression that is longer than the directory says, and one of an unknown type.
        let long: [UInt8] = [1, 40, 0, 215, 255] + Array(repeating: UInt8(ascii: "a"), count: 40)
        for content in [long, [7, 7, 7, 7]] {
            let entry = ZipBytes.Entry(name: "a.csv", content: Data(content), size: 10, method: 8)
            let text = refusal(Data(ZipBytes.archive(of: [entry])))
            #expect(text.hasPrefix("The zip archive is damaged or incomplete. Download it again"), "\(text)")
            #expect(!text.contains("too large") && !text.contains("known kind"), "\(text)")
            let other = ZipBytes.Entry(name: "b.csv", content: Data("Title,Artist\nA,B\n".utf8))
            let file = try FileItems(Data(ZipBytes.archive(of: [entry, other])))
            #expect(file.failure == nil && file.tracks.count == 1 && file.skips.count == 1)
            #expect(file.skips.first?.contains("“a.csv” in the zip archive is damaged") == true, "\(file.skips)")
        }
    }

    @Test("A first line without names of columns is called so")
    func emptyHeads() {
        for text in [String(repeating: ",", count: 1_000_000), ";;;\n1;2;3;4\n", "\"\",\" \"\nA,B\n"] {
            let text = refusal(Data(text.utf8))
            #expect(text.contains("The first line of the file names no columns. "), "\(text)")
        }
        let late = refusal(Data((String(repeating: ",", count: 20) + "Length\n1\n").utf8))
        #expect(late.contains("The first line of the file has: “Length”. "), "\(late)")
    }
}
