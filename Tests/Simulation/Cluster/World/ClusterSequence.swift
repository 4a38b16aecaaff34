import Journal

/// Steps that lead to where a fault would show, and that random steps alone come to too seldom.
///
/// Two nodes take part: the one that owns the directors at the beginning, and another one. A director is
/// handed over where it belongs to the other node, so each sequence is tried with either of them as the owner.
struct ClusterSequence {
    /// Which of the two nodes a step is about.
    enum Role {
        case owner
        case other
    }

    /// What a fault would show by it.
    let fault: ClusterFault
    let steps: [(Role, ClusterStep.Action)]
    /// How many directors and nodes there have to be.
    let names: Int
    let nodes: Int

    private init(_ fault: PlantedFault, names: Int = 1, nodes: Int = 2, _ parts: [(Role, ClusterStep.Action)]...) {
        (self.fault, steps, self.names, self.nodes) = (.decision(fault), parts.flatMap { $0 }, names, nodes)
    }

    private init(_ fault: SurroundingFault, names: Int = 1, nodes: Int = 2, _ parts: [(Role, ClusterStep.Action)]...) {
        (self.fault, steps, self.names, self.nodes) = (.surrounding(fault), parts.flatMap { $0 }, names, nodes)
    }

    /// The steps, with the numbers of the nodes and the director.
    func steps(owner: Int, other: Int, name: Int) -> [ClusterStep] {
        steps.map { ClusterStep(action: $0.1, name: name, node: $0.0 == .owner ? owner : other) }
    }

    // MARK: Parts

    /// A client's change is stored and acknowledged.
    private static func change(
        at role: Role, key: Int? = nil, _ command: Command = .set
    ) -> [(Role, ClusterStep.Action)] {
        [(role, .command(command, key: key)), (role, .write(4)), (role, .handle(2))]
    }

    /// A change's transaction has run; its sender has no answer.
    private static let unanswered: [(Role, ClusterStep.Action)] = [
        (.owner, .command(.set, key: nil)), (.owner, .write(1)), (.owner, .proceed(0)), (.owner, .loseAnswer),
    ]

    /// The owner stands still for longer than its lease, and the other node takes its directors.
    private static let takeover: [(Role, ClusterStep.Action)] = [
        (.owner, .pause), (.owner, .wait(9)), (.other, .look(takes: true, gives: false)), (.other, .handle(6)),
    ]

    /// What is owned and belongs elsewhere is handed over.
    private static func handover(by role: Role) -> [(Role, ClusterStep.Action)] {
        [(role, .look(takes: false, gives: true)), (role, .handle(6)), (role, .write(3))]
    }

    private static func look(at role: Role) -> [(Role, ClusterStep.Action)] {
        [(role, .look(takes: false, gives: false)), (role, .handle(6))]
    }

    /// A pair is queued at its owner, and another node takes one of its directors: the one whose place it is.
    private static let halfTaken: [(Role, ClusterStep.Action)] = [
        (.owner, .pair), (.owner, .pause), (.owner, .wait(9)), (.other, .look(takes: true, gives: false)),
    ]

    // MARK: Sequences

    /// All of them.
    static let all: [ClusterSequence] = commits + losses + handovers + loads + failures

    private static let commits = [
        ClusterSequence(
            .noBarrier, [(.owner, .command(.set, key: nil)), (.owner, .write(1)), (.owner, .proceed(0))],
            [(.owner, .restartPrimary)], look(at: .other), [(.owner, .failOver)]),
        ClusterSequence(
            .readsEnding, [(.owner, .command(.delete, key: nil)), (.owner, .write(3))], look(at: .other),
            change(at: .other, .create), [(.owner, .read)]),
        ClusterSequence(
            .readsInFlight, [(.owner, .command(.set, key: nil)), (.owner, .write(1)), (.owner, .proceed(0))],
            [(.owner, .proceed(0)), (.other, .read)], look(at: .other), [(.owner, .read)]),
        ClusterSequence(
            .readsUnborn, change(at: .owner, .delete), look(at: .other), [(.owner, .command(.create, key: nil))],
            change(at: .other, .create), [(.owner, .read)]),
        ClusterSequence(
            .prunedIsFailure, unanswered, [(.owner, .proceed(0))], takeover,
            [(.other, .write(1)), (.other, .snapshot), (.owner, .goOn), (.owner, .write(2)), (.owner, .handle(1))]),
        ClusterSequence(PlantedFault.storesHalfPair, names: 2, nodes: 3, halfTaken),
        ClusterSequence(SurroundingFault.storesHalfPair, names: 2, nodes: 3, halfTaken),
        ClusterSequence(
            .doubtsHalfPair, names: 2,
            [
                (.owner, .pair), (.owner, .write(1)), (.owner, .proceed(0)), (.owner, .loseAnswer),
                (.owner, .proceed(0)),
            ],
            takeover,
            [(.other, .write(1)), (.other, .snapshot), (.owner, .goOn), (.owner, .write(2)), (.owner, .handle(2))]),
        ClusterSequence(
            .termsWithFence, [(.owner, .command(.set, key: nil)), (.owner, .write(1)), (.owner, .loseAnswer)],
            [(.owner, .setClock(60)), (.other, .kill), (.other, .start), (.owner, .write(3)), (.owner, .handle(1))]),
        ClusterSequence(
            .trustsAnyTerm, unanswered, [(.owner, .proceed(0))], takeover, change(at: .other),
            [(.owner, .goOn), (.owner, .wait(1))], handover(by: .other), [(.owner, .write(3)), (.owner, .handle(2))],
            look(at: .owner)),
        ClusterSequence(
            .attemptsCountLate, [(.owner, .loseAnswer), (.owner, .loseAnswer)],
            [(.owner, .proceed(0)), (.owner, .proceed(0)), (.owner, .write(1))], change(at: .owner, key: 0)),
        ClusterSequence(
            .globalCursor, [(.other, .beginLook(takes: false, gives: false))], change(at: .owner),
            [(.other, .goOnLooking(6))], change(at: .owner), look(at: .other)),
        ClusterSequence(
            .keepsQueued, [(.owner, .command(.set, key: nil))], takeover, [(.owner, .goOn), (.owner, .wait(1))],
            handover(by: .other), look(at: .owner), [(.owner, .write(4))]),
    ]

