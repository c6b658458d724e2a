import { useEffect, useState } from "react";
import type { Delivery } from "../../../api/webhooks.ts";
import { JsonView } from "../../../ui/json-view.tsx";
import type { BuilderState } from "../use-builder.ts";

const LISTEN_POLL_MS = 1500;

interface TestEventProps {
  builder: BuilderState;
  /** Newest first. */
  deliveries: readonly Delivery[];
  refetch: () => unknown;
}

/** Runs the draft with the next request that arrives. */
export function TestEvent({ builder, deliveries, refetch }: TestEventProps) {
  /** The id of the newest delivery when listening began; undefined while not listening. */
  const [since, setSince] = useState<string>();
  const [received, setReceived] = useState<Delivery>();
  const { run } = builder.commands;
  const newest = deliveries.find(({ body }) => body !== null);
  useEffect(() => {
    if (since === undefined) return undefined;
    const timer = setInterval(() => void refetch(), LISTEN_POLL_MS);
    return () => clearInterval(timer);
  }, [since, refetch]);
  useEffect(() => {
    if (since === undefined || newest === undefined || newest.id === since) return;
    setSince(undefined);
    setReceived(newest);
    run(newest.body);
  }, [since, newest, run]);

  if (since === undefined)
    return (
      <>
        <div>
          <button type="button" className="btn" onClick={() => setSince(newest?.id ?? "")}>
            Listen for a test event
          </button>
        </div>
        <div role="status">
          {received !== undefined && (
            <>
              <p className="small muted">Test event received. The draft runs with it.</p>
              <JsonView value={received.body} />
            </>
          )}
        </div>
      </>
    );
  return (
    <div className="listening" role="status">
      <span className="pulse" />
      <span className="grow">
        <b>Listening for a test event</b>
        <div className="xs muted">Send a request to the URL. The draft runs with it, too.</div>
      </span>
      <button type="button" className="btn ghost" onClick={() => setSince(undefined)}>
        Stop
      </button>
    </div>
  );
}
