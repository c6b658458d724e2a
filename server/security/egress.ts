import { lookup as dnsLookup } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import { Agent, buildConnector, type Dispatcher, fetch as undiciFetch } from "undici";
import { isLoopback, parseAddress } from "./address-classes.ts";
import { createEgressPolicy, type EgressPolicy, type EgressRules } from "./egress-policy.ts";
import { guardedFetch, type GuardedInit, type GuardedResponse } from "./guarded-fetch.ts";
import { appErrorWithin } from "./outbound-errors.ts";

const CONNECT_TIMEOUT_MS = 10_000;
const MAX_HEADER_BYTES = 32 * 1024;

export interface ResolvedAddress {
  address: string;
  family: number;
}

export type Resolve = (hostname: string) => Promise<ResolvedAddress[]>;

export interface EgressOptions extends EgressRules {
  /** All addresses of a name; the system's resolver unless given. */
  lookup?: Resolve;
}

/** The one door for outgoing traffic: no connection is opened to an address that was not checked. */
export interface Egress {
  /** Bounded in time, bytes and redirects; the whole body at once. */
  fetch(url: string | URL, init?: GuardedInit): Promise<GuardedResponse>;
  /**
   * A standard `fetch` for libraries that bring their own protocol and stream the answer. It follows no
   * redirect: such a library's key header would be sent along.
   */
  webFetch: typeof globalThis.fetch;
  /** For libraries that take a dispatcher. Checks addresses, and nothing else. */
  dispatcher: Dispatcher;
  close(): Promise<void>;
}

export function createEgress(options: EgressOptions): Egress {
  const policy = createEgressPolicy(options);
  const resolve = options.lookup ?? ((hostname) => dnsLookup(hostname, { all: true }));
  // A plain Agent reads no HTTP_PROXY: a proxy would connect to addresses that we never see.
  const dispatcher = new Agent({
    connect: createConnector(policy, resolve),
    maxHeaderSize: MAX_HEADER_BYTES,
  });

  return {
    fetch: (url, init = {}) => guardedFetch(dispatcher, url, init),
    webFetch: createWebFetch(dispatcher),
    dispatcher,
    // Destroyed, not closed: close() would wait for a stream that an agent holds open.
    close: () => dispatcher.destroy(),
  };
}

function createConnector(policy: EgressPolicy, resolve: Resolve): buildConnector.connector {
  return (target, callback) => {
    checkedAddresses(policy, resolve, target)
      .then((addresses) => {
        const connect = buildConnector({
          timeout: CONNECT_TIMEOUT_MS,
          maxCachedSessions: 0,
          lookup: answerWith(addresses),
        });
        connect(target, callback);
      })
      .catch((error: Error) => callback(error, null));
  };
}

async function checkedAddresses(
  policy: EgressPolicy,
  resolve: Resolve,
  { hostname, port, protocol }: buildConnector.Options,
): Promise<ResolvedAddress[]> {
  const portNumber = port ? Number(port) : protocol === "https:" ? 443 : 80;
  policy.checkHost(hostname, portNumber);
  // node connects to a literal address without asking the resolver, so it is checked as it stands.
  const addresses = parseAddress(hostname)
    ? [{ address: hostname, family: 0 }]
    : await resolve(isLoopback(hostname) ? "localhost" : hostname);
  if (addresses.length === 0) throw Object.assign(new Error("no address"), { code: "ENOTFOUND" });
  policy.checkAddresses(
    hostname,
    portNumber,
    addresses.map(({ address }) => address),
  );
  return addresses;
}

/**
 * The socket asks for the addresses a second time and gets those that were just checked. A name that
 * answers otherwise the second time (DNS rebinding) is never asked again.
 */
function answerWith(addresses: ResolvedAddress[]): LookupFunction {
  return (_hostname, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, addresses);
    else callback(null, first?.address ?? "", first?.family ?? 0);
  };
}

function createWebFetch(dispatcher: Dispatcher): typeof globalThis.fetch {
  const guarded = async (input: Parameters<typeof undiciFetch>[0], init?: object) => {
    try {
      return await undiciFetch(input, { ...init, dispatcher, redirect: "error" });
    } catch (error) {
      // Our refusal comes out as itself: as "fetch failed" a library would take it for a network fault and retry.
      throw appErrorWithin(error) ?? error;
    }
  };
  return guarded as unknown as typeof globalThis.fetch;
}
