/// Handling of writes that cannot be made.
extension EditMachine {
    /// Continues without songs that the service refuses to put back: songs that were written together are written one
    /// by one, until the refused song is isolated.
    ///
    /// - Returns: whether the step puts songs back.
    mutating func giveUp(_ index: Int) -> Bool {
        guard case .insert(let tracks, let position, let placed, let wanted) = steps[index].action else { return false }
        let left = Array(tracks.dropFirst(placed))
        guard left.count > 1 else {
            steps[index].state = .refused
            // Each later song moves one position toward the front.
            for later in steps.indices where later > index { steps[later].action.moveForward() }
            replaced = min(replaced ?? .max, steps[index].number)
            return true
        }
        let parts = left.enumerated().map { offset, track in
            EditStep(
                number: steps[index].number + offset,
                action: .insert([track], position: position + placed + offset, upTo: wanted))
        }
        replaced = min(replaced ?? .max, steps[index].number)
        steps.replaceSubrange(index...index, with: parts)
        for later in steps.indices where later >= index { steps[later].number = later }
        return true
    }

    /// Leaves entries in place that others have changed since the removal began. Entries of the same songs that were to
    /// be put back are left out as well.
    mutating func refuseRemoval(of ids: Set<String>, at index: Int) {
        steps[index].state = .refused
        changed.insert(steps[index].number)
        for later in steps.indices where later > index {
            guard case .insert(let tracks, let position, let placed, let wanted) = steps[later].action else { continue }
            let left = tracks.filter { !ids.contains($0.id) }
            guard left.count < tracks.count else { continue }
            changed.insert(steps[later].number)
            if left.isEmpty {
                steps[later].state = .refused
            } else {
                steps[later].action = .insert(left, position: position, placed: placed, upTo: wanted)
            }
        }
        (mark, markedStep) = (nil, nil)
    }
}

extension EditAction {
    /// Puts songs back one position further toward the front.
    fileprivate mutating func moveForward() {
        guard case .insert(let tracks, let position, let placed, let wanted) = self else { return }
        self = .insert(tracks, position: max(0, position - 1), placed: placed, upTo: wanted)
    }
}
