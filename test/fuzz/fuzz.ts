import fc from "fast-check";
import { residentMb } from "../../bench/process-cost.ts";
import { lines, pdfOf } from "../support/pdf.ts";
import { problemOf } from "./check-response.ts";
import { contentTypeOf, type FuzzRequest, requestOf } from "./request.ts";
import { type Document, type Operation, operationsOf } from "./routes.ts";
import { createSender } from "./send.ts";
import type { UserName } from "./tokens.ts";
import { nounOf } from "./records.ts";
import { createWorld } from "./world.ts";

export interface FuzzOptions {
  address: string;
  pid: number;
  seed: number;
  /** Undefined: as many as fit into `maxMs`. */
  maxRequests?: number;
  maxMs: number;
  /** A request that takes longer is a failure. */
  slowestMs: number;
}

export interface FuzzReport {
  requests: number;
  byStatus: Record<string, number>;
  /** Operations that never succeeded: only their error responses were tested. */
  neverOk: string[];
  slowest: { ms: number; operation: string };
  residentMb: number;
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
    failure: undefined,
  };

  async function tryOne(request: FuzzRequest): Promise<void> {
    const { operation, method, caller, body } = request;
    const name = nameOf(operation);
    const response = await sender.send(
      method,
      world.fill(request.url),
      headersFor(request),
      filledBody(body),
    );
    report.requests += 1;
    report.byStatus[response.status] = (report.byStatus[response.status] ?? 0) + 1;
    if (response.status < 300 && method === operation.method) seen.set(name, new Set(["ok"]));
    if (response.ms > report.slowest.ms) report.slowest = { ms: response.ms, operation: name };
    const problem = problemOf(request, response, world);
    if (problem !== undefined) throw new Error(problem);
    if (response.ms > slowestMs) throw new Error(`responded after ${Math.round(response.ms)} ms`);
    if (response.status < 300) await restore(request, caller as UserName);
  }

  function headersFor({ headers, caller, ...request }: FuzzRequest): Record<string, string> {
    const bearer =
      caller === "forged" ? "not.a.token" : caller === "anonymous" ? undefined : world.tokenOf(caller);
    return {
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, world.fill(value)])),
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(request.body === undefined
        ? {}
        : { "content-type": contentTypeOf({ headers, caller, ...request }) }),
    };
  }

  const filledBody = (body: FuzzRequest["body"]): FuzzRequest["body"] =>
    typeof body === "string" ? world.fill(body) : body;

  /** Recreates a record that the request deleted or changed, so that later requests can succeed. */
  async function restore({ method, url, operation }: FuzzRequest, caller: UserName): Promise<void> {
    const isDestructive =
      method === "DELETE" || /\/(rotate|rotate-secret|cancel|resume)$/.test(operation.path);
    const noun = nounOf(operation.path);
    if (!isDestructive || noun === undefined || !url.includes(`«${caller}:`)) return;
    await world.renew(caller, noun);
  }

  const anyRequest = fc.oneof(
    ...operations.map((operation) => ({
      weight: isCostly(operation) ? 1 : 8,
      arbitrary: requestOf(document, operation, examples),
    })),
  );
  const result = await fc.check(fc.asyncProperty(anyRequest, tryOne), {
    seed,
    numRuns: options.maxRequests ?? 100_000_000,
    interruptAfterTimeLimit: maxMs,
    // A failure may depend on earlier requests, so shrinking is best effort.
    maxSkipsPerRun: 0,
  });
  sender.close();
  report.residentMb = residentMb(pid);
  report.neverOk = operations.map(nameOf).filter((name) => !seen.has(name));
  if (result.failed && result.counterexample !== null) {
    const [{ operation, ...request }] = result.counterexample;
    report.failure = `${nameOf(operation)}: ${String(result.errorInstance)}\n${fc.stringify(request).slice(0, 4000)}`;
  }
  return report;
}

const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;

/** Password hashes and embeddings are slow: fewer requests suffice. */
function isCostly({ path }: Operation): boolean {
  return /^\/api\/auth\/(register|login)$|\/documents\/(upload|reindex|query)$/.test(path);
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
