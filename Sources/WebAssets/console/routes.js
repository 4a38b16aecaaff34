/** What a fragment says: `#/lists/a?q=b`. */
export function addressOf(fragment) {
  const [path, query = ""] = (fragment.slice(1) || "/").split(/\?(.*)/s);
  const segments = path.split("/").filter(Boolean).map(segment => {
    try {
      return decodeURIComponent(segment);
    } catch {
      return segment;
    }
  });
  return { path, segments, params: {}, query: new URLSearchParams(query) };
}

/** The parameters of an address that a path such as `/lists/:name` fits; undefined where it does not. */
export function match(path, segments) {
  const pattern = path.split("/").filter(Boolean);
  if (pattern.length !== segments.length) return undefined;
  const params = {};
  const fits = pattern.every((part, n) => part.startsWith(":") ? (params[part.slice(1)] = segments[n], true) : part === segments[n]);
  return fits ? params : undefined;
}
