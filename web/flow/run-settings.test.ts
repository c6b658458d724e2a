import { expect, test } from "vitest";
import {
  refusedRunSettings,
  runSettingsForm,
  runSettingsInput,
  runSettingsProblems,
} from "./run-settings.ts";

test("settings become a form in human units and the same settings again", () => {
  const settings = {
    timeoutMs: 5_400_000,
    errorWorkflowId: "wf_alarm",
    concurrency: { limit: 2, key: "{{input.customer}}", whenFull: "skip" as const },
    onConnectionProblem: "wait" as const,
  };
  const form = runSettingsForm(settings);
  expect(form).toMatchObject({ timeout: "1 h 30 min", limit: 2 });
  expect(runSettingsInput(form)).toEqual(settings);
});

test("an empty field clears its setting", () => {
  expect(runSettingsInput(runSettingsForm())).toEqual({
    timeoutMs: null,
    errorWorkflowId: null,
    concurrency: null,
    onConnectionProblem: null,
  });
  expect(runSettingsInput({ ...runSettingsForm(), limit: 1, key: " " }).concurrency).toEqual({
    limit: 1,
    whenFull: "queue",
  });
});

test("durations and limits out of range are problems of their field", () => {
  const problemsOf = (change: object) => runSettingsProblems({ ...runSettingsForm(), ...change });
  expect(problemsOf({})).toEqual({});
  expect(problemsOf({ timeout: "soon" }).timeout).toMatch(/such as 30 s/);
  expect(problemsOf({ timeout: "0 s" }).timeout).toMatch(/above zero/);
  expect(problemsOf({ timeout: "400 d" }).timeout).toMatch(/366 days/);
  expect(problemsOf({ limit: 0 }).limit).toMatch(/1 to 1000/);
  expect(problemsOf({ limit: 1.5 }).limit).toMatch(/whole number/);
});

test("what the service refuses is shown at its field", () => {
  const details = [{ path: "settings.concurrency.key", message: "may use placeholders of input only" }];
  expect(refusedRunSettings("invalid_request", details)).toEqual({
    key: "May use placeholders of input only.",
  });
  expect(refusedRunSettings("workflow_not_found", undefined).errorWorkflowId).toMatch(/no longer exists/);
  expect(refusedRunSettings("limit_reached", { limit: 3 })).toEqual({});
});
