import { useApps } from "../../api/apps.ts";
import type { Template } from "../../api/types.ts";
import { needsSetup, type TemplateNeed, templateNeeds } from "../../flow/template-needs.ts";
import { TRIGGER_CHOICES } from "../../flow/trigger-choices.ts";

/** What has to be set up first, in a few words. */
export function NeedChips({ template }: { template: Template }) {
  const needs = templateNeeds(template);
  const nameOf = useNeedNames(needs);
  const { trigger } = template;
  return (
    <div className="row wrap tight">
      {!needsSetup(template) && <span className="chip ok">Runs without setup</span>}
      {trigger !== undefined && <span className="chip">{triggerLabel(trigger)} trigger</span>}
      {needs.map((need) => (
        <span key={nameOf(need)} className="chip">
          {nameOf(need)}
        </span>
      ))}
    </div>
  );
}

export function triggerLabel({ kind }: { kind: string }): string {
  return TRIGGER_CHOICES.find((choice) => choice.kind === kind)?.label ?? kind;
}

const CONNECTIONS: Readonly<Record<string, string>> = {
  sql: "Database",
  redis: "Redis",
  s3: "S3 bucket",
  email: "Mail server",
};

/** The apps are asked for only when one is needed. */
export function useNeedNames(needs: readonly TemplateNeed[]): (need: TemplateNeed) => string {
  const apps = useApps(needs.some((need) => need.kind === "connection" && need.type === "app")).data;
  return (need) => {
    switch (need.kind) {
      case "connection": {
        const { app } = need.wanted;
        return app === undefined
          ? (CONNECTIONS[need.type] ?? need.type)
          : (apps?.find(({ id }) => id === app)?.title ?? app);
      }
      case "agent":
        return `Agent for “${need.capability}”`;
      case "variable":
        return `Variable ${need.name}`;
      case "model":
        return "Language model";
      case "documents":
        return "Documents";
    }
  };
}
