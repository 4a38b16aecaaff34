/// When a loop runs the work that it is handed. Work of one priority keeps its order.
public enum LoopPriority: Sendable {
    /// In the next turn, all of it.
    case normal
    /// After the work of normal priority, 100 µs of it in each turn, and all of it once it has waited for 50 ms.
    case background
}
