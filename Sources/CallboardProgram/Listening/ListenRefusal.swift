import HTTPTypes

/// Why a request is no event that the listener takes.
struct ListenRefusal: Error, Sendable, Equatable {
    /// The status that it is answered with.
    let status: HTTPResponse.Status
    /// What is wrong with it; it may quote what came in.
    let reason: String
}
