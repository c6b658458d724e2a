import { useQuery } from "@tanstack/react-query";
import type { CreateWebhook, Delivery, UpdateWebhook, Webhook } from "../../contract/webhooks.ts";
import { request } from "./client.ts";
import { useApiMutation } from "./mutation.ts";
import { usePages } from "./pages.ts";
import type { Responses } from "./responses.ts";

export type { Delivery, Webhook };
export type WebhookWithSecret = Responses["webhookWithSecret"]["webhook"];

const POLL_MS = 5000;

export function useWebhook(id: string) {
  return useQuery({
    queryKey: ["webhook", id],
    queryFn: () => request("webhook", `/api/webhooks/${id}`),
    enabled: id !== "",
    select: (response) => response.webhook,
  });
}

export function useDeliveryPages(webhookId: string) {
  return usePages({ noun: "deliveries", path: `/api/webhooks/${webhookId}/deliveries` }, { pollMs: POLL_MS });
}

export async function createWebhook(body: CreateWebhook): Promise<WebhookWithSecret> {
  return (await request("webhookWithSecret", "/api/webhooks", { body })).webhook;
}

export async function updateWebhook(id: string, body: UpdateWebhook): Promise<Webhook> {
  return (await request("webhook", `/api/webhooks/${id}`, { method: "PATCH", body })).webhook;
}

/** Returns the new secret; the service never shows it again. */
export async function rotateWebhookSecret(id: string): Promise<string> {
  return (await request("webhookWithSecret", `/api/webhooks/${id}/rotate`, { method: "POST" })).webhook
    .secret;
}

export async function deleteWebhook(id: string): Promise<void> {
  await request("ok", `/api/webhooks/${id}`, { method: "DELETE" });
}

export async function redeliver(webhookId: string, deliveryId: string): Promise<void> {
  await request("redelivery", `/api/webhooks/${webhookId}/deliveries/${deliveryId}/redeliver`, {
    method: "POST",
  });
}

export function useWebhookMutation<Input, Output>(
  mutate: (input: Input) => Promise<Output>,
  onSuccess?: (output: Output) => void,
) {
  return useApiMutation(["webhooks", "webhook", "deliveries"], mutate, onSuccess);
}
