import { onTestFinished, vi } from "vitest";

/** Every part of a job seems to take longer than a turn of the event loop may. */
export function slowClock(): void {
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 100));
  onTestFinished(() => clock.mockRestore());
}
