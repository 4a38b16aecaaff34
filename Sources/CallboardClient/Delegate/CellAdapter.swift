import Foundation
import ListDiff

/// The context of a cell adapter's closure.
@MainActor
public struct CellContext<Model, Cell: AnyObject> {
    /// The element's value, read as the adapter's model.
    public let element: Model
    /// The element as the list has it.
    public let remote: RemoteElement
    /// The element's place in the view.
    public let path: ElementPath
    /// The cell that shows the element, where there is one.
    public let cell: Cell?
    /// The size of the view.
    public let size: CGSize
    /// The event's further parameters, as the server is told them.
    public let parameters: JSONObject

    /// The element's place in the view, as UIKit has it.
    public var indexPath: IndexPath { [path.section, path.element] }
    /// Of `commitEdit`: what the user has asked for.
    public var editStyle: EditStyle? { parameters["style"].flatMap(EditStyle.init(answer:)) }
    /// Of `moveRow`: where the row stands now.
    public var destination: ElementPath? { parameters["to"].flatMap(ElementPath.init(answer:)) }
    /// Of `moveAdjustDestination`: where the row would go by itself.
    public var proposed: ElementPath? { parameters["proposed"].flatMap(ElementPath.init(answer:)) }
    /// Of a menu's events: the name of the action's selector, or in a context menu its identifier or title.
    public var action: String? { parameters["action"]?.stringValue }
    /// Of `contextMenu` and `addItemToDragSession`: the place that the user has touched, in the view.
    public var point: CGPoint? { parameters["point"].flatMap(CGPoint.init(answer:)) }
    /// Of `addItemToDragSession`: what is dragged already.
    public var items: [DragItem] { parameters["items"].flatMap([DragItem].init(answer:)) ?? [] }
}

/// The cell adapter of a table.
public typealias TableCellAdapter<Model: Decodable, Cell: AnyObject> = CellAdapter<Model, Cell, TableCellEvents>
/// The cell adapter of a collection.
public typealias CollectionCellAdapter<Model: Decodable, Cell: AnyObject> =
    CellAdapter<Model, Cell, CollectionCellEvents>

/// The cell adapter of a stack.
public typealias StackCellAdapter<Model: Decodable, Cell: AnyObject> = CellAdapter<Model, Cell, StackCellEvents>

/// Pairs a model with the cell that shows it, and carries its events.
///
/// ```swift
/// TableCellAdapter<Contact, ContactCell> { adapter in
///     adapter.events.dequeue = { context in context.cell?.contact = context.element }
///     adapter.events.didSelect = { context in show(context.element) }
/// }
/// ```
///
/// Events without a closure go to the server, if a hook is registered there.
@MainActor
public final class CellAdapter<Model: Decodable, Cell: AnyObject, Names: EventNames>: ElementAdapter {
    /// The elements that the adapter is for.
    public let subject: AdapterSubject
    /// The identifier that cells are reused by; nil is the one of the director's adapter.
    public let reuseIdentifier: String?
    /// The closures, by the event.
    public var events = EventHandlers<Names, CellContext<Model, Cell>>()
    private let decoder: JSONDecoder
    private var models = ModelCache<Model>()

    /// Makes an adapter.
    ///
    /// - Parameters:
    ///   - subject: The elements that it is for; those of the model that has the type's name, unless given.
    ///   - reuseIdentifier: The identifier that cells are reused by; the one of the director's adapter, unless given.
    ///   - decoder: Reads the values.
    ///   - configure: Sets the closures.
    public init(
        for subject: AdapterSubject = .model("\(Model.self)"), reuseIdentifier: String? = nil,
        decoder: JSONDecoder = JSONDecoder(), _ configure: (CellAdapter) -> Void
    ) {
        (self.subject, self.reuseIdentifier, self.decoder) = (subject, reuseIdentifier, decoder)
        configure(self)
    }

    func handles(_ name: String) -> Bool { events.handles(name) }

    func check(_ element: RemoteElement) throws { _ = try models.model(of: element, decoder) }

    func take(_ event: ListNotification, _ moment: ElementMoment) throws -> Bool {
        guard let closure = events.closure(for: event) else { return false }
        closure(try context(moment))
        return true
    }

    func answer<Answer>(_ event: ListQuestion<Answer>, _ moment: ElementMoment) throws -> Answer? {
        guard let closure = events.closure(for: event) else { return nil }
        return closure(try context(moment))
    }

    private func context(_ moment: ElementMoment) throws -> CellContext<Model, Cell> {
        CellContext(
            element: try models.model(of: moment.element, decoder), remote: moment.element, path: moment.path,
            cell: moment.cell as? Cell, size: moment.size, parameters: moment.parameters)
    }
}

/// The elements that an adapter is for.
public enum AdapterSubject: Sendable, Hashable {
    /// The elements of a model.
    case model(String)
    /// The elements of constant rows that are shown by a cell.
    case cell(String)
}

/// An event at an element, before its value is read.
struct ElementMoment {
    let element: RemoteElement
    let path: ElementPath
    let cell: AnyObject?
    let size: CGSize
    let parameters: JSONObject
}

/// A cell adapter of any model and cell.
@MainActor
protocol ElementAdapter: AnyObject {
    var subject: AdapterSubject { get }
    var reuseIdentifier: String? { get }
    /// Whether an event of a name has a closure.
    func handles(_ name: String) -> Bool
    /// Reads an element's value as the model, or throws.
    func check(_ element: RemoteElement) throws
    /// Gives an event to its closure; false where it has none.
    func take(_ event: ListNotification, _ moment: ElementMoment) throws -> Bool
    /// The answer of a question's closure; nil where it has none.
    func answer<Answer>(_ event: ListQuestion<Answer>, _ moment: ElementMoment) throws -> Answer?
}

/// The values that have been read last: UIKit asks several times about each cell that it shows.
struct ModelCache<Model: Decodable> {
    private var models: [RemoteElement.Identity: (value: JSON, model: Model)] = [:]
    private let limit = 500

    /// Reads an element's value.
    mutating func model(of element: RemoteElement, _ decoder: JSONDecoder) throws -> Model {
        if let value = element.value as? Model { return value }
        let identity = element.differenceIdentifier
        if let known = models[identity], known.value == element.value { return known.model }
        let model = try element.value.decode(as: Model.self, decoder: decoder)
        if models.count == limit { models.removeAll(keepingCapacity: true) }
        models[identity] = (element.value, model)
        return model
    }
}
