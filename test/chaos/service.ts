import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type ChildService, startChild } from "./child-service.ts";
import { type CountingServer, startCountingServer } from "./counting-server.ts";

type Json = Record<string, any>;

export interface Caller {
  post(
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: Json }>;
  get(path: string): Promise<Json>;
  workflow(steps: unknown[], edges?: unknown[]): Promise<string>;
}

export function temporaryData(): string {
  const dataDir = mkdtempSync(join(tmpdir(), "baton-chaos-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  return dataDir;
}

/** The built service, killed when its test ends. */
export async function useChild(settings: Record<string, string>): Promise<ChildService> {
  const service = await startChild({ LOG_LEVEL: "error", ...settings });
  onTestFinished(async () => void (await service.end("SIGKILL")));
  return service;
}

export async function useOutside(
  onRequest?: Parameters<typeof startCountingServer>[0],
): Promise<CountingServer> {
  const server = await startCountingServer(onRequest);
  onTestFinished(() => server.close());
  return server;
}

/** One user of the service. The address is read at every call, since a restart changes it. */
export async function enter(address: () => string): Promise<Caller> {
  let login: Record<string, string> = {};
  const caller: Caller = {
    async post(path, body = {}, headers = {}) {
      const response = await fetch(address() + path, {
        method: "POST",
        headers: { "content-type": "application/json", ...login, ...headers },
        body: JSON.stringify(body),
      });
      return { status: response.status, body: (await response.json()) as Json };
    },
    get: async (path) => (await (await fetch(address() + path, { headers: login })).json()) as Json,
    workflow: async (steps, edges = []) =>
      (await caller.post("/api/workflows", { name: "test", metadata: { steps, edges } })).body["workflow"]
        .id as string,
  };
  const { body } = await caller.post("/api/auth/register", {
    email: "ada@example.com",
    password: "long enough",
  });
  login = { authorization: `Bearer ${body["token"]}` };
  return caller;
}
