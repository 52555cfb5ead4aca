import Testing

@testable import Gateway

@Suite("The imports of JavaScript modules")
struct ModuleImportsTests {
    private static let imports = ModuleImports([
        "shell/main.js": """
        import { a } from "./router.js";
        import { b } from "../ui/dom.js";
        import "../pages.js";
        """,
        "shell/router.js": """
        import {
            first,
            second as other,
        } from "../ui/dom.js";
        const later = () => import("./not-found.js");
        // import { c } from "./commented.js";
        """,
        "shell/not-found.js": "import { b } from \"../ui/dom.js\";",
        "shell/commented.js": "", "pages.js": "export const pages = [];",
        "ui/dom.js": "import { d } from \"../ui/icons.js\";", "ui/icons.js": "import { b } from \"./dom.js\";",
        "ui/odd.js": """
        import { a } from "../../secret.js";
        import { b } from "/assets/ui/dom.js";
        import { c } from "https://elsewhere.example/c.js";
        import { d } from "./missing.js";
        """,
    ])

    @Test("A module needs what it imports, and what that imports, each once and its own imports first")
    func neededModules() {
        #expect(
            Self.imports.needed(by: "shell/main.js")
                == ["shell/main.js", "shell/router.js", "ui/dom.js", "pages.js", "ui/icons.js"])
        #expect(Self.imports.needed(by: "ui/dom.js") == ["ui/dom.js", "ui/icons.js"])
    }

    @Test("The folders of a module are those of what it needs, and of what that loads when it is used")
    func folders() {
        let imports = ModuleImports([
            "feed/feed.js": "import { a } from \"../shares/card.js\";\nimport { pages } from \"../pages.js\";",
            "shares/card.js": "const later = () => import(\"../people/report.js\");\nimport(module);",
            "people/report.js": "import { b } from \"../ui/dom.js\";", "ui/dom.js": "", "pages.js": "",
        ])
        #expect(imports.folders(of: "feed/feed.js") == ["feed", "people", "shares", "ui"])
        #expect(imports.needed(by: "feed/feed.js") == ["feed/feed.js", "shares/card.js", "pages.js"])
        #expect(imports.folders(of: "ui/dom.js") == ["ui"])
    }

    @Test("Specifiers that are not relative, lead out of the assets, or name no module are left out")
    func ignoredSpecifiers() {
        #expect(Self.imports.needed(by: "ui/odd.js") == ["ui/odd.js"])
        #expect(Self.imports.needed(by: "ui/missing.js").isEmpty)
    }
}
