import { Redirect, useParams } from "wouter";
import { useWebhook } from "../../../api/webhooks.ts";
import { triggerLink } from "../builder-link.ts";
import { triggerId } from "../../../flow/triggers.ts";

/** `/endpoints?workflow=<id>`, a screen of earlier versions: endpoints are triggers on the canvas. */
export function OldEndpointLink() {
  const workflowId = new URLSearchParams(location.search).get("workflow");
  const to = workflowId === null ? "/workflows" : triggerLink(workflowId, triggerId("endpoint", workflowId));
  return <Redirect to={to} replace />;
}

/** `/endpoints/webhooks/<id>`, a screen of earlier versions. */
export function OldWebhookLink() {
  const { id } = useParams<{ id: string }>();
  const webhook = useWebhook(id);
  if (webhook.data !== undefined)
    return <Redirect to={triggerLink(webhook.data.workflowId, triggerId("webhook", id))} replace />;
  return webhook.error === null ? null : <Redirect to="/workflows" replace />;
}
