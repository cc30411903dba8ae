import type { ServerContext } from '@modelcontextprotocol/server';

/** Clients are told how far a call is at most so often, in milliseconds. */
const PACE = 100;

/** Tells a client what a call is doing, if it asked to be told. */
export function progressOf({ mcpReq: { _meta, notify } }: ServerContext): (message: string) => void {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let progress = 0;
  let last = Number.NEGATIVE_INFINITY;
  return (message) => {
    const now = performance.now();
    if (now - last < PACE) return;
    last = now;
    progress += 1;
    const params = { progressToken, progress, message };
    notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}
