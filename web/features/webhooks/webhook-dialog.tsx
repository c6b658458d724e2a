import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { SignatureScheme, Webhook } from "../../../contract/webhooks.ts";
import { call } from "../../api/client.ts";
import { useWorkflows } from "../../api/workflows.ts";
import { CopyButton, ShownOnce } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, TextField } from "../../ui/field.tsx";
import { Failure } from "../../ui/states.tsx";

// Said here and not imported: the schemas' module would bring all of zod into this screen.
const schemes: readonly SignatureScheme[] = ["github", "stripe", "slack", "standard", "hmac"];

export function WebhookDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const workflows = useWorkflows().data ?? [];
  const [name, setName] = useState("");
  const [source, setSource] = useState("");
  const [workflowId, setWorkflowId] = useState("");
  const [scheme, setScheme] = useState("");
  const [signingSecret, setSigningSecret] = useState("");
  const create = useMutation({
    mutationFn: () =>
      call<{ webhook: Webhook & { secret: string } }>("/api/webhooks", {
        body: {
          name: name || source,
          source,
          workflowId,
          ...(scheme === "" ? {} : { signature: { scheme, secret: signingSecret } }),
        },
      }),
    onSuccess: () => void client.invalidateQueries({ queryKey: ["webhooks"] }),
  });
  const made = create.data?.webhook;
  if (made !== undefined)
    return (
      <Dialog title="Your new webhook" onClose={onClose}>
        <div className="row">
          <code className="code grow ellipsis">{made.url}</code>
          <CopyButton text={made.url} />
        </div>
        <ShownOnce label="Secret (header x-webhook-secret)" value={made.secret} />
        <pre className="code">{`curl -X POST ${made.url} \\\n  -H "x-webhook-secret: $SECRET" \\\n  -H "Content-Type: application/json" \\\n  -d '{"hello": "world"}'`}</pre>
        <div className="actions">
          <button type="button" className="btn go" onClick={onClose}>
            I have kept it
          </button>
        </div>
      </Dialog>
    );
  return (
    <Dialog title="New webhook" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <TextField
          label="Source"
          mono
          required
          value={source}
          onChange={setSource}
          placeholder="github"
          hint="The word in its address: /webhook/github"
        />
        <TextField label="Name" value={name} onChange={setName} hint="What you call it; may stay empty." />
        <Field label="Workflow">
          {(ids) => (
            <select
              className="in"
              {...ids}
              required
              value={workflowId}
              onChange={(event) => setWorkflowId(event.target.value)}
            >
              <option value="">Choose what each call starts</option>
              {workflows.map((workflow) => (
                <option key={workflow.id} value={workflow.id}>
                  {workflow.name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field
          label="Signature"
          hint="When the sender signs its calls, its signature may stand in for the secret."
        >
          {(ids) => (
            <select
              className="in"
              {...ids}
              value={scheme}
              onChange={(event) => setScheme(event.target.value)}
            >
              <option value="">None: the secret alone</option>
              {schemes.map((word) => (
                <option key={word}>{word}</option>
              ))}
            </select>
          )}
        </Field>
        {scheme !== "" && (
          <TextField
            label="The sender’s signing secret"
            type="password"
            required
            autoComplete="off"
            value={signingSecret}
            onChange={setSigningSecret}
          />
        )}
        {create.error !== null && <Failure error={create.error} />}
        <div className="actions">
          <button type="submit" className="btn go" disabled={create.isPending}>
            Make the webhook
          </button>
        </div>
      </form>
    </Dialog>
  );
}
