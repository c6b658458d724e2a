import { CalendarClock, CircleCheck, FormInput, Play, TriangleAlert, Webhook, Zap } from "lucide-react";
import type { ReactNode } from "react";
import { isFinal, useRecentTasks, useTask } from "../../../api/tasks.ts";
import { nodeIdOf } from "../../../flow/scopes.ts";
import { selectStep } from "../../../flow/selection.ts";
import type { Trigger } from "../../../flow/triggers.ts";
import { Ago } from "../../../ui/ago.tsx";
import { statusLabel } from "../../../ui/status.tsx";
import { MAX_RUNS } from "../run/use-run-commands.ts";
import type { BuilderState } from "../use-builder.ts";
import { countOf } from "./count-of.ts";

const MAX_PROBLEMS = 8;

/** Problems, which prevent publishing, then warnings, triggers and running runs, which do not. */
export function PublishChecks({ builder }: { builder: BuilderState }) {
  const { validation, workflow } = builder;
  const recent = useRecentTasks({ workflowId: workflow.id, limit: MAX_RUNS }).data?.tasks ?? [];
  const listed = recent.find(({ draft }) => draft === true);
  // The list may be older than the end of a run that has just been tried.
  const { data: draftRun = listed } = useTask(listed?.id);
  const running = recent.filter(({ status, draft }) => !isFinal(status) && draft !== true).length;
  return (
    <ul className="plain-list checks">
      {validation.errors.length === 0 ? (
        <Check icon={<CircleCheck size={15} />} tone="ok">
          No problems
          {draftRun !== undefined && (
            <>
              , last draft run {statusLabel(draftRun.status).toLowerCase()} <Ago at={draftRun.createdAt} />
            </>
          )}
        </Check>
      ) : (
        <Problems builder={builder} />
      )}
      {validation.warnings.slice(0, MAX_PROBLEMS).map(({ message }, index) => (
        <Check key={index} icon={<TriangleAlert size={15} />} tone="wait">
          {message}
        </Check>
      ))}
      {builder.triggers
        .filter(({ kind }) => kind !== "manual")
        .map((trigger) => (
          <Check key={trigger.id} icon={TRIGGER_ICONS[trigger.kind] ?? <Zap size={15} />} tone="accent">
            {describeTrigger(trigger)}
          </Check>
        ))}
      {running > 0 && (
        <Check icon={<Play size={15} />} tone="run">
          {countOf(running, "running run")} {running === 1 ? "finishes" : "finish"} on v{workflow.version}
        </Check>
      )}
    </ul>
  );
}

const TRIGGER_ICONS: Partial<Record<Trigger["kind"], ReactNode>> = {
  webhook: <Webhook size={15} />,
  schedule: <CalendarClock size={15} />,
  form: <FormInput size={15} />,
};

/** Publishing changes what a trigger runs, never its address, secret or times. */
function describeTrigger({ kind, title, detail, status }: Trigger): string {
  if (status === "paused") return `${title} stays paused`;
  if (kind === "rss" || kind === "email") return `${title} runs the new version with the next item`;
  if (kind === "schedule") return `${title} runs the new version at its next time`;
  return kind === "endpoint" ? `${detail} keeps its URL` : `${title} keeps its URL`;
}

function Problems({ builder }: { builder: BuilderState }) {
  const { errors } = builder.validation;
  function open(stepId: string): void {
    builder.closePanel();
    builder.setSelection(selectStep(nodeIdOf(builder.history.draft, stepId) ?? stepId));
    builder.setTab("settings");
  }
  return (
    <>
      {errors.slice(0, MAX_PROBLEMS).map(({ message, stepId }, index) => (
        <Check key={index} icon={<TriangleAlert size={15} />} tone="bad">
          {stepId === undefined ? (
            message
          ) : (
            <button type="button" className="link-button" onClick={() => open(stepId)}>
              {message}
            </button>
          )}
        </Check>
      ))}
      {errors.length > MAX_PROBLEMS && (
        <Check icon={<TriangleAlert size={15} />} tone="bad">
          {countOf(errors.length - MAX_PROBLEMS, "more problem")}
        </Check>
      )}
    </>
  );
}

function Check({ icon, tone, children }: { icon: ReactNode; tone: string; children: ReactNode }) {
  return (
    <li className={`publish-check ${tone}`}>
      {icon}
      <span>{children}</span>
    </li>
  );
}
