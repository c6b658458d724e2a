import type { Section } from "./section.ts";

export const schedules: Section = {
  title: "Schedules",
  promises: [
    {
      id: "18.1",
      text: "`POST /api/schedules`, `GET /api/schedules`, `GET /api/schedules/{id}`, `PATCH /api/schedules/{id}`, `DELETE /api/schedules/{id}`: a cron pattern with a time zone starts a workflow exactly once per occurrence.",
      proofs: [
        "test/schedules.test.ts › a schedule starts its workflow once at each of its times",
        "test/schedules.test.ts › invalid cron patterns and workflows of other users are rejected",
        "test/ownership.test.ts › [S13] [S15] another user's record is 403 for every verb of every route, an unknown one 404, and nothing changes",
        "test/schedules.test.ts › the schedule of a deleted workflow is paused and stays visible",
      ],
    },
    {
      id: "18.2",
      text: "Occurrences missed during downtime follow the `misfire` rule of the schedule.",
      proofs: [
        "test/schedules.test.ts › [R5] a run missed while the service was down starts at the next start",
        "server/schedules/occurrences.test.ts › [R5] after three hours of downtime the misfire policy decides: one run, none, or all of them",
      ],
    },
    {
      id: "18.3",
      text: "Two runs of a schedule are at least `SCHEDULE_MIN_INTERVAL_SECONDS` apart; a shorter interval is 400 `invalid_request` with `details.limit`, and existing schedules keep running.",
      proofs: [
        "test/schedules.test.ts › a schedule that would run every ten seconds is refused with the setting to change",
        "server/schedules/schedules.test.ts › a pattern below the shortest interval is refused at create and update, and 0 allows it",
        "server/schedules/schedules.test.ts › a schedule from before the limit can be renamed, paused and resumed",
      ],
    },
  ],
};
