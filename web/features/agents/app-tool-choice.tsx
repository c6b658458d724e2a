import type { Agent } from "../../api/agents.ts";
import { useApp } from "../../api/apps.ts";
import { Failure } from "../../ui/states.tsx";

type AppChoice = NonNullable<Agent["tools"]["apps"]>[number];
type Permission = NonNullable<AppChoice["permissions"]>[string];

const PERMISSIONS: readonly (readonly [Permission, string])[] = [
  ["allow", "Allow"],
  ["ask", "Ask a person first"],
  ["never", "Never"],
];

interface AppToolChoiceProps {
  name: string;
  choice: AppChoice;
  onChange: (choice: AppChoice) => void;
}

/** What the agent may do in an app. Reading is allowed and writing asks, unless it is chosen otherwise. */
export function AppToolChoice({ name, choice, onChange }: AppToolChoiceProps) {
  const app = useApp(choice.app);
  if (app.error !== null) return <Failure error={app.error} retry={() => void app.refetch()} />;
  const actions = (app.data?.actions ?? []).filter(({ id }) => choice.actions?.includes(id) ?? true);
  return (
    <ul className="plain-list stack tight app-permissions" aria-label={`Actions of ${name}`}>
      {actions.map(({ id, title, description, writes }) => {
        const usual: Permission = writes ? "ask" : "allow";
        return (
          <li key={id}>
            <label className="row small" title={description}>
              <span className="grow ellipsis">{title}</span>
              <select
                className="in"
                value={choice.permissions?.[id] ?? usual}
                onChange={(event) => {
                  const { [id]: _old, ...others } = choice.permissions ?? {};
                  const chosen = event.target.value as Permission;
                  // The usual permission follows the app when it changes.
                  onChange({
                    ...choice,
                    permissions: chosen === usual ? others : { ...others, [id]: chosen },
                  });
                }}
              >
                {PERMISSIONS.map(([value, label]) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
            </label>
          </li>
        );
      })}
    </ul>
  );
}
