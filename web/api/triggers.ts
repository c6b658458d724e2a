import { useQuery } from "@tanstack/react-query";
import type * as z from "zod";
import type { createTriggerSchema, StoredTrigger, UpdateTrigger } from "../../contract/triggers.ts";
import { request } from "./client.ts";
import { useApiMutation } from "./mutation.ts";
import { usePages } from "./pages.ts";

export type { StoredTrigger };
export type StoredKind = StoredTrigger["kind"];

const POLL_MS = 5000;

/** Read again every few seconds: checks change it. */
export function useTrigger(id: string) {
  return useQuery({
    queryKey: ["triggers", id],
    queryFn: () => request("trigger", `/api/triggers/${id}`),
    enabled: id !== "",
    refetchInterval: POLL_MS,
    select: ({ trigger }) => trigger,
  });
}

export function useTriggerItems(triggerId: string) {
  return usePages({ noun: "items", path: `/api/triggers/${triggerId}/items` }, { pollMs: POLL_MS });
}

export async function createTrigger(body: z.input<typeof createTriggerSchema>): Promise<StoredTrigger> {
  return (await request("trigger", "/api/triggers", { body })).trigger;
}

export async function updateTrigger(id: string, body: UpdateTrigger): Promise<StoredTrigger> {
  return (await request("trigger", `/api/triggers/${id}`, { method: "PATCH", body })).trigger;
}

export async function deleteTrigger(id: string): Promise<void> {
  await request("ok", `/api/triggers/${id}`, { method: "DELETE" });
}

/** The newest item of the source; null when it has none. Starts nothing. */
export async function readSample(id: string) {
  return (await request("triggerSample", `/api/triggers/${id}/test`, { method: "POST" })).sample;
}

export function useTriggerMutation<Input, Output>(
  mutate: (input: Input) => Promise<Output>,
  onSuccess?: (output: Output) => void,
) {
  return useApiMutation(["triggers"], mutate, onSuccess);
}

export function chatUrl(slug: string): string {
  return `${location.origin}/chat/${slug}`;
}
