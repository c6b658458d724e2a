import { expect, test } from "vitest";
import type { AppDetails } from "../../contract/apps.ts";
import { appProblems } from "./app-problems.ts";
import { missingFields } from "./field-problems.ts";

const chat = {
  id: "chat",
  title: "Chatter",
  auth: [{ kind: "bearer" }],
  actions: [
    {
      id: "send",
      needsConnection: true,
      input: {
        channel: { type: "string", title: "Channel", required: true },
        text: { type: "string", title: "Text", required: true },
        thread: { type: "string", title: "Thread" },
      },
    },
  ],
} as unknown as AppDetails;

const draftOf = (steps: object[]) => ({ name: "", description: "", steps: steps as never[], edges: [] });
const send = (more: object) => ({ stepId: "a", type: "app", app: "chat", action: "send", ...more });

test("an app step needs a connection and the required inputs of its action, also inside a loop", () => {
  const step = send({ input: { text: "{{input.text}}" } });
  const problems = appProblems(draftOf([{ stepId: "each", type: "foreach", steps: [step] }]), [chat]);
  expect(problems).toMatchObject([
    { code: "missing_field", stepId: "a" },
    { code: "missing_field", stepId: "a" },
  ]);
  expect(missingFields(problems, step)).toEqual(["Connection", "Channel"]);
  const complete = send({ connection: "conn_1", input: { channel: "C1", text: "Hi" } });
  expect(appProblems(draftOf([complete]), [chat])).toEqual([]);
});

test("a disabled step, and an app that is not loaded, have no problems", () => {
  expect(appProblems(draftOf([send({ disabled: true })]), [chat])).toEqual([]);
  expect(appProblems(draftOf([send({})]), [])).toEqual([]);
});
