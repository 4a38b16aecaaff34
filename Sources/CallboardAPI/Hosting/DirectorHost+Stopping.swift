import Journal

extension DirectorHost {
    /// The director as it is stored, for a snapshot, and the number of the record that it comes after; nil for one that
    /// is not there.
    func captureStored() -> (DirectorCapture, number: Int)? {
        guard case .living = phase else { return nil }
        return (storedCapture, storedNumber)
    }

    /// What is stored, to make a snapshot of.
    var storedCapture: DirectorCapture {
        DirectorCapture(director: stored, versions: history.retained, definitionVersion: definitionVersion)
    }
}
