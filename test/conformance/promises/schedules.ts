import type { Section } from "../register.ts";

export const schedules: Section = {
  title: "Schedules",
  promises: [
    {
      id: "18.1",
      text: "`POST /api/schedules`, `GET /api/schedules`, `GET /api/schedules/{id}`, `PATCH /api/schedules/{id}`, `DELETE /api/schedules/{id}`: a cron pattern with a time zone starts a workflow exactly once per occurrence.",
      proofs: [
        "test/schedules.test.ts › a schedule starts its workflow by the clock, and each time once",
        "test/schedules.test.ts › wrong patterns and foreign workflows are refused",
        "test/ownership.test.ts › [S13] [S15] another user's record is 403 for every verb of every route, an unknown one 404, and nothing changes",
        "test/schedules.test.ts › the schedule of a deleted workflow is switched off, and kept to be seen",
      ],
    },
    {
      id: "18.2",
      text: "Occurrences missed during downtime follow the `misfire` rule of the schedule.",
      proofs: [
        "test/schedules.test.ts › [R5] a time that passed while the service was down is made up for at the start",
        "server/schedules/occurrences.test.ts › [R5] after three hours of downtime the rule decides: one run, none, or each of them",
      ],
    },
  ],
};
