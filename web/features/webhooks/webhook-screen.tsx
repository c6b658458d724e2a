import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import type { Delivery, Webhook } from "../../../contract/webhooks.ts";
import { call } from "../../api/client.ts";
import { CopyButton, ShownOnce } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Switch } from "../../ui/field.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Empty, Failure, Loaded } from "../../ui/states.tsx";
import { DeliveryList } from "./delivery-list.tsx";

export function WebhookScreen() {
  const { id } = useParams<{ id: string }>();
  const [, go] = useLocation();
  const client = useQueryClient();
  const [secret, setSecret] = useState<string>();
  const path = `/api/webhooks/${id}`;
  const webhook = useQuery({
    queryKey: ["webhook", id],
    queryFn: () => call<{ webhook: Webhook }>(path),
    select: (answer) => answer.webhook,
  });
  const deliveries = useQuery({
    queryKey: ["deliveries", id],
    queryFn: () => call<{ deliveries: Delivery[] }>(`${path}/deliveries`),
    select: (answer) => answer.deliveries,
    refetchInterval: 5000,
  });
  const again = (): void => {
    for (const key of ["webhook", "webhooks", "deliveries"])
      void client.invalidateQueries({ queryKey: [key] });
  };
  const update = useMutation({
    mutationFn: (active: boolean) => call(path, { method: "PATCH", body: { active } }),
    onSettled: again,
  });
  const rotate = useMutation({
    mutationFn: () => call<{ webhook: { secret: string } }>(`${path}/rotate`, { method: "POST" }),
    onSuccess: (answer) => setSecret(answer.webhook.secret),
  });
  const remove = useMutation({
    mutationFn: () => call(path, { method: "DELETE" }),
    onSuccess: () => {
      again();
      go("/endpoints/webhooks");
    },
  });
  const error = update.error ?? rotate.error ?? remove.error;
  return (
    <Screen
      title={webhook.data?.name ?? "Webhook"}
      path={
        <>
          <Link href="/endpoints/webhooks">Webhooks</Link> /
        </>
      }
    >
      <div className="page">
        <Loaded query={webhook}>
          {(record) => (
            <section className="card pad stack" aria-label="Settings">
              <div className="row">
                <code className="code grow ellipsis">{record.url}</code>
                <CopyButton text={record.url} />
              </div>
              <p className="small muted">
                The secret goes into the header <code>x-webhook-secret</code>
                {record.signature === null
                  ? "."
                  : `, or the sender signs in the way of ${record.signature.scheme}.`}
              </p>
              {error !== null && <Failure error={error} />}
              <div className="row wrap">
                <Switch
                  label={record.active ? "Takes calls" : "Switched off"}
                  checked={record.active}
                  disabled={update.isPending}
                  onChange={(on) => update.mutate(on)}
                />
                <span className="grow" />
                <button
                  type="button"
                  className="btn"
                  disabled={rotate.isPending}
                  onClick={() => rotate.mutate()}
                >
                  New secret
                </button>
                <button
                  type="button"
                  className="btn danger"
                  disabled={remove.isPending}
                  onClick={() => remove.mutate()}
                >
                  Delete
                </button>
              </div>
            </section>
          )}
        </Loaded>
        <h2>Deliveries</h2>
        <Loaded query={deliveries}>
          {(list) =>
            list.length === 0 ? (
              <Empty title="Nothing has arrived yet">
                Send something to the address above. What came stands here, and can be sent again.
              </Empty>
            ) : (
              <DeliveryList webhookId={id} list={list} />
            )
          }
        </Loaded>
      </div>
      {secret !== undefined && (
        <Dialog title="The new secret" onClose={() => setSecret(undefined)}>
          <ShownOnce label="Secret" value={secret} />
          <p className="small">The old one has stopped working.</p>
        </Dialog>
      )}
    </Screen>
  );
}