    private static let losses = [
        ClusterSequence(.answersNotInherited, change(at: .owner, key: 0), takeover, change(at: .other, key: 0)),
        ClusterSequence(
            .losesWithoutReading, takeover, change(at: .other), [(.owner, .goOn)], look(at: .owner),
            change(at: .other)),
        ClusterSequence(
            .leaseIgnored, takeover, change(at: .other), [(.owner, .goOn), (.owner, .read)]),
        ClusterSequence(
            .trustsClock, [(.owner, .pause), (.owner, .setClock(60)), (.owner, .wait(1))],
            [(.other, .look(takes: true, gives: false)), (.other, .handle(6))], change(at: .other),
            [(.owner, .goOn), (.owner, .read)]),
        ClusterSequence(
            .goneUnprobed, [(.owner, .pause), (.other, .look(takes: true, gives: false)), (.other, .handle(6))],
            change(at: .other), [(.owner, .goOn), (.owner, .read)]),
        ClusterSequence(
            .pausedRefuses, [(.owner, .pause), (.other, .look(takes: true, gives: false))],
            [(.other, .look(takes: true, gives: false)), (.other, .handle(6))], change(at: .other),
            [(.owner, .goOn), (.owner, .read)]),
        ClusterSequence(
            .renewalIsEnough, takeover, change(at: .other), [(.owner, .goOn), (.owner, .renew), (.owner, .read)]),
        ClusterSequence(
            .losesLater, takeover, change(at: .other), [(.owner, .goOn), (.owner, .renew)],
            [(.owner, .look(takes: false, gives: false)), (.owner, .read)]),
        ClusterSequence(
            .endUntold, takeover, change(at: .other, .delete), [(.owner, .goOn)], look(at: .owner)),
        ClusterSequence(
            .endUntold, takeover, change(at: .other, .delete), change(at: .other, .create), [(.owner, .goOn)],
            look(at: .owner)),
        ClusterSequence(
            .endUnseen, change(at: .owner, .delete), look(at: .owner), change(at: .owner, .create), takeover,
            change(at: .other, .delete), [(.owner, .goOn)], look(at: .owner)),
        ClusterSequence(
            .notesBegunLate, change(at: .owner, .delete), [(.owner, .command(.create, key: nil)), (.owner, .write(3))],
            takeover, change(at: .other, .delete), [(.owner, .goOn), (.owner, .read)], look(at: .owner)),
        ClusterSequence(
            .displacedUnseen, change(at: .owner, .delete), look(at: .owner), look(at: .other),
            [(.owner, .command(.create, key: nil))], change(at: .other, .create), look(at: .owner),
            change(at: .other, .delete), look(at: .owner), [(.owner, .write(4)), (.owner, .handle(4))]),
    ]

