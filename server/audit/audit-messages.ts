import { AUDIT_EVENT_TYPE } from "../../contract/events.ts";
import { CLOUD_EVENT_TYPE } from "../events/cloud-event.ts";
import { EVENT_KIND } from "../events/dispatch.ts";
import type { NewOutboxDelivery } from "../outbox/outbox-delivery.sql.ts";
import type { ChainedEvent } from "./audit-event.sql.ts";
import { toAuditEvent } from "./audit-events.ts";

export interface AuditMessagesDeps {
  /** The subscriptions of a workspace to its audit events; asks the database only for workspaces that have one. */
  subscriptionsOf(ownerId: string): Promise<readonly { id: string }[]>;
  serviceUrl: string;
}

/** Every event of a chain, attempts too, as a CloudEvent for each subscription: a receiver can verify the chain. */
export function createAuditMessages({ subscriptionsOf, serviceUrl }: AuditMessagesDeps) {
  return async (chain: string, events: readonly ChainedEvent[]): Promise<NewOutboxDelivery[]> => {
    const subscriptions = await subscriptionsOf(chain);
    if (subscriptions.length === 0) return [];
    return events.map(toAuditEvent).flatMap((event) => {
      const body = JSON.stringify({
        specversion: "1.0",
        id: `${chain}.${event.sequence}`,
        source: `${serviceUrl}/settings/audit-log`,
        type: AUDIT_EVENT_TYPE,
        time: event.at,
        datacontenttype: "application/json",
        data: { workspaceId: chain, ...event },
      });
      return subscriptions.map(({ id }) => ({
        ownerId: chain,
        kind: EVENT_KIND,
        targetId: id,
        label: AUDIT_EVENT_TYPE,
        subject: null,
        contentType: CLOUD_EVENT_TYPE,
        body,
      }));
    });
  };
}
