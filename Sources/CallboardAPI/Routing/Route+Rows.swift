import Directors

extension Route {
    private static let path = "/v1/directors/{director}/sections/{section}/rows"

    /// The rows of a section of rows.
    static let rows: [Route] =
        list(
            at: path,
            ListWords(
                item: "Row", one: "a row", list: "Lists a section's rows, as the working state has them.",
                set: "Puts rows in place of all that a section holds.",
                add: "Adds one row or several to a section of rows.",
                move: "Moves a row in its section or to another section of rows.",
                swap: "Exchanges two rows of a section.",
                put: "Replaces a row, or adds it where no row of the section has the identifier.",
                patch: "Changes a row by merge patch; its elements stay unless the patch has them.",
                setDetails: "A section of elements becomes a section of rows; its elements go.",
                putDetails: "`at` says where a new row goes; it counts for nothing where the row is there.",
                placed: ("PlacedRow", "The row, with where it is."),
                bodies: (put: "RowInput", patch: "RowPatch", move: "RowMove"), pageQuery: [.withElements],
                readQuery: [.withElements], bodyQuery: [.reload, .withElements],
                putQuery: [.insertAt, .reload, .withElements], patchQuery: [.reload, .withElements]),
            { call throws(Problem) in RowResource(section: try call.address(1)) },
            put: { call, mutation, rows throws(Problem) in try mutation.putRow(call, rows) },
            patch: { call, mutation, rows throws(Problem) in try mutation.patchRow(call, rows) }) + [
            Route(
                method: .get, path: PathTemplate(path + "/{row}/index-paths"), requires: .right(.read),
                operationID: "listRowIndexPaths",
                summary: "Lists the index paths at which a row's elements are published.",
                details: "None where the row is hidden, or not published yet.",
                answers: [
                    .json(200, "The index paths, ascending, with the version that they are of.", "IndexPathList")
                ],
                asksSources: true,
                action: .read { call, reading throws(Problem) in try reading.listIndexPaths(call) })
        ]
}
