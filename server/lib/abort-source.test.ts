import { expect, test } from "vitest";
import { LazyAbortController } from "./abort-source.ts";

test("a signal created before or after the abort is aborted with its reason", () => {
  const [early, late] = [new LazyAbortController(), new LazyAbortController()];
  const { signal } = early;
  expect([early.aborted, signal.aborted]).toEqual([false, false]);
  early.abort("stop");
  late.abort("stop");
  expect([early.aborted, signal.aborted, late.aborted, late.signal.aborted]).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect([early.reason, signal.reason, late.reason, late.signal.reason]).toEqual(Array(4).fill("stop"));
  expect(early.signal).toBe(signal);
});

test("without a reason it is that of an AbortController", () => {
  const [own, native] = [new LazyAbortController(), new AbortController()];
  own.abort();
  native.abort();
  expect(own.reason).toEqual(native.signal.reason);
  expect(own.reason).toMatchObject({ name: "AbortError", message: native.signal.reason.message });
});

test("listeners are called once, and not after their removal", () => {
  const controller = new LazyAbortController();
  const heard: string[] = [];
  const removed = (): void => void heard.push("removed");
  controller.addEventListener("abort", () => heard.push("kept"));
  controller.addEventListener("abort", removed);
  controller.removeEventListener("abort", removed);
  controller.abort("first");
  controller.abort("second");
  expect([heard, controller.reason]).toEqual([["kept"], "first"]);
});

test("a listener that throws does not keep the others from being called", () => {
  const controller = new LazyAbortController();
  const { signal } = controller;
  const heard: string[] = [];
  controller.addEventListener("abort", () => {
    heard.push("first");
    throw new Error("broken");
  });
  controller.addEventListener("abort", () => heard.push("second"));
  expect(() => controller.abort("stop")).toThrow("broken");
  expect([heard, controller.aborted, signal.aborted]).toEqual([["first", "second"], true, true]);
});
