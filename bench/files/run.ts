import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { signIn } from "../service-client.ts";

/**
 * `npm run bench:files [-- --megabytes 200 --batch 2500 --post]`: a workflow downloads a CSV as a file and loops over it in
 * batches. With `--post` it sends every batch to a server. Prints the time and the peak memory of the service.
 */
export async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      megabytes: { type: "string", default: "200" },
      batch: { type: "string", default: "2500" },
      post: { type: "boolean", default: false },
    },
  });
  const bytes = Number(values.megabytes) * 1024 * 1024;
  const folder = mkdtempSync(join(tmpdir(), "baton-files-"));
  const other = await startReceiver(bytes);
  const service = await startService(folder);
  try {
    const client = await signIn(service.address);
    const idle = memoryOf(service.child, "VmRSS");
    const steps = [
      { stepId: "get", type: "http", url: `${other.url}/orders.csv`, responseAs: "file" },
      {
        stepId: "each",
        type: "foreach",
        items: "{{steps.get.output}}",
        batchSize: Number(values.batch),
        concurrency: 2,
        steps: [
          values.post
            ? { stepId: "post", type: "http", method: "POST", url: `${other.url}/batch`, body: "{{item}}" }
            : { stepId: "first", type: "http", url: `${other.url}/first`, query: { id: "{{item[0].id}}" } },
        ],
      },
    ];
    const edges = [{ id: "1", source: "get", target: "each" }];
    const { workflow } = await client.post("/api/workflows", { name: "Files", metadata: { steps, edges } });
    const began = performance.now();
    const { taskId } = await client.post(`/api/workflows/${workflow.id}/run`, {});
    const task = await ended(() => client.get(`/api/tasks/${taskId}`));
    const seconds = (performance.now() - began) / 1000;
    const { size } = (task["stepResults"] as { stepId: string; output: { size: number } }[]).find(
      ({ stepId }) => stepId === "get",
    )!.output;
    console.log(
      [
        `status          ${String(task["status"])} ${JSON.stringify(task["error"] ?? "")}`,
        `file            ${(size / 1024 / 1024).toFixed(0)} MB, ${other.sent()} rows sent, ${other.received()} rows received`,
        `time            ${seconds.toFixed(1)} s`,
        `memory at rest  ${idle.toFixed(0)} MB`,
        `peak memory     ${memoryOf(service.child, "VmHWM").toFixed(0)} MB`,
      ].join("\n"),
    );
  } finally {
    service.child.kill();
    await once(service.child, "close");
    other.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Serves rows until `bytes` are sent, and counts the rows that it gets back. */
async function startReceiver(bytes: number) {
  let [sent, received] = [0, 0];
  const server = createServer((request, response) => {
    if (request.url === "/orders.csv") return void sendRows(response);
    if (request.method === "GET") return void response.end();
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      received += (JSON.parse(Buffer.concat(pieces).toString()) as unknown[]).length;
      response.end();
    });
  });
  async function sendRows(response: ServerResponse): Promise<void> {
    let written = response.write("id,name,email,note\n") ? 0 : 0;
    while (written < bytes) {
      const rows = Array.from({ length: 1000 }, () => {
        sent += 1;
        return `${sent},Customer ${sent},customer${sent}@example.com,"Ordered ""again"", twice\nthis year"\n`;
      }).join("");
      written += rows.length;
      if (!response.write(rows)) await once(response, "drain");
    }
    response.end();
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent: () => sent,
    received: () => received,
    close: () => server.close().closeAllConnections(),
  };
}

async function startService(folder: string): Promise<{ child: ChildProcess; address: string }> {
  const child = spawn(process.execPath, ["dist/server/main.js"], {
    env: { PATH: "", DATA_DIR: folder, PORT: "0", LOG_LEVEL: "error", ALLOW_PRIVATE_NETWORK: "true" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (piece: Buffer) => {
      text += piece.toString();
      const found = /API documentation\s+(\S+)\/api\/docs/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once("close", () => reject(new Error(`the service ended:\n${text}`)));
  });
  return { child, address };
}

async function ended(read: () => Promise<Record<string, unknown>>): Promise<Record<string, unknown>> {
  for (;;) {
    const { task } = (await read()) as { task: Record<string, unknown> };
    if (["completed", "failed", "cancelled"].includes(String(task["status"]))) return task;
    await sleep(500);
  }
}

/** In megabytes; Linux only. */
function memoryOf({ pid }: ChildProcess, field: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
}
