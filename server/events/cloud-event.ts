import { type EventType, TEST_EVENT_TYPE } from "../../contract/events.ts";
import { toIso } from "../lib/clock.ts";
import type { EventTask, RunEvent } from "./run-event.sql.ts";
import { parseJson } from "../lib/lenient-parse.ts";

/** A CloudEvent 1.0 in structured mode. */
export interface CloudEvent {
  specversion: "1.0";
  id: string;
  source: string;
  type: string;
  subject?: string;
  time: string;
  datacontenttype: "application/json";
  data: Record<string, unknown>;
}

/** A notification that the events of a batch may begin; stored unless they join one that is open. */
export interface NewNotification {
  id: string;
  ownerId: string;
  workflowId: string | null;
  at: number;
  /** Reads the title of the step. */
  loadData(): Promise<Record<string, unknown>>;
}

export const CLOUD_EVENT_TYPE = "application/cloudevents+json";

/** The event of a stored fact: the same fact has the same id and source whenever it is sent. */
export function toCloudEvent(event: RunEvent, serviceUrl: string): CloudEvent {
  const { task, data, type } = event;
  if (task === null) {
    const connectionId = data["connectionId"] as string | undefined;
    const source = connectionId === undefined ? "/limits" : `/connections/${connectionId}`;
    return cloudEvent(event, `${serviceUrl}${source}`, connectionId, data);
  }
  const { id: taskId, workflowId, workflowName, workflowVersion, trigger, parentTaskId } = task;
  return cloudEvent(event, `${serviceUrl}/workflows/${workflowId}`, taskId, {
    taskId,
    workflowId,
    workflowName,
    workflowVersion,
    trigger,
    parentTaskId,
    ...(type.startsWith("baton.run.") ? runData(event, task) : approvalData(event)),
  });
}

/** The first event of a new notification; further ones of its group send none. */
export async function notificationEvent(
  { id, at, loadData }: NewNotification,
  serviceUrl: string,
): Promise<CloudEvent> {
  const type = "baton.notification.created";
  return cloudEvent({ id, type, at }, `${serviceUrl}/notifications`, id, await loadData());
}

function cloudEvent(
  { id, type, at }: { id: string; type: EventType; at: number },
  source: string,
  subject: string | undefined,
  data: Record<string, unknown>,
): CloudEvent {
  return {
    specversion: "1.0",
    id,
    source,
    type,
    ...(subject === undefined ? {} : { subject }),
    time: toIso(at),
    datacontenttype: "application/json",
    data,
  };
}

export function testEvent(id: string, subscriptionId: string, serviceUrl: string, now: number): CloudEvent {
  return {
    specversion: "1.0",
    id,
    source: `${serviceUrl}/event-subscriptions/${subscriptionId}`,
    type: TEST_EVENT_TYPE,
    time: toIso(now),
    datacontenttype: "application/json",
    data: { message: "A test event from Baton." },
  };
}

function runData(
  { type, at, data }: RunEvent,
  { createdAt, result, resultOmitted }: EventTask,
): Record<string, unknown> {
  const name = type.slice("baton.run.".length);
  const isOpen = name === "started" || name === "waiting_approval";
  return {
    status: name === "started" ? "running" : name,
    createdAt: toIso(createdAt),
    ...(isOpen ? {} : { completedAt: toIso(at) }),
    ...(name === "waiting_approval" ? { stepId: data["stepId"] } : {}),
    ...("error" in data ? { error: data["error"] } : {}),
    ...(name === "completed" ? (resultOmitted ? { resultOmitted } : { result }) : {}),
  };
}

function approvalData({ data: { dueAt, context, ...data } }: RunEvent): Record<string, unknown> {
  return {
    ...data,
    ...(typeof context === "string" ? { context: parsed(context) } : {}),
    ...(typeof dueAt === "number" ? { dueAt: toIso(dueAt) } : {}),
  };
}

export function parsed(json: string): unknown {
  return parseJson(json) ?? null;
}
