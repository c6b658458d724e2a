import { beforeAll, expect, test } from "vitest";
import { temporaryData } from "../chaos/service.ts";
import { ensureBuilt } from "../support/service-process.ts";
import { crashSessions } from "./crash.ts";

beforeAll(ensureBuilt);

test(
  "[R19] sessions survive kill -9: every log is complete, without repeated entries or gaps",
  { timeout: 180_000 },
  async () => {
    const report = await crashSessions(temporaryData(), { sessions: 120, kills: 5, pauseMs: 700 });
    expect(report).toMatchObject({ kills: 5, problems: [] });
    expect(report.sessions).toBe(120);
    // Otherwise no kill interrupted a turn, and nothing was tested.
    expect(report.modelCalls).toBeGreaterThan(360);
  },
);
