import { afterEach, expect, test, vi } from "vitest";
import { sendForm } from "./public-form.ts";

afterEach(() => void vi.unstubAllGlobals());

function refusedWith(status: number, body: object) {
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify({ ok: false, ...body }), { status }));
  return sendForm("refund", { input: {}, files: {}, key: "", attempt: "a" });
}

test("a form that a limit refuses was received, and says what to do", async () => {
  const details = { limit: "RUNS_PER_HOUR" };
  expect(await refusedWith(429, { error: "limit_reached", message: "", details })).toEqual({
    kind: "refused",
    message: "This form takes no more responses at the moment. Try again later.",
    isKeyProblem: false,
  });
});

test("problems of fields are listed by field", async () => {
  const details = [
    { path: "", message: "is wrong" },
    { path: "email", message: "Email is required." },
  ];
  expect(await refusedWith(400, { error: "invalid_request", message: "no", details })).toMatchObject({
    kind: "refused",
    fields: { email: "Email is required." },
  });
});
