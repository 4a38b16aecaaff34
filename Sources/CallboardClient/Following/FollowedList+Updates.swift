import ListDiff

// What the stream brings.
extension FollowedList {
    func take(_ update: LiveList.Update) {
        switch update {
        case .connection(.open): break
        case .connection: if status == .live { status = .stale }
        case .replaced(let list, _): replace(with: list)
        case .changed(let list, by: let changeset):
            status = .live
            advance(to: list, by: changeset)
        case .resumed: status = .live
        case .heartbeat: status = .live
        case .refresh(let refresh): step(.refreshed(refresh.elements?.map(\.path)))
        case .scroll(let command): if let path = command.place(in: sections) { step(.scrolled(path, command)) }
        case .redefined(let list):
            published = list
            step(.redefined)
            save()
        case .resynchronizing: status = .stale
        case .ended: status = .stale
        }
    }

    /// Shows a list that was kept.
    func show(_ list: RemoteList) {
        published = list
        sections = list.sections
    }

    private func replace(with list: RemoteList) {
        status = .live
        faults = []
        let isFirst = published == nil
        published = list
        overlays.settle(version: list.version, epoch: list.epoch)
        let shown = overlays.over(list.sections)
        if isFirst { reload(shown) } else { move(to: shown) }
        step(.redefined)
        save()
    }

    private func advance(to list: RemoteList, by changeset: RemoteChangeset) {
        let wasPlain = overlays.isEmpty
        published = list
        overlays.settle(version: list.version, epoch: list.epoch, causes: changeset.causes)
        if wasPlain {
            let before = sections
            sections = list.sections
            step(.staged(changeset.stages, animations: changeset.animations), from: before)
        } else {
            move(to: overlays.over(list.sections), animations: changeset.animations)
        }
        save()
    }

    /// Changes what is shown ahead of the server.
    func edit(_ body: (inout ListOverlays) -> Void) {
        body(&overlays)
        move(to: overlays.over(published?.sections ?? []))
    }

    /// Shows other sections by the difference that the device makes, or as a whole where they are many.
    private func move(to target: [RemoteSection], animations: ListAnimations = [:]) {
        let before = sections
        guard ListCounts(of: before).elements + ListCounts(of: target).elements <= FollowedList.differenceLimit else {
            return reload(target)
        }
        let stages = StagedChangeset(from: before, to: target)
        guard !stages.isEmpty else {
            // Equal by what is compared; the values may still be others.
            sections = target
            return
        }
        sections = target
        step(.staged(stages, animations: animations), from: before)
    }

    private func reload(_ target: [RemoteSection]) {
        let before = sections
        sections = target
        step(.reloaded, from: before)
    }

    private func step(_ change: ListTransition.Change, from before: [RemoteSection]? = nil) {
        let transition = ListTransition(change: change, before: before ?? sections, after: sections)
        for listener in listeners.sorted(by: { $0.key < $1.key }) { listener.value(transition) }
    }

    func end(_ status: ListStatus) {
        self.status = status
        saving = nil
    }

    // MARK: The store

    /// Keeps the published state, at most once in a while.
    private func save() {
        guard let store, saving == nil else { return }
        saving = TaskHolder(
            Task { [weak self, pause = store.pause] in
                try? await Task.sleep(for: pause)
                guard !Task.isCancelled, let self else { return }
                self.saving = nil
                self.saveNow()
            })
    }

    /// Keeps the published state at once: to be called when the app goes to the background.
    public func saveNow() {
        guard let store, let published else { return }
        do {
            try store.keep(published, of: director, selection)
            storeFault = nil
        } catch {
            storeFault = error
        }
    }
}
