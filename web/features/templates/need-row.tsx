import { CircleCheck, CircleDashed } from "lucide-react";
import { type ReactNode, useId } from "react";
import { Link } from "wouter";
import { useAgents, useModels } from "../../api/agents.ts";
import { useDocuments } from "../../api/documents.ts";
import { useVariables } from "../../api/variables.ts";
import type { TemplateNeed } from "../../flow/template-needs.ts";
import { ConnectionPicker } from "../connections/connection-picker.tsx";
import { useNeedNames } from "./need-chips.tsx";

interface NeedRowProps {
  need: TemplateNeed;
  needs: readonly TemplateNeed[];
  connection: string | undefined;
  onConnect: (key: string, connection: string | undefined) => void;
}

/** One need: whether the workspace has it, and the way to get it. */
export function NeedRow({ need, needs, connection, onConnect }: NeedRowProps) {
  const title = useNeedNames(needs)(need);
  const id = useId();
  switch (need.kind) {
    case "connection":
      return (
        <Row
          title={title}
          isMet={need.optional || connection !== undefined}
          note={need.optional ? "Without one, the mail server of this service is used." : undefined}
          labelFor={id}
        >
          <ConnectionPicker
            ids={{ id }}
            wanted={need.wanted}
            value={connection}
            optional={need.optional}
            onChange={(chosen) => onConnect(need.key, chosen)}
          />
        </Row>
      );
    case "agent":
      return <AgentRow title={title} capability={need.capability} />;
    case "variable":
      return <VariableRow title={title} name={need.name} />;
    case "model":
      return <ModelRow title={title} />;
    case "documents":
      return <DocumentsRow title={title} />;
  }
}

function AgentRow({ title, capability }: { title: string; capability: string }) {
  const agent = useAgents().data?.find(({ capabilities }) => capabilities.includes(capability));
  return (
    <Row title={title} isMet={agent !== undefined} note={agent === undefined ? undefined : agent.name}>
      {agent === undefined && (
        <p className="small">
          <Link href="/agents">Create an agent</Link> with the capability {capability}.
        </p>
      )}
    </Row>
  );
}

function ModelRow({ title }: { title: string }) {
  const model = useModels().data?.find(({ isDefault }) => isDefault);
  return (
    <Row title={title} isMet={model !== undefined} note={model?.model}>
      {model === undefined && (
        <p className="small">
          The service has no model. Choose a connection and a model in the step, or ask the operator to set
          one.
        </p>
      )}
    </Row>
  );
}

function DocumentsRow({ title }: { title: string }) {
  const count = useDocuments().data?.length ?? 0;
  return (
    <Row title={title} isMet={count > 0} note={count > 0 ? `${count} uploaded` : undefined}>
      {count === 0 && (
        <p className="small">
          <Link href="/documents">Upload a document</Link> first.
        </p>
      )}
    </Row>
  );
}

function VariableRow({ title, name }: { title: string; name: string }) {
  const isMet = useVariables().data?.some((variable) => variable.name === name) === true;
  return (
    <Row title={title} isMet={isMet}>
      {!isMet && (
        <p className="small">
          <Link href="/variables">Create the variable</Link>, or write the value into the step.
        </p>
      )}
    </Row>
  );
}

interface RowProps {
  title: string;
  isMet: boolean;
  note?: string | undefined;
  /** The field below is named by the title. */
  labelFor?: string;
  children?: ReactNode;
}

function Row({ title, isMet, note, labelFor, children }: RowProps) {
  const Icon = isMet ? CircleCheck : CircleDashed;
  return (
    <li className="template-need">
      <Icon
        size={15}
        className={isMet ? "c-ok" : "c-wait"}
        role="img"
        aria-label={isMet ? "Ready" : "To do"}
      />
      <div className="stack tight">
        <span>
          {labelFor === undefined ? <b>{title}</b> : <label htmlFor={labelFor}>{title}</label>}{" "}
          {note !== undefined && <span className="xs muted">{note}</span>}
        </span>
        {children}
      </div>
    </li>
  );
}
