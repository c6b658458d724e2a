import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Lock, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Variable } from "../../../contract/variables.ts";
import { call } from "../../api/client.ts";
import { Switch, TextField } from "../../ui/field.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Empty, Failure, Loaded } from "../../ui/states.tsx";
import { ago } from "../../ui/time.ts";

export function Variables() {
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [value, setValue] = useState("");
  const [secret, setSecret] = useState(false);
  const again = (): void => void client.invalidateQueries({ queryKey: ["variables"] });
  const variables = useQuery({
    queryKey: ["variables"],
    queryFn: () => call<{ variables: Variable[] }>("/api/variables?limit=200"),
    select: (answer) => answer.variables,
  });
  const put = useMutation({
    mutationFn: () =>
      call(`/api/variables/${encodeURIComponent(name)}`, { method: "PUT", body: { value, secret } }),
    onSuccess: () => {
      setName("");
      setValue("");
      again();
    },
  });
  const remove = useMutation({
    mutationFn: (gone: string) => call(`/api/variables/${encodeURIComponent(gone)}`, { method: "DELETE" }),
    onSettled: again,
  });
  const error = put.error ?? remove.error;
  return (
    <Screen title="Variables">
      <div className="page">
        <form
          className="card pad stack"
          onSubmit={(event) => {
            event.preventDefault();
            put.mutate();
          }}
        >
          <TextField label="Name" mono required value={name} onChange={setName} placeholder="shopAddress" />
          <TextField
            label="Value"
            type={secret ? "password" : "text"}
            required
            autoComplete="off"
            value={value}
            onChange={setValue}
          />
          <div className="row">
            <Switch
              label="Secret: sealed, never shown again, struck out of every run"
              checked={secret}
              onChange={setSecret}
            />
            <span className="grow" />
            <button type="submit" className="btn go" disabled={put.isPending}>
              Save
            </button>
          </div>
          {error !== null && <Failure error={error} />}
        </form>
        <Loaded query={variables}>
          {(list) =>
            list.length === 0 ? (
              <Empty title="No variables yet">
                What several workflows share stands here once: an address, a password. Steps reach it as{" "}
                {"{{vars.name}}"} or {"{{secrets.name}}"}.
              </Empty>
            ) : (
              <div className="card scroll-x">
                <table className="table">
                  <thead>
                    <tr>
                      <th>Placeholder</th>
                      <th>Value</th>
                      <th className="wide-only">Changed</th>
                      <th>
                        <span className="visually-hidden">Actions</span>
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {list.map((variable) => (
                      <tr key={variable.name}>
                        <td>
                          <span className="ph">{`{{${variable.secret ? "secrets" : "vars"}.${variable.name}}}`}</span>
                        </td>
                        <td>
                          {variable.secret ? (
                            <span className="muted row">
                              <Lock size={13} aria-hidden /> sealed
                            </span>
                          ) : (
                            <code>
                              {typeof variable.value === "string"
                                ? variable.value
                                : JSON.stringify(variable.value)}
                            </code>
                          )}
                        </td>
                        <td className="wide-only muted">{ago(variable.updatedAt)}</td>
                        <td className="cell-actions">
                          <button
                            type="button"
                            className="btn ghost icon"
                            aria-label={`Delete ${variable.name}`}
                            onClick={() => remove.mutate(variable.name)}
                          >
                            <Trash2 size={15} />
                          </button>
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
    </Screen>
  );
}
