import { TEST_EVENT_TYPE } from "../../contract/events.ts";
import { toIso } from "../lib/clock.ts";
import type { RunEvent } from "./run-event.sql.ts";

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

export const CLOUD_EVENT_TYPE = "application/cloudevents+json";

/** The event of a stored fact: the same fact has the same id and source whenever it is sent. */
export function toCloudEvent(event: RunEvent, serviceUrl: string): CloudEvent {
  return {
    specversion: "1.0",
    id: event.id,
    source: `${serviceUrl}/workflows/${event.workflowId}`,
    type: event.type,
    subject: event.taskId,
    time: toIso(event.at),
    datacontenttype: "application/json",
    data: {
      taskId: event.taskId,
      workflowId: event.workflowId,
      workflowName: event.workflowName,
      workflowVersion: event.workflowVersion,
      trigger: event.trigger,
      parentTaskId: event.parentTaskId,
      ...(event.type.startsWith("baton.run.") ? runData(event) : approvalData(event)),
    },
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

function runData({ type, at, createdAt, data, result, resultOmitted }: RunEvent): Record<string, unknown> {
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
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
