/// What ``RequestParser/next(in:cursor:)`` found.
///
/// A request is one `head`, any number of `body` and one `end`, in this order.
package enum RequestEvent: Sendable, Hashable {
    /// Nothing more can be said before more bytes arrive after those given.
    case needMore
    /// A request begins.
    case head(RequestHead)
    /// Content of the request, as a range of the bytes that were given; never empty.
    case body(Range<Int>)
    /// The request is complete.
    case end
}
