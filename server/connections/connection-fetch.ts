import type { Egress } from "../security/egress.ts";
import type { GuardedInit, GuardedResponse } from "../security/guarded-fetch.ts";
import type { ConnectionUse } from "./connection-use.ts";
import { hostNotAllowed } from "./host-binding.ts";

/**
 * Sends a request with the credential of a connection, only ever to its hosts: a redirect elsewhere throws
 * `connection_host_not_allowed`. After a 401 the credential is renewed and the request is sent once more; a second one
 * throws `connection_authorization_required`.
 */
export async function connectionFetch(
  egress: Pick<Egress, "fetch">,
  use: ConnectionUse,
  url: string | URL,
  init: GuardedInit = {},
): Promise<GuardedResponse> {
  const target = new URL(url);
  const startedAt = performance.now();
  const send = (): Promise<GuardedResponse> =>
    egress.fetch(target, {
      ...init,
      ...(init.timeoutMs !== undefined && {
        timeoutMs: Math.max(1, init.timeoutMs - (performance.now() - startedAt)),
      }),
      async authorize(request) {
        use.checkHost(request.url);
        // The same port may be served without TLS after a redirect.
        if (target.protocol === "https:" && request.url.protocol !== "https:")
          throw hostNotAllowed({ name: use.name, hosts: [target.host] }, request.url);
        await use.authorize(request);
      },
    });
  let response = await send();
  if (response.status === 401 && (await use.renew())) {
    response = await send();
    // Marks the connection as failing: the new credential is refused as well.
    if (response.status === 401) await use.renew();
  }
  if (response.status === 401) throw use.refused(target.host);
  if (response.status < 400) await use.succeeded();
  return response;
}

/**
 * As `connectionFetch`, for libraries with their own protocol and streaming. The guarded `fetch` follows no redirect. The
 * body must be text or bytes: it is sent once more after a renewed credential.
 */
export function connectionWebFetch(
  fetch: typeof globalThis.fetch,
  use: ConnectionUse,
): typeof globalThis.fetch {
  return async (input, init) => {
    const target = new URL(input instanceof Request ? input.url : input);
    const send = async (): Promise<Response> => {
      const request = { url: new URL(target), headers: Object.fromEntries(new Headers(init?.headers)) };
      use.checkHost(request.url);
      await use.authorize(request);
      return fetch(request.url, { ...init, headers: request.headers });
    };
    let response = await send();
    if (response.status === 401 && (await use.renew())) {
      await response.body?.cancel();
      response = await send();
      // Marks the connection as failing: the new credential is refused as well.
      if (response.status === 401) await use.renew();
    }
    if (response.status === 401) {
      await response.body?.cancel();
      throw use.refused(target.host);
    }
    if (response.ok) await use.succeeded();
    return response;
  };
}
