import fc from "fast-check";
import { residentMb } from "../../bench/process-cost.ts";
import { lines, pdfOf } from "../support/pdf.ts";
import { problemOf } from "./check-response.ts";
import { type FuzzRequest, requestOf } from "./request.ts";
import { type Document, type Operation, operationsOf } from "./routes.ts";
import { createSender } from "./send.ts";
import { userNames } from "./tokens.ts";
import { nounOf } from "./records.ts";
import { createWorld } from "./world.ts";

export interface FuzzOptions {
  address: string;
  pid: number;
  seed: number;
  /** Undefined: as many as fit into `maxMs`. */
  maxRequests?: number;
  /** Undefined: no limit. */
  maxMs: number | undefined;
  /** A request that takes longer is a failure. */
  slowestMs: number;
  /** Requests in flight. With more than one, a seed does not repeat their order. */
  lanes?: number;
  onProgress?(requests: number): void;
}

export interface FuzzReport {
  requests: number;
  byStatus: Record<string, number>;
  /** Operations that never succeeded: only their error responses were tested. */
  neverOk: string[];
  slowest: { ms: number; operation: string };
  residentMb: number;
  /** Records that could not be made again after a request had deleted them, by error; later requests refer to none. */
  notRestored: Record<string, number>;
  /** The first failure, shrunk by fast-check. */
  failure: string | undefined;
}

/** Sends generated requests to every route until a response violates the contract. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { address, pid, seed, maxMs, slowestMs } = options;
  const world = await createWorld(address);
  const document = (await (await fetch(`${address}/api/openapi.json`)).json()) as Document;
  // A logout would end the tokens that all other requests use.
  const operations = operationsOf(document).filter(({ path }) => path !== "/api/auth/logout");
  const examples = { steps: await exampleSteps(address, world.tokenOf("alice")), pdf: await smallPdf() };
  const sender = createSender(address, Math.max(slowestMs * 4, 30_000));
  const seen = new Map<string, Set<string>>();
  const report: FuzzReport = {
    requests: 0,
    byStatus: {},
    neverOk: [],
    slowest: { ms: 0, operation: "" },
    residentMb: 0,
    notRestored: {},
    failure: undefined,
  };

  let failedLane: number | undefined;
  async function tryOne(lane: number, request: FuzzRequest): Promise<void> {
    if (failedLane !== undefined && failedLane !== lane) return;
    const { operation, method, caller, body } = request;
    const name = nameOf(operation);
    const response = await sender.send(
      method,
      world.fill(request.url),
      headersFor(request),
      filledBody(body),
    );
    report.requests += 1;
    if (report.requests % 500 === 0) options.onProgress?.(report.requests);
    report.byStatus[response.status] = (report.byStatus[response.status] ?? 0) + 1;
    if (response.status < 300 && method === operation.method) seen.set(name, new Set(["ok"]));
    if (response.ms > report.slowest.ms) report.slowest = { ms: response.ms, operation: name };
    const problem = problemOf(request, response, world);
    if (problem !== undefined) return fail(lane, problem);
    if (response.ms > slowestMs) return fail(lane, `responded after ${Math.round(response.ms)} ms`);
    try {
      if (response.status < 300) await restore(request);
      const hasLogin = caller !== "anonymous" && caller !== "forged";
      if (response.status === 401 && hasLogin) await world.reviveIfLocked(caller);
    } catch (error) {
      // Two requests of other lanes in between can prevent it. It is not a failure of the service, and ends no lane.
      const reason = `${name}: ${String(error)}`;
      report.notRestored[reason] = (report.notRestored[reason] ?? 0) + 1;
    }
  }

  /** The other lanes stop, so that fast-check can shrink the request of this one. */
  function fail(lane: number, problem: string): never {
    failedLane ??= lane;
    throw new Error(problem);
  }

  function headersFor({ headers, caller, body, contentType }: FuzzRequest): Record<string, string> {
    const bearer =
      caller === "forged" ? "not.a.token" : caller === "anonymous" ? undefined : world.tokenOf(caller);
    return {
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, world.fill(value)])),
      ...(body === undefined ? {} : { "content-type": contentType }),
    };
  }

  const filledBody = (body: FuzzRequest["body"]): FuzzRequest["body"] =>
    typeof body === "string" ? world.fill(body) : body;

  /** Recreates a record that the request deleted or changed, so that later requests can succeed. */
  async function restore({ method, url, operation }: FuzzRequest): Promise<void> {
    const isDestructive =
      method === "DELETE" || /\/(rotate|rotate-secret|cancel|resume|move|leave|stop)$/.test(operation.path);
    if (!isDestructive) return;
    if (operation.path.startsWith("/api/admin/")) return world.renew("admin", "account");
    const noun = nounOf(operation.path);
    const owner = userNames.find((name) => url.includes(`«${name}:`));
    if (noun !== undefined && owner !== undefined) await world.renew(owner, noun);
  }

  const anyRequest = fc.oneof(
    ...operations.map((operation) => ({
      weight: isCostly(operation) ? 1 : 8,
      arbitrary: requestOf(document, operation, examples),
    })),
  );
  const { lanes = 1, maxRequests = 100_000_000 } = options;
  const results = await Promise.all(
    Array.from({ length: lanes }, (_, lane) =>
      fc.check(
        fc.asyncProperty(anyRequest, (request) => tryOne(lane, request)),
        {
          seed: seed + lane,
          numRuns: Math.ceil(maxRequests / lanes),
          ...(maxMs !== undefined && { interruptAfterTimeLimit: maxMs }),
          // A failure may depend on earlier requests, so shrinking is best effort.
          maxSkipsPerRun: 0,
        },
      ),
    ),
  );
  sender.close();
  report.residentMb = residentMb(pid);
  report.neverOk = operations.map(nameOf).filter((name) => !seen.has(name));
  // Without a failed response, an error of the sender or of a record that could not be made again.
  const failed = failedLane === undefined ? results.find((result) => result.failed) : results[failedLane];
  if (failed?.counterexample) {
    const [{ operation, ...request }] = failed.counterexample;
    report.failure = `${nameOf(operation)}: ${String(failed.errorInstance)}\n${fc.stringify(request).slice(0, 4000)}`;
  }
  return report;
}

const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;

/** Password hashes, embeddings and a new account with all its records are slow: fewer requests suffice. */
function isCostly({ method, path }: Operation): boolean {
  const isSlow =
    /^\/api\/auth\/(register|login|password|second-factor\/\w)|\/documents\/(upload|reindex|query)$/.test(
      path,
    );
  return isSlow || (method === "DELETE" && path === "/api/auth/me");
}

async function exampleSteps(address: string, token: string): Promise<Record<string, unknown>[]> {
  const response = await fetch(`${address}/api/step-types`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { stepTypes } = (await response.json()) as { stepTypes: { example: Record<string, unknown> }[] };
  return stepTypes.map(({ example }) => example);
}

function smallPdf(): Promise<Uint8Array> {
  return pdfOf([lines(["Sample text of an uploaded document."])]);
}
