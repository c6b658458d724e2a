import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { ApiKey } from "../../../contract/keys.ts";
import { call } from "../../api/client.ts";
import { ShownOnce } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Empty, Failure, Loaded } from "../../ui/states.tsx";
import { ago } from "../../ui/time.ts";
import { EndpointTabs } from "./endpoint-tabs.tsx";

export function Keys() {
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [rawKey, setRawKey] = useState<string>();
  const again = (): void => void client.invalidateQueries({ queryKey: ["keys"] });
  const keys = useQuery({
    queryKey: ["keys"],
    queryFn: () => call<{ keys: ApiKey[] }>("/api/keys?limit=200"),
    select: (answer) => answer.keys,
  });
  const create = useMutation({
    mutationFn: () => call<{ rawKey: string }>("/api/keys", { body: name === "" ? {} : { name } }),
    onSuccess: (answer) => {
      setRawKey(answer.rawKey);
      setName("");
      again();
    },
  });
  const revoke = useMutation({
    mutationFn: (id: string) => call(`/api/keys/${id}`, { method: "DELETE" }),
    onSettled: again,
  });
  const error = create.error ?? revoke.error;
  return (
    <Screen title="Endpoints">
      <div className="page">
        <EndpointTabs />
        <form
          className="row wrap"
          onSubmit={(event: FormEvent) => {
            event.preventDefault();
            create.mutate();
          }}
        >
          <div className="grow">
            <TextField
              label="Name of a new key"
              value={name}
              onChange={setName}
              placeholder="Which program will use it"
            />
          </div>
          <button type="submit" className="btn go" disabled={create.isPending}>
            Make a key
          </button>
        </form>
        {error !== null && <Failure error={error} />}
        <Loaded query={keys}>
          {(list) =>
            list.length === 0 ? (
              <Empty title="No keys yet">
                A key lets a program call your endpoints without your password. Make one for each program, and
                revoke it when it is no longer needed.
              </Empty>
            ) : (
              <div className="card scroll-x">
                <table className="table">
                  <thead>
                    <tr>
                      <th>Name</th>
                      <th>Begins with</th>
                      <th className="wide-only">Made</th>
                      <th className="wide-only">Last used</th>
                      <th>
                        <span className="visually-hidden">Actions</span>
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {list.map((key) => (
                      <tr key={key.id}>
                        <td>{key.name || "Unnamed"}</td>
                        <td>
                          <code>{key.prefix}…</code>
                        </td>
                        <td className="wide-only muted">{ago(key.createdAt)}</td>
                        <td className="wide-only muted">
                          {key.lastUsedAt === null ? "never" : ago(key.lastUsedAt)}
                        </td>
                        <td className="cell-actions">
                          {key.revokedAt === null ? (
                            <button
                              type="button"
                              className="btn tiny danger"
                              disabled={revoke.isPending}
                              onClick={() => revoke.mutate(key.id)}
                            >
                              Revoke
                            </button>
                          ) : (
                            <span className="chip">revoked</span>
                          )}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            )
          }
        </Loaded>
      </div>
      {rawKey !== undefined && (
        <Dialog title="Your new key" onClose={() => setRawKey(undefined)}>
          <ShownOnce label="API key" value={rawKey} />
          <div className="actions">
            <button type="button" className="btn go" onClick={() => setRawKey(undefined)}>
              I have kept it
            </button>
          </div>
        </Dialog>
      )}
    </Screen>
  );
}
