import Notation

/// The members that a row adds to an element that it shows.
///
/// It is a class so that neighbouring elements of a row share one instance. Two instances are equal where their members
/// are.
final class RowMembers: Sendable {
    let row: String
    let cell: String
    let reuseIdentifier: String
    let height: Double?
    let estimatedHeight: Double?
    let afterSelection: String?
    let config: JSONObject?
    let style: RowStyle?

    init(
        row: String, cell: String, reuseIdentifier: String, height: Double?, estimatedHeight: Double?,
        afterSelection: String?, config: JSONObject?, style: RowStyle? = nil
    ) {
        self.row = row
        self.cell = cell
        self.reuseIdentifier = reuseIdentifier
        self.height = height
        self.estimatedHeight = estimatedHeight
        self.afterSelection = afterSelection
        self.config = config
        self.style = style
    }
}

extension RowMembers: Hashable {
    static func == (left: RowMembers, right: RowMembers) -> Bool {
        left === right
            || left.row.isVerbatim(right.row) && left.cell.isVerbatim(right.cell)
                && left.reuseIdentifier.isVerbatim(right.reuseIdentifier)
                && left.height == right.height && left.estimatedHeight == right.estimatedHeight
                && left.afterSelection.isVerbatim(right.afterSelection) && left.config == right.config
                && left.style == right.style
    }

    func hash(into hasher: inout Hasher) {
        row.hashVerbatim(into: &hasher)
        cell.hashVerbatim(into: &hasher)
        hasher.combine(height)
    }
}

extension RowMembers {
    /// Reads the members beside an element's identifier and value; nil where the element is an ordinary one, which has
    /// neither `row` nor `cell`.
    static func optional(_ reader: JSONReader) throws(RepresentationError) -> RowMembers? {
        guard reader.optional("row") != nil || reader.optional("cell") != nil else { return nil }
        return RowMembers(
            row: try reader.member("row").string(), cell: try reader.member("cell").string(),
            reuseIdentifier: try reader.member("reuseIdentifier").string(),
            height: try reader.optional("height")?.number(),
            estimatedHeight: try reader.optional("estimatedHeight")?.number(),
            afterSelection: try reader.optional("afterSelection")?.string(),
            config: try reader.optional("config")?.object(), style: try RowStyle(reader))
    }
}
