import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { enter, useOutside } from "./chaos/service.ts";
import { createTestApp, type TestApp } from "./support/test-app.ts";

interface Stoppable {
  app: TestApp;
  /** Of a caller who waits for a step that does not end by itself. */
  answer: Promise<unknown>;
}

async function withRunUnderWay(stopGraceMs: number, held: string): Promise<Stoppable> {
  const app = await createTestApp({ STOP_GRACE_MS: String(stopGraceMs) });
  const address = await app.listen();
  const ada = await enter(() => address);
  const id = await ada.workflow([{ stepId: "call", type: "http", url: held }]);
  return { app, answer: ada.post(`/api/workflows/${id}/run?wait=true`) };
}

/** A request whose end never comes; resolves when it has arrived, with the end of its connection. */
async function neverFinish({ http }: TestApp): Promise<{ closed: Promise<unknown> }> {
  const arrived = once(http.server, "request");
  const { port } = http.server.address() as { port: number };
  const socket = connect(port, "127.0.0.1")
    .on("error", () => {})
    .resume();
  socket.write(
    "POST /api/auth/login HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{",
  );
  await arrived;
  return { closed: once(socket, "close") };
}

test("[R20] a stop waits for steps and callers up to STOP_GRACE_MS", async () => {
  const outside = await useOutside();
  const patient = await withRunUnderWay(3_600_000, `${outside.address}/held?n=1`);
  const hasty = await withRunUnderWay(0, `${outside.address}/held?n=2`);
  await expect.poll(() => outside.arrivals.size).toBe(2);
  const { closed } = await neverFinish(hasty.app);
  const patientEnd = patient.app.close();
  await hasty.app.close();
  expect(await hasty.answer).toMatchObject({ status: 504, body: { error: "execution_timeout" } });
  await closed;
  // The other one was asked to stop before this one, and still waits.
  outside.release();
  expect(await patient.answer).toMatchObject({ status: 200, body: { result: { output: { n: 1 } } } });
  await patientEnd;
});
