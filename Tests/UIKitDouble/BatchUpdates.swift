// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
// The declarations are UIKit's, and have its documentation.

import Foundation

/// The operations of one batch update, checked as UIKit checks them.
///
/// Deletions, reloads and the sources of moves are places before the update; insertions and the targets of moves are places after
/// it. UIKit ends the program where the counts do not come out; here that is a violation, in words.
struct BatchUpdates {
    var deletedSections: [Int] = []
    var insertedSections: [Int] = []
    var reloadedSections: [Int] = []
    var movedSections: [(from: Int, to: Int)] = []
    var deleted: [IndexPath] = []
    var inserted: [IndexPath] = []
    var reloaded: [IndexPath] = []
    var moved: [(from: IndexPath, to: IndexPath)] = []

    /// What is wrong with the operations between two counts of elements by section; empty where nothing is.
    func violations(from before: [Int], to after: [Int]) -> [String] {
        sources(before) + targets(after) + counts(before, after)
    }

    private func sources(_ before: [Int]) -> [String] {
        let sections = deletedSections + reloadedSections + movedSections.map(\.from)
        let paths = deleted + reloaded + moved.map(\.from)
        var wrong = sections.filter { !before.indices.contains($0) }.map { "section \($0) was not there" }
        if Set(sections).count != sections.count { wrong.append("a section has two operations") }
        if Set(paths).count != paths.count { wrong.append("an element has two operations") }
        for path in paths {
            if !before.indices.contains(path.section) || path.row >= before[path.section] {
                wrong.append("\(path) was not there")
            } else if sections.contains(path.section) {
                wrong.append("\(path) changes inside a section that changes itself")
            }
        }
        return wrong
    }

    private func targets(_ after: [Int]) -> [String] {
        let sections = insertedSections + movedSections.map(\.to)
        let paths = inserted + moved.map(\.to)
        var wrong = sections.filter { !after.indices.contains($0) }.map { "section \($0) is not there" }
        if Set(sections).count != sections.count { wrong.append("two sections come to one place") }
        if Set(paths).count != paths.count { wrong.append("two elements come to one place") }
        for path in paths where !after.indices.contains(path.section) || path.row >= after[path.section] {
            wrong.append("\(path) is not there")
        }
        return wrong
    }

    private func counts(_ before: [Int], _ after: [Int]) -> [String] {
        guard before.count - deletedSections.count + insertedSections.count == after.count else {
            return ["\(before.count) sections became \(after.count)"]
        }
        return places(before, after).flatMap { old, new -> [String] in
            guard !reloadedSections.contains(old) else { return [] }
            let leaving = (deleted + moved.map(\.from)).filter { $0.section == old }.count
            let coming = (inserted + moved.map(\.to)).filter { $0.section == new }.count
            return before[old] - leaving + coming == after[new]
                ? [] : ["section \(old) of \(before[old]) elements became section \(new) of \(after[new])"]
        }
    }

    /// The sections that stay, by their places before and after.
    func places(_ before: [Int], _ after: [Int]) -> [(old: Int, new: Int)] {
        let leaving = Set(deletedSections + movedSections.map(\.from))
        let coming = Set(insertedSections + movedSections.map(\.to))
        let stay = zip(before.indices.filter { !leaving.contains($0) }, after.indices.filter { !coming.contains($0) })
        return stay.map { ($0, $1) } + movedSections.map { ($0.from, $0.to) }
    }

    /// Where each element that stays has come to, between two counts; elements that are reloaded do not stay.
    func destinations(from before: [Int], to after: [Int]) -> [IndexPath: IndexPath] {
        var places = Dictionary(uniqueKeysWithValues: moved.map { ($0.from, $0.to) })
        for (old, new) in self.places(before, after) where !reloadedSections.contains(old) {
            let leaving = Set((deleted + moved.map(\.from)).filter { $0.section == old }.map(\.row))
            let coming = Set((inserted + moved.map(\.to)).filter { $0.section == new }.map(\.row))
            let stay = zip(
                (0..<before[old]).filter { !leaving.contains($0) }, (0..<after[new]).filter { !coming.contains($0) })
            for (from, to) in stay { places[IndexPath(row: from, section: old)] = IndexPath(row: to, section: new) }
        }
        for path in reloaded { places[path] = nil }
        return places
    }
}
