import { Play } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { callEndpoint, type EndpointResponse } from "../../../api/endpoints.ts";
import type { WorkflowHead } from "../../../api/types.ts";
import { TextField } from "../../../ui/field.tsx";
import { JsonView } from "../../../ui/json-view.tsx";
import { parseJson } from "../../../ui/parse-json.ts";
import { duration } from "../../../ui/time.ts";

interface TryItProps {
  workflow: WorkflowHead;
  withKey: boolean;
  /** A key that was created in the panel. */
  newKey: string | undefined;
  sample: Record<string, unknown>;
}

/** Calls the endpoint as an outside client does: with an API key, without the session of the user. */
export function TryIt({ workflow, withKey, newKey, sample }: TryItProps) {
  const [text, setText] = useState(() => JSON.stringify(sample, null, 2));
  const [key, setKey] = useState(newKey ?? "");
  const [response, setResponse] = useState<EndpointResponse>();
  const [busy, setBusy] = useState(false);
  const input = parseJson(text);

  async function send(): Promise<void> {
    setBusy(true);
    setResponse(await callEndpoint(workflow, key, input.value));
    setBusy(false);
  }
  const taskId = (response?.body as { taskId?: unknown } | undefined)?.taskId;
  return (
    <section className="card pad stack" aria-label="Try it">
      <h2>Try it</h2>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (input.error === undefined) void send();
        }}
      >
        {withKey && (
          <TextField
            label="API key"
            type="password"
            value={key}
            onChange={setKey}
            autoComplete="off"
            hint="Used for this call only. It is not stored."
          />
        )}
        <TextField label="Input (JSON)" mono rows={3} value={text} onChange={setText} error={input.error} />
        <div>
          <button type="submit" className="btn go" disabled={busy || input.error !== undefined}>
            <Play size={14} /> {busy ? "Sending …" : "Send request"}
          </button>
        </div>
      </form>
      {response !== undefined && (
        <div className="stack tight" role="status">
          <div className="row">
            <span className={`chip ${response.status >= 200 && response.status < 300 ? "ok" : "bad"}`}>
              {response.status === 0 ? "no response" : response.status}
            </span>
            <span className="small muted">{duration(response.durationMs)}</span>
            {typeof taskId === "string" && <Link href={`/runs/${taskId}`}>Open run</Link>}
          </div>
          <JsonView value={response.body} />
        </div>
      )}
    </section>
  );
}
