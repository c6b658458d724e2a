import { useQuery } from "@tanstack/react-query";
import type {
  EventDelivery,
  EventSubscription,
  EventType,
  NewEventSubscription,
  UpdateEventSubscription,
} from "../../contract/events.ts";
import { request } from "./client.ts";
import { useApiMutation } from "./mutation.ts";
import { usePages } from "./pages.ts";
import type { Responses } from "./responses.ts";

export type { EventDelivery, EventSubscription, EventType };
export type SubscriptionWithSecret = Responses["subscriptionWithSecret"]["subscription"];

const source = {
  noun: "subscriptions",
  path: "/api/event-subscriptions",
  operation: "listEventSubscriptions",
} as const;
const pathOf = (id: string): string => `${source.path}/${encodeURIComponent(id)}`;
const POLL_MS = 3000;

export function useSubscriptionPages() {
  return usePages(source);
}

/** The newest deliveries, read again while the list is open. */
export function useEventDeliveries(subscriptionId: string) {
  return useQuery({
    queryKey: ["subscriptions", subscriptionId, "deliveries"],
    queryFn: async () =>
      (await request("eventDeliveries", `${pathOf(subscriptionId)}/deliveries`)).deliveries,
    refetchInterval: POLL_MS,
  });
}

export async function createSubscription(body: NewEventSubscription): Promise<SubscriptionWithSecret> {
  return (await request("subscriptionWithSecret", source.path, { body })).subscription;
}

export async function updateSubscription(
  id: string,
  body: UpdateEventSubscription,
): Promise<EventSubscription> {
  return (await request("subscription", pathOf(id), { method: "PATCH", body })).subscription;
}

export async function deleteSubscription(id: string): Promise<void> {
  await request("ok", pathOf(id), { method: "DELETE" });
}

/** Returns the new secret; the service never shows it again. */
export async function rotateSubscription(id: string): Promise<string> {
  return (await request("subscriptionWithSecret", `${pathOf(id)}/rotate`, { method: "POST" })).subscription
    .secret;
}

export async function testSubscription(id: string): Promise<void> {
  await request("ok", `${pathOf(id)}/test`, { method: "POST" });
}

export async function resendDelivery(subscriptionId: string, deliveryId: string): Promise<void> {
  await request("eventDelivery", `${pathOf(subscriptionId)}/deliveries/${deliveryId}/resend`, {
    method: "POST",
  });
}

export function useSubscriptionMutation<Input, Output>(
  mutate: (input: Input) => Promise<Output>,
  onSuccess?: (output: Output) => void,
) {
  return useApiMutation(["subscriptions"], mutate, onSuccess);
}
