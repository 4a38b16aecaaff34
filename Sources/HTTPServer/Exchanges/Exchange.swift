import HTTPWire
import Reactor
import Synchronization

/// One request, read as a whole, and the way to answer it; or its head, for ``HTTPApplication/admit(_:)``.
package final class Exchange: Sendable {
    /// How much of a request is there.
    package enum Extent: Sendable {
        /// Its head. Nobody is kept waiting where it is not answered: the content comes then.
        case head
        /// All of it, and its head was admitted before.
        case admitted
        /// All of it.
        case whole
    }

    /// How much of the request is there.
    package let extent: Extent
    /// The request's head.
    package let head: RequestHead
    /// The request's content with any transfer coding taken off.
    package let body: [UInt8]
    /// The loop of the connection. `handle` is called there, and an answer from there costs no hop.
    package let loop: EventLoop
    /// The number of the request, unlike any other of this server.
    package let id: UInt64
    /// Where the request came from.
    package let peer: SocketAddress
    /// The certificate that the client has shown; nil where it has shown none.
    package let certificate: PeerCertificate?

    private let owner: any ExchangeOwner
    private let ticket: UInt64
    private let charge: Int
    private let isAnswered = Atomic<Bool>(false)
    /// The exchange in whose place this one is answered; it holds what is charged.
    private let outer: Exchange?
    /// Makes of an answer the one that is sent.
    private let wrap: (@Sendable (Response) -> Response)?

    /// Makes the exchange of a request that another request carries; an answer to it is the answer to that one.
    ///
    /// The other one must not be answered any more.
    ///
    /// - Parameter wrap: Makes of an answer the one to the other request; a stream goes out as it is.
    package convenience init(
        carriedBy outer: Exchange, head: RequestHead, peer: SocketAddress,
        wrap: @escaping @Sendable (Response) -> Response
    ) {
        outer.isAnswered.store(true, ordering: .relaxed)
        self.init(
            head: head, body: outer.body, loop: outer.loop, peer: peer, id: outer.id, owner: outer.owner,
            ticket: outer.ticket, charge: 0, certificate: nil, extent: outer.extent, outer: outer, wrap: wrap)
    }

    /// Makes an exchange; the server does so for each request, and a test for its own `owner`.
    ///
    /// - Parameter charge: The bytes that are charged to the owner's budget for the request, released with the exchange.
    package convenience init(
        head: RequestHead, body: [UInt8], loop: EventLoop, peer: SocketAddress, id: UInt64,
        owner: any ExchangeOwner, ticket: UInt64, charge: Int = 0, certificate: PeerCertificate? = nil,
        extent: Extent = .whole
    ) {
        self.init(
            head: head, body: body, loop: loop, peer: peer, id: id, owner: owner, ticket: ticket, charge: charge,
            certificate: certificate, extent: extent, outer: nil, wrap: nil)
    }

    private init(
        head: RequestHead, body: [UInt8], loop: EventLoop, peer: SocketAddress, id: UInt64,
        owner: any ExchangeOwner, ticket: UInt64, charge: Int, certificate: PeerCertificate?, extent: Extent,
        outer: Exchange?, wrap: (@Sendable (Response) -> Response)?
    ) {
        self.head = head
        self.body = body
        self.loop = loop
        self.peer = peer
        self.id = id
        self.owner = owner
        self.ticket = ticket
        self.charge = charge
        self.certificate = certificate
        self.extent = extent
        self.outer = outer
        self.wrap = wrap
    }

    deinit {
        if charge > 0 { owner.buffers.release(charge) }
        // Nobody can answer any more: without this the client would wait until it gave up.
        if extent != .head, !isAnswered.load(ordering: .relaxed) {
            owner.answer(.response(wrap?(.unanswered) ?? .unanswered), to: ticket)
        }
    }

    /// The address of the client without its port, as text; made anew at each call.
    package var remoteAddress: String { peer.host }

    /// Answers with everything at once; from any thread. Does nothing if the client has left meanwhile.
    package func respond(_ response: Response) {
        guard claimAnswer() else { return }
        owner.answer(.response(wrap?(response) ?? response), to: ticket)
    }

    /// Answers with a head and a body that is pulled from `producer`; from any thread.
    ///
    /// A `Content-Length` among the head's fields makes the producer answerable for exactly that many bytes.
    ///
    /// - Parameter closesConnection: Whether the connection closes after the stream, even if the client would keep it. It
    ///   closes in any case where the client has sent something while the stream went on: that is not read.
    package func stream(_ head: ResponseHead, from producer: any BodyProducer, closesConnection: Bool = false) {
        guard claimAnswer() else { return producer.connectionClosed() }
        var head = head
        head.forbidsSniffing = true
        owner.answer(.stream(head, producer, closesConnection: closesConnection), to: ticket)
    }

    /// A second answer would end up in the next request's place, so it is dropped; in a debug build it traps.
    private func claimAnswer() -> Bool {
        let isFirst = !isAnswered.exchange(true, ordering: .relaxed)
        assert(isFirst, "request \(id) was answered twice")
        return isFirst
    }
}

extension Response {
    /// The answer to a request that the application releases without an answer.
    static let unanswered = Response.refusal(.internalServerError, detail: "The request was not answered.")
}
