import type * as z from "zod";
import type { createScheduleSchema, Schedule, UpdateSchedule } from "../../contract/schedules.ts";
import { request } from "./client.ts";
import { useApiMutation } from "./mutation.ts";
import { usePages } from "./pages.ts";

export type { Schedule };

export function useSchedulePages() {
  return usePages({ noun: "schedules", path: "/api/schedules" });
}

export async function createSchedule(body: z.input<typeof createScheduleSchema>): Promise<Schedule> {
  return (await request("schedule", "/api/schedules", { body })).schedule;
}

export async function updateSchedule(id: string, body: UpdateSchedule): Promise<Schedule> {
  return (await request("schedule", `/api/schedules/${id}`, { method: "PATCH", body })).schedule;
}

export async function deleteSchedule(id: string): Promise<void> {
  await request("ok", `/api/schedules/${id}`, { method: "DELETE" });
}

export function useScheduleMutation<Input, Output>(
  mutate: (input: Input) => Promise<Output>,
  onSuccess?: (output: Output) => void,
) {
  return useApiMutation(["schedules"], mutate, onSuccess);
}
