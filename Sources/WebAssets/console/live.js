/** Statuses of which the shell itself tells: the server is away, or wants a token. */
export const saidElsewhere = [0, 401, 502, 504];

/**
 * Calls `fn` now and again after a time, as long as the page is shown and visible. Returns what calls it at once.
 *
 * What it throws is given to `fail` until it succeeds. What the server forbids is not asked for again and again: only the
 * returned function tries once more.
 *
 * @param {() => Promise<void>} fn
 * @param {number} milliseconds
 * @param {{signal: AbortSignal, isHeld: () => boolean, fail: (error?: Error) => void}} page `isHeld` says whether the page
 *   waits for a token; the shell then calls the returned function when it goes on.
 */
export function live(fn, milliseconds, { signal, isHeld, fail }) {
  let timer, isRunning = false, isWanted = false, hasFailed = false;
  const run = async () => {
    clearTimeout(timer);
    if (signal.aborted || document.hidden || isHeld()) return;
    // What has changed since the call under way began is not in it.
    if (isRunning) return void (isWanted = true);
    isRunning = true;
    isWanted = false;
    let isForbidden = false;
    try {
      await fn();
      if (hasFailed) fail();
      hasFailed = false;
    } catch (error) {
      isForbidden = error.status === 403;
      if (!signal.aborted && !saidElsewhere.includes(error.status)) fail(error), hasFailed = true;
    }
    isRunning = false;
    if (!signal.aborted && (isWanted || !isForbidden)) timer = setTimeout(run, isWanted ? 0 : milliseconds);
  };
  document.addEventListener("visibilitychange", run, { signal });
  signal.addEventListener("abort", () => clearTimeout(timer));
  run();
  return run;
}
