import { limitBytes } from "../lib/limited-fetch.ts";
import type { Egress } from "../security/egress.ts";

const MAX_BYTES = 1024 * 1024;
const TIMEOUT_MS = 15_000;

/** Fetches metadata and tokens, through the guard: the addresses come from the MCP server. */
export function createOauthFetch({ webFetch }: Pick<Egress, "webFetch">): typeof globalThis.fetch {
  return (input, init) =>
    limitBytes(
      webFetch,
      () => MAX_BYTES,
      () => undefined,
    )(input, {
      ...init,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
}
