import { Plus } from "lucide-react";
import { type ReactEventHandler, Suspense, useState } from "react";
import { createPortal } from "react-dom";
import { useConnections } from "../../api/connections.ts";
import { fits, type Wanted } from "../../flow/wanted-connection.ts";
import { lazyComponent } from "../../ui/lazy-component.ts";
import "./connection-picker.css";
import { ConnectionStatus, needsAttention } from "./connection-status.tsx";
import { useMay } from "../../api/permissions.ts";
import { Link } from "wouter";

const NewConnection = lazyComponent(() => import("./new-connection.tsx"), "NewConnection");
const Reconnect = lazyComponent(() => import("./reconnect.tsx"), "Reconnect");

interface ConnectionPickerProps {
  ids: { id: string; "aria-describedby"?: string; "aria-invalid"?: true };
  wanted: Wanted;
  value: string | undefined;
  /** With its hosts, once they are known. */
  onChange: (id: string | undefined, hosts?: readonly string[]) => void;
  /** The place works without one. */
  optional?: boolean;
}

/** Chooses a connection, creates a new one and repairs a broken one, without leaving the screen that needs it. */
export function ConnectionPicker({
  ids,
  wanted,
  value = "",
  onChange,
  optional = false,
}: ConnectionPickerProps) {
  const may = useMay();
  const connections = useConnections().data;
  const [isAdding, setAdding] = useState(false);
  const fitting = (connections ?? []).filter((one) => fits(one, wanted));
  const chosen = connections?.find(({ id }) => id === value);
  const hostsOf = (id: string) => connections?.find((one) => one.id === id)?.hosts;
  const isUnknown = value !== "" && connections !== undefined && !fitting.some(({ id }) => id === value);
  // A role that may not list connections still runs what uses them.
  const unknownName = !may("listConnections")
    ? "A connection of the workspace"
    : connections === undefined
      ? "Loading …"
      : "Unknown connection";
  return (
    <div className="connection-picker">
      <div className="row">
        {(fitting.length > 0 || value !== "" || connections === undefined) && (
          <select
            className="in grow"
            {...ids}
            value={value}
            onChange={({ target }) =>
              onChange(target.value === "" ? undefined : target.value, hostsOf(target.value))
            }
          >
            <option value="">{optional ? "None" : "Select…"}</option>
            {fitting.map(({ id, name, account }) => (
              <option key={id} value={id}>
                {account === null ? name : `${name} · ${account}`}
              </option>
            ))}
            {(isUnknown || connections === undefined) && value !== "" && (
              <option value={value}>{unknownName}</option>
            )}
          </select>
        )}
        <button
          type="button"
          className={fitting.length === 0 && value === "" && !optional ? "btn go" : "btn"}
          onClick={() => setAdding(true)}
        >
          <Plus size={14} aria-hidden /> Connect
        </button>
      </div>
      {chosen !== undefined && !needsAttention(chosen) && (
        <Link href={`/connections/${chosen.id}`} className="xs">
          Open connection
        </Link>
      )}
      {chosen !== undefined && needsAttention(chosen) && (
        <div className="stack tight">
          <p className="small">
            <ConnectionStatus connection={chosen} /> {chosen.problem?.message}
          </p>
          <Suspense fallback={null}>
            <Reconnect connection={chosen} primary />
          </Suspense>
        </div>
      )}
      {isAdding && (
        <OutsideForm>
          <Suspense fallback={null}>
            <NewConnection
              wanted={wanted}
              onCreated={({ id, hosts }) => {
                setAdding(false);
                onChange(id, hosts);
              }}
              onClose={() => setAdding(false)}
            />
          </Suspense>
        </OutsideForm>
      )}
    </div>
  );
}

const stop: ReactEventHandler = (event) => event.stopPropagation();

/** The dialog has its own form: its events must not reach the form that the picker is in. */
function OutsideForm({ children }: { children: React.ReactNode }) {
  return (
    <div onSubmit={stop} onInput={stop} onChange={stop}>
      {createPortal(children, document.body)}
    </div>
  );
}