    private static let handovers = [
        ClusterSequence(
            .givesUnresigned, handover(by: .owner), look(at: .other), change(at: .other), [(.owner, .read)]),
        ClusterSequence(
            .takesBackAtOnce, [(.owner, .look(takes: false, gives: true)), (.owner, .handle(6)), (.owner, .write(1))],
            [(.owner, .loseAnswer), (.owner, .beginLook(takes: false, gives: false)), (.owner, .handle(2))],
            [(.owner, .proceed(0)), (.owner, .proceed(0))], look(at: .other), change(at: .other), [(.owner, .read)]),
        ClusterSequence(
            .handoverIsFailure,
            [(.owner, .look(takes: false, gives: true)), (.owner, .handle(6)), (.owner, .write(1))],
            [(.owner, .proceed(0)), (.owner, .loseAnswer)], look(at: .owner), [(.owner, .proceed(0))],
            look(at: .other), change(at: .other), [(.owner, .read)]),
        ClusterSequence(
            .adoptsTaken, handover(by: .owner),
            [(.other, .beginLook(takes: false, gives: false)), (.other, .pause)],
            [(.owner, .wait(9)), (.owner, .look(takes: true, gives: false)), (.owner, .handle(6))],
            [(.other, .goOn), (.other, .goOnLooking(4)), (.other, .handle(6))], change(at: .other)),
        ClusterSequence(
            .adoptsLate, handover(by: .owner), [(.other, .beginLook(takes: false, gives: false))],
            [(.other, .goOnLooking(1)), (.other, .work(1)), (.other, .pause), (.owner, .wait(9))],
            [(.owner, .look(takes: true, gives: false)), (.owner, .handle(6))],
            [(.other, .goOn), (.other, .wait(1)), (.other, .look(takes: false, gives: false)), (.other, .handle(6))],
            change(at: .owner), [(.other, .read)]),
    ]

    private static let loads = [
        ClusterSequence(
            .asksUnloaded, [(.other, .unload(isForced: true)), (.owner, .read), (.other, .read)], change(at: .owner),
            [(.other, .read)], look(at: .other)),
        ClusterSequence(
            .answersUnloaded, [(.other, .unload(isForced: true))], change(at: .owner), [(.other, .read)],
            [(.other, .beginLook(takes: false, gives: false)), (.other, .goOnLooking(1)), (.other, .handle(2))]),
        ClusterSequence(
            .leavesUnloaded, [(.other, .unload(isForced: true)), (.owner, .kill), (.owner, .wait(9))],
            [(.other, .look(takes: true, gives: false)), (.other, .handle(6))], change(at: .other)),
        ClusterSequence(
            .unloadsSilently, [(.other, .connect(0))], look(at: .other), [(.other, .unload(isForced: true))],
            change(at: .owner, .append(isReloaded: true)), look(at: .other)),
        ClusterSequence(
            .loadsBeforeBarrier, [(.other, .unload(isForced: true)), (.owner, .read), (.other, .read)],
            [(.other, .beginLook(takes: false, gives: false)), (.other, .goOnLooking(1))],
            [(.owner, .command(.set, key: nil)), (.owner, .write(1)), (.owner, .proceed(0))],
            [(.owner, .restartPrimary), (.other, .work(2)), (.other, .handle(2)), (.owner, .failOver)]),
        ClusterSequence(
            .followsUnloaded, [(.other, .unload(isForced: true))], change(at: .owner), [(.other, .read)],
            look(at: .other)),
    ]

    private static let failures = [
        ClusterSequence(.storesUnnoted, look(at: .other), change(at: .owner), look(at: .other), [(.other, .read)]),
        ClusterSequence(
            .trustsImage, change(at: .owner), change(at: .owner), change(at: .owner), look(at: .other),
            [(.owner, .failOver)], change(at: .owner), look(at: .other), [(.other, .read)]),
        ClusterSequence(
            .failedLookAnswers, change(at: .owner),
            [(.other, .read), (.other, .beginLook(takes: false, gives: false)), (.other, .loseLook(isAway: true))],
            [(.other, .handle(2))]),
        ClusterSequence(
            .unreadableFailsLook, [(.owner, .damage(isRow: false))], change(at: .owner), look(at: .other)),
        ClusterSequence(
            .unreadableIsShown, [(.owner, .damage(isRow: false))], change(at: .owner), [(.other, .read)],
            look(at: .other)),
        ClusterSequence(
            .unreadableIsShown, [(.owner, .damage(isRow: true))], change(at: .owner), [(.other, .read)],
            look(at: .other)),
        ClusterSequence(
            .unreadableForever, [(.owner, .damage(isRow: false))], change(at: .owner), look(at: .other)),
        ClusterSequence(
            .damagedIsOver, change(at: .owner, .delete), look(at: .other), change(at: .other, .create),
            [(.other, .connect(0)), (.other, .damage(isRow: true))], look(at: .other)),
        ClusterSequence(.givesDamaged, [(.owner, .damage(isRow: true))], handover(by: .owner)),
        ClusterSequence(
            .registersWithoutRaising, [(.owner, .pause), (.other, .kill), (.owner, .wait(9)), (.other, .start)],
            [(.owner, .goOn), (.owner, .wait(1))], change(at: .owner, key: 0)),
    ]
}
