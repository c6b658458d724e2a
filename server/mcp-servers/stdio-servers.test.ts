import { expect, onTestFinished, test, vi } from "vitest";
import { createMcpClients } from "../mcp-client/mcp-clients.ts";
import { createEgress } from "../security/egress.ts";
import { createStdioServers } from "./stdio-servers.ts";

const MAX_PROCESSES = 8;
const servers = () =>
  createStdioServers({
    // Reads everything and answers nothing.
    commands: {
      silent: { command: "/bin/sh", args: ["-c", "cat > /dev/null"], env: { PATH: "/usr/bin:/bin" } },
    },
    isAdministrator: () => Promise.resolve(true),
  });
const times = <T>(action: () => Promise<T>) =>
  Promise.allSettled(Array.from({ length: MAX_PROCESSES }, action));

test("a call that is cancelled before the server has told its version leaves no program and no slot behind", async () => {
  const target = await servers().target("user_1", "silent");
  const egress = createEgress({ allowPrivate: false, allow: [], deny: [] });
  onTestFinished(() => egress.close());
  const clients = createMcpClients({ egress, clock: { now: () => 0, monotonic: () => 0 } });
  let started = 0;
  const calls = await times(() => {
    const cancelled = new AbortController();
    const open: typeof target.open = async (onFailure) => {
      const transport = await target.open(onFailure);
      const start = transport.start.bind(transport);
      transport.start = async () => {
        await start();
        started += 1;
        cancelled.abort();
      };
      return transport;
    };
    const options = { signal: cancelled.signal, timeoutMs: 20_000 };
    return clients.call({ ...target, open }, options, () => Promise.resolve());
  });
  expect([started, new Set(calls.map(({ status }) => status))]).toEqual([
    MAX_PROCESSES,
    new Set(["rejected"]),
  ]);
  await (await target.open(() => {})).close();
});

test("a program that cannot be started keeps no slot", async () => {
  const target = await servers().target("user_1", "silent");
  vi.stubEnv("TMPDIR", "/nonexistent");
  onTestFinished(() => void vi.unstubAllEnvs());
  const opened = await times(() => target.open(() => {}));
  expect(new Set(opened.map(({ status }) => status))).toEqual(new Set(["rejected"]));
  vi.unstubAllEnvs();
  await (await target.open(() => {})).close();
});
