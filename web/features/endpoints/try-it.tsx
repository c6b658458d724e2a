import { Play } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { TextField } from "../../ui/field.tsx";
import { JsonView } from "../../ui/json-view.tsx";
import { readJson } from "../../ui/read-json.ts";
import { duration } from "../../ui/time.ts";

interface Answer {
  status: number;
  ms: number;
  body: unknown;
}

/** The real call from outside: without the login, with the key that a stranger would have. */
export function TryIt({ address, withKey }: { address: string; withKey: boolean }) {
  const [text, setText] = useState("{}");
  const [key, setKey] = useState("");
  const [answer, setAnswer] = useState<Answer>();
  const [busy, setBusy] = useState(false);
  const input = readJson(text);

  async function call(): Promise<void> {
    setBusy(true);
    const begun = performance.now();
    try {
      const response = await fetch(new URL(address).pathname, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(key === "" ? {} : { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify({ input: input.value }),
      });
      setAnswer({
        status: response.status,
        ms: performance.now() - begun,
        body: readJson(await response.text()).value,
      });
    } catch {
      setAnswer({ status: 0, ms: performance.now() - begun, body: "The service cannot be reached." });
    }
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
            <span className="small muted">{duration(answer.ms)}</span>
            {typeof taskId === "string" && <Link href={`/runs/${taskId}`}>Open the run</Link>}
          </div>
          <JsonView value={answer.body} />
        </div>
      )}
    </section>
  );
}
