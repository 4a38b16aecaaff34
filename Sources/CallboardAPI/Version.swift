extension Application {
    /// The program's version: `--version`, `/livez`, `/metrics`, the log, the OpenAPI document and packages name it.
    ///
    /// It is written down here and, as the image's label, in the Dockerfile; `.github/CHANGELOG.md` has a section for it.
    package static let version = "0.2.0"

    /// The content of `/livez`.
    package static let alive = "ok\ncallboard \(version)\n"
}
