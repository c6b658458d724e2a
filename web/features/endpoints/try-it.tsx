import { Play } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { callEndpoint, type EndpointResponse } from "../../api/endpoints.ts";
import type { WorkflowHead } from "../../api/types.ts";
import { TextField } from "../../ui/field.tsx";
import { JsonView } from "../../ui/json-view.tsx";
import { readJson } from "../../ui/read-json.ts";
import { duration } from "../../ui/time.ts";

/** The real call from outside: without the login, with the key that a stranger would have. */
export function TryIt({ workflow, withKey }: { workflow: WorkflowHead; withKey: boolean }) {
  const [text, setText] = useState("{}");
  const [key, setKey] = useState("");
  const [answer, setAnswer] = useState<EndpointResponse>();
  const [busy, setBusy] = useState(false);
  const input = readJson(text);

  async function call(): Promise<void> {
    setBusy(true);
    setAnswer(await callEndpoint(workflow, key, input.value));
    setBusy(false);
  }
  const taskId = (answer?.body as { taskId?: unknown } | undefined)?.taskId;
  return (
    <section className="card pad stack" aria-label="Try it">
      <h2>Try it</h2>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (input.wrong === undefined) void call();
        }}
      >
        {withKey && (
          <TextField
            label="API key"
            type="password"
            value={key}
            onChange={setKey}
            autoComplete="off"
            hint="Used for this call alone; it is not kept."
          />
        )}
        <TextField label="Input (JSON)" mono rows={3} value={text} onChange={setText} wrong={input.wrong} />
        <div>
          <button type="submit" className="btn go" disabled={busy || input.wrong !== undefined}>
            <Play size={14} /> {busy ? "Calling …" : "Call it"}
          </button>
        </div>
      </form>
      {answer !== undefined && (
        <div className="stack tight" role="status">
          <div className="row">
            <span className={`chip ${answer.status >= 200 && answer.status < 300 ? "ok" : "bad"}`}>
              {answer.status === 0 ? "no answer" : answer.status}
            </span>
            <span className="small muted">{duration(answer.durationMs)}</span>
            {typeof taskId === "string" && <Link href={`/runs/${taskId}`}>Open the run</Link>}
          </div>
          <JsonView value={answer.body} />
        </div>
      )}
    </section>
  );
}
