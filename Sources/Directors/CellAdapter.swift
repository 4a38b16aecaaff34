import JSONValues

/// Pairs a model with a cell, and says how an element's identity and content are read from its value (FlowKit's
/// `CellAdapter`).
///
/// An adapter does not change: registering one with another content replaces it.
package final class CellAdapter: Sendable {
    /// The most pointers that content equality looks at.
    package static let maximumContentPointers = 64

    /// The name of the model.
    package let model: String

    /// The name of the cell.
    package let cell: String

    /// What the client dequeues the cell by; the cell's name unless said otherwise.
    package let reuseIdentifier: String

    /// Where the client finds the cell.
    package let viewSource: ViewSource

    /// How an element's identifier is read from its value.
    package let identifier: IdentifierTemplate

    /// What content equality looks at; nil for the whole value.
    package let content: [JSONPointer]?

    /// Makes an adapter; the names are taken as they are.
    package init(
        model: String,
        cell: String,
        reuseIdentifier: String? = nil,
        viewSource: ViewSource = .storyboard,
        identifier: IdentifierTemplate = .default,
        content: [JSONPointer]? = nil
    ) {
        self.model = model
        self.cell = cell
        self.reuseIdentifier = reuseIdentifier ?? cell
        self.viewSource = viewSource
        self.identifier = identifier
        self.content = content
    }
}

extension CellAdapter: Equatable {
    /// Compares all that an adapter says.
    package static func == (left: CellAdapter, right: CellAdapter) -> Bool {
        left === right
            || left.model == right.model && left.cell == right.cell && left.reuseIdentifier == right.reuseIdentifier
                && left.viewSource == right.viewSource && left.identifier == right.identifier
                && left.content == right.content
    }
}
