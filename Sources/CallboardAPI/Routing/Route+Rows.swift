import HTTPTypes

extension Route {
    private static let path = "/v1/directors/{director}/sections/{section}/rows"

    /// The rows of a section of rows.
    static let rows: [Route] = [
        Route(
            method: .get, path: PathTemplate(path), requires: .right(.read), operationID: "listRows",
            summary: "Lists a section's rows, as the working state has them.", query: [.offset, .limit, .withElements],
            answers: [.json(200, "A page of rows.", "RowList"), .unchanged],
            action: .read { call, reading throws(Problem) in try reading.listRows(call) }),
        Route(
            method: .put, path: PathTemplate(path), requires: .right(.mutate), operationID: "setRows",
            summary: "Puts rows in place of all that a section holds.",
            details: "A section of elements becomes a section of rows; its elements go.",
            query: [.reload, .withElements], body: .json("RowsBody"),
            answers: [.json(200, "The first page of the new rows.", "RowList"), .minimal],
            action: .change { call, mutation throws(Problem) in try mutation.setRows(call) }),
        Route(
            method: .post, path: PathTemplate(path), requires: .right(.mutate), operationID: "addRows",
            summary: "Adds one row or several to a section of rows.", query: [.insertAt, .reload, .withElements],
            body: .json("RowsBody"),
            answers: [.json(201, "The row that was added, or the list of them.", "RowOrList"), .minimal],
            action: .change { call, mutation throws(Problem) in try mutation.addRows(call) }),
        Route(
            method: .delete, path: PathTemplate(path), requires: .right(.mutate), operationID: "removeRows",
            summary: "Removes the rows at some positions, or all.", query: [.removeAt, .reload],
            answers: [.empty(204, "They are gone.")],
            action: .change { call, mutation throws(Problem) in try mutation.removeRows(call) }),
        Route(
            method: .post, path: PathTemplate(path + ":move"), requires: .right(.mutate), operationID: "moveRow",
            summary: "Moves a row in its section or to another section of rows.", query: [.reload],
            body: .json("RowMove"), answers: [.json(200, "The director.", "Director"), .minimal],
            action: .change { call, mutation throws(Problem) in try mutation.moveRow(call) }),
        Route(
            method: .post, path: PathTemplate(path + ":swap"), requires: .right(.mutate), operationID: "swapRows",
            summary: "Exchanges two rows of a section.", query: [.reload], body: .json("Swap"),
            answers: [.json(200, "The director.", "Director"), .minimal],
            action: .change { call, mutation throws(Problem) in try mutation.swapRows(call) }),
        Route(
            method: .get, path: PathTemplate(path + "/{row}"), requires: .right(.read),
            operationID: "readRow", summary: "Reads a row.",
            query: [.withElements], answers: [.json(200, "The row, with where it is.", "PlacedRow"), .unchanged],
            action: .read { call, reading throws(Problem) in try reading.readRow(call) }),
        Route(
            method: .put, path: PathTemplate(path + "/{row}"), requires: .right(.mutate), operationID: "putRow",
            summary: "Replaces a row, or adds it where no row of the section has the identifier.",
            details: "`at` says where a new row goes; it counts for nothing where the row is there.",
            query: [.insertAt, .reload, .withElements], body: .json("RowInput"),
            answers: [.json(200, "It was there.", "PlacedRow"), .json(201, "It is new.", "PlacedRow"), .minimal],
            action: .change { call, mutation throws(Problem) in try mutation.putRow(call) }),
        Route(
            method: .patch, path: PathTemplate(path + "/{row}"), requires: .right(.mutate), operationID: "patchRow",
            summary: "Changes a row by merge patch; its elements stay unless the patch has them.",
            query: [.reload, .withElements], body: .mergePatch("RowPatch"),
            answers: [.json(200, "The row.", "PlacedRow"), .minimal],
            action: .change { call, mutation throws(Problem) in try mutation.patchRow(call) }),
        Route(
            method: .delete, path: PathTemplate(path + "/{row}"), requires: .right(.mutate),
            operationID: "removeRow", summary: "Removes a row.",
            query: [.reload], answers: [.empty(204, "It is gone.")],
            action: .change { call, mutation throws(Problem) in try mutation.removeRow(call) }),
        Route(
            method: .get, path: PathTemplate(path + "/{row}/index-paths"), requires: .right(.read),
            operationID: "listRowIndexPaths",
            summary: "Lists the index paths at which a row's elements are published.",
            details: "None where the row is hidden, or not published yet.",
            answers: [.json(200, "The index paths, ascending, with the version that they are of.", "IndexPathList")],
            action: .read { call, reading throws(Problem) in try reading.listIndexPaths(call) }),
    ]
}
