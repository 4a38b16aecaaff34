const nothing = { status: "connecting", epoch: "", version: -1, sections: [], definition: undefined, error: undefined };

/** What is shown before a list is followed: the state that a server has rendered, or nothing. */
export const begin = from => from ? { ...nothing, ...from } : nothing;
