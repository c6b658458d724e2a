import { spawnSync } from "node:child_process";
import { onTestFinished, expect, test } from "vitest";
import { startCountingServer } from "./counting-server.ts";

const PROCESS = `
  const { connect } = require("node:net");
  const { port } = new URL(process.argv[1]);
  let sent = 0;
  for (let n = 0; n < 30; n += 1)
    connect(Number(port), "127.0.0.1", function () {
      const head = "GET /held HTTP/1.1\\r\\nhost: x\\r\\nidempotency-key: task_" + n + ":call\\r\\n\\r\\n";
      this.write(head, () => (sent += 1) === 30 && process.kill(process.pid, "SIGKILL"));
    });
`;

test("the last requests of a killed process are counted, although nobody read them while it lived", async () => {
  const server = await startCountingServer();
  onTestFinished(() => server.close());
  const { signal } = spawnSync(process.execPath, ["-e", PROCESS, server.address]);
  expect(signal).toBe("SIGKILL");
  await server.allCounted();
  expect(server.arrivals.size).toBe(30);
});
