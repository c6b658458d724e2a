import type { Migration } from "../migrate.ts";

/** Inputs too long for the row of their task, which SQLite rewrites as a whole whenever the task parks. */
export const taskInputs: Migration = {
  version: 20,
  name: "task inputs",
  statements: ["create table task_input (task_id text primary key, input text not null)"],
};
