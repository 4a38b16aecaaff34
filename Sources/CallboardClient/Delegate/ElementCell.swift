/// A cell that shows elements of a list.
///
/// ```swift
/// final class SwitchCell: UITableViewCell, ElementCell {
///     func show(_ value: JSON) { textLabel?.text = value["label"]?.stringValue }
///     func apply(_ config: JSONObject?) { toggle.isOn = config?["on"]?.boolValue ?? false }
/// }
/// ```
@MainActor
public protocol ElementCell: AnyObject {
    /// Shows an element's value.
    func show(_ value: JSON)

    /// Applies what the element's row gives besides the value.
    ///
    /// It is called after `show(_:)`, each time; `config` is nil for an element that has none, so that a cell in reuse can
    /// take back what an earlier element has set. A cell that needs no config leaves the method out.
    func apply(_ config: JSONObject?)
}

extension ElementCell {
    /// Does nothing.
    public func apply(_ config: JSONObject?) {}

    /// Shows an element: its value, then its config.
    public func show(_ element: RemoteElement) {
        show(element.value)
        apply(element.config)
    }
}
