import { lookup as dnsLookup } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import type { Agent, buildConnector, Dispatcher, fetch as undiciFetch } from "undici";
import { isLoopback, parseAddress } from "./address-classes.ts";
import { createEgressPolicy, type EgressPolicy, type EgressRules } from "./egress-policy.ts";
import { guardedFetch, type GuardedInit, type GuardedResponse } from "./guarded-fetch.ts";
import { createConcurrencyLimit } from "../lib/concurrency-limit.ts";
import type { Tracing } from "../telemetry/tracing.ts";
import { tracedFetch, tracedWebFetch } from "./traced-fetch.ts";
import { appErrorWithin } from "./outbound-errors.ts";

const CONNECT_TIMEOUT_MS = 10_000;
const MAX_HEADER_BYTES = 32 * 1024;
/**
 * The system's resolver blocks one of the four threads that also sync the database and read files, for seconds when a DNS
 * server does not answer. Two are left for them.
 */
const LOOKUPS_AT_ONCE = 2;

export interface ResolvedAddress {
  address: string;
  family: number;
}

export type Resolve = (hostname: string) => Promise<ResolvedAddress[]>;

export interface EgressOptions extends EgressRules {
  /** All addresses of a name. Default: the system's resolver. */
  lookup?: Resolve;
  /** Records requests as spans and sends the trace along. */
  tracing?: Tracing | undefined;
}

/** All outgoing traffic: no connection is opened to an address that the policy has not checked. */
export interface Egress {
  /** Limited in time, bytes and redirects; returns the whole body. */
  fetch(url: string | URL, init?: GuardedInit): Promise<GuardedResponse>;
  /**
   * A standard `fetch` for libraries with their own protocol and streaming. It follows no redirect, because the library's
   * API key header would be sent to the new target.
   */
  webFetch: typeof globalThis.fetch;
  /** For libraries that accept a dispatcher. Checks addresses only. */
  dispatcher(): Promise<Dispatcher>;
  /**
   * The checked addresses of a host, for libraries that open their own connections. They must connect to one of these, not
   * to the name: a second lookup might return others.
   */
  resolve(hostname: string, port: number): Promise<ResolvedAddress[]>;
  close(): Promise<void>;
}

export function createEgress({ tracing, ...options }: EgressOptions): Egress {
  const policy = createEgressPolicy(options);
  const lookup: Resolve = options.lookup ?? ((hostname) => dnsLookup(hostname, { all: true }));
  const limited = createConcurrencyLimit(LOOKUPS_AT_ONCE);
  const resolve: Resolve = (hostname) => limited(() => lookup(hostname));
  let isClosed = false;
  let agent: Agent | undefined;
  let opening: Promise<Agent> | undefined;

  // undici is loaded for the first request: it takes a tenth of the time of a start.
  async function open(): Promise<Agent> {
    const undici = await import("undici");
    // A plain Agent ignores HTTP_PROXY: a proxy would connect to addresses that this process never sees.
    agent = new undici.Agent({
      connect: createConnector(undici.buildConnector, policy, resolve),
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    if (isClosed) await agent.destroy();
    return agent;
  }
  const dispatcher = (): Promise<Agent> => (opening ??= open());
  const fetch: Egress["fetch"] = (url, init = {}) =>
    agent === undefined
      ? dispatcher().then((opened) => guardedFetch(opened, url, init))
      : guardedFetch(agent, url, init);

  return {
    fetch: tracing === undefined ? fetch : tracedFetch(tracing, fetch),
    webFetch: tracedWebFetch(tracing, createWebFetch(dispatcher)),
    dispatcher,
    resolve: (hostname, port) => checkedAddresses(policy, resolve, hostname, port),
    async close() {
      isClosed = true;
      // Destroyed, not closed: close() would wait for streams that are still open.
      await agent?.destroy();
    },
  };
}

function createConnector(
  build: typeof buildConnector,
  policy: EgressPolicy,
  resolve: Resolve,
): buildConnector.connector {
  return (target, callback) => {
    checkedAddresses(policy, resolve, target.hostname, portOf(target))
      .then((addresses) => {
        const connect = build({
          timeout: CONNECT_TIMEOUT_MS,
          maxCachedSessions: 0,
          lookup: answerWith(addresses),
        });
        connect(target, callback);
      })
      .catch((error: Error) => callback(error, null));
  };
}

function portOf({ port, protocol }: buildConnector.Options): number {
  return port ? Number(port) : protocol === "https:" ? 443 : 80;
}

async function checkedAddresses(
  policy: EgressPolicy,
  resolve: Resolve,
  hostname: string,
  port: number,
): Promise<ResolvedAddress[]> {
  policy.checkHost(hostname, port);
  // Node connects to a literal address without calling the resolver, so it is checked here.
  const addresses = parseAddress(hostname)
    ? [{ address: hostname, family: 0 }]
    : await resolve(isLoopback(hostname) ? "localhost" : hostname);
  if (addresses.length === 0) throw Object.assign(new Error("no address"), { code: "ENOTFOUND" });
  policy.checkAddresses(
    hostname,
    port,
    addresses.map(({ address }) => address),
  );
  return addresses;
}

/**
 * The socket's lookup returns the addresses that were just checked. Without it the name would be resolved a second time,
 * and a rebinding DNS server could return a private address then.
 */
export function answerWith(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_hostname, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, [...addresses]);
    else callback(null, first?.address ?? "", first?.family ?? 0);
  };
}

function createWebFetch(open: () => Promise<Dispatcher>): typeof globalThis.fetch {
  const guarded = async (input: Parameters<typeof undiciFetch>[0], init?: object) => {
    const [undici, dispatcher] = await Promise.all([import("undici"), open()]);
    try {
      return await undici.fetch(input, { ...init, dispatcher, redirect: "error" });
    } catch (error) {
      // Unwrapped: a library would treat "fetch failed" as a network fault and retry.
      throw appErrorWithin(error) ?? error;
    }
  };
  return guarded as unknown as typeof globalThis.fetch;
}
