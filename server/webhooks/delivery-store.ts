import type { PageQuery } from "../../contract/api.ts";
import type { Delivery } from "../../contract/webhooks.ts";
import { toIso } from "../lib/clock.ts";
import type { Page } from "../lib/page.ts";

export interface DeliveryRecord {
  id: string;
  webhookId: string;
  status: "accepted" | "rejected";
  reason: string | null;
  headers: Record<string, string>;
  /** The JSON text as it came; null when it was none, or when nobody knows whose it is. */
  body: string | null;
  taskId: string | null;
  redeliveryOf: string | null;
  createdAt: number;
}

/** How much of each webhook is kept; the newest stay. Rejected ones never push out accepted ones. */
export interface DeliveryBounds {
  accepted: number;
  rejected: number;
  characters: number;
}

export interface DeliveryStore {
  insert(delivery: DeliveryRecord): Promise<void>;
  list(webhookId: string, page: PageQuery): Promise<Page<DeliveryRecord>>;
  find(webhookId: string, id: string): Promise<DeliveryRecord | undefined>;
  prune(webhookId: string, bounds: DeliveryBounds): Promise<void>;
}

export function toDelivery({ body, createdAt, ...record }: DeliveryRecord): Delivery {
  return { ...record, body: body === null ? null : JSON.parse(body), createdAt: toIso(createdAt) };
}
