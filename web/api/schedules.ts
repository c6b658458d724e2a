import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type * as z from "zod";
import type { createScheduleSchema, Schedule, UpdateSchedule } from "../../contract/schedules.ts";
import { request } from "./client.ts";
import { useApiMutation } from "./mutation.ts";

export type { Schedule };

/** The next times of a pattern; an error says what is wrong with it. */
export function useNextTimes(cron: string, timezone: string) {
  const search = new URLSearchParams({ cron, timezone }).toString();
  return useQuery({
    queryKey: ["schedules", "next", cron, timezone],
    queryFn: () => request("nextTimes", `/api/schedules/next?${search}`),
    enabled: cron.trim() !== "",
    select: ({ times }) => times,
    placeholderData: keepPreviousData,
  });
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
