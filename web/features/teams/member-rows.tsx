import { ArrowDown, ArrowUp, GripVertical, Plus, X } from "lucide-react";
import { useRef, useState } from "react";
import type { Agent } from "../../api/agents.ts";
import type { Topology } from "../../api/teams.ts";
import { addRow, type MemberRow, moveRow } from "../../flow/team-form.ts";
import { ExternalRow } from "./external-row.tsx";

interface MemberRowsProps {
  rows: readonly MemberRow[];
  onChange: (rows: MemberRow[]) => void;
  known: readonly Agent[];
  topology: Topology;
}

/** The members of a team in their order, changed by dragging or with the buttons of a row. */
export function MemberRows({ rows, onChange, known, topology }: MemberRowsProps) {
  const [dragged, setDragged] = useState<number>();
  const list = useRef<HTMLOListElement>(null);
  const agentOf = (row: MemberRow): Agent | undefined =>
    row.kind === "agent" ? known.find(({ id }) => id === row.agentId) : undefined;

  function move(from: number, to: number): void {
    const key = rows[from]?.key;
    onChange(moveRow(rows, from, to));
    // The focus follows the row, so that a second press moves it on.
    const direction = to < from ? "up" : "down";
    requestAnimationFrame(() => {
      const row = list.current?.querySelector(`[data-key="${CSS.escape(key ?? "")}"]`);
      const button = row?.querySelector<HTMLButtonElement>(`[data-move="${direction}"]:not(:disabled)`);
      (button ?? row?.querySelector<HTMLButtonElement>("[data-move]:not(:disabled)"))?.focus();
    });
  }

  return (
    <fieldset className="field choose-many">
      <legend className="name">Members</legend>
      {rows.length === 0 && <p className="muted small">Add the agents of the team, in their order.</p>}
      <ol className="member-rows" ref={list}>
        {rows.map((row, index) => {
          const agent = agentOf(row);
          const name = nameOf(row, agent);
          const change = (changed: MemberRow): void => onChange(rows.with(index, changed));
          return (
            <li
              key={row.key}
              data-key={row.key}
              className={dragged === index ? "dragged" : ""}
              onDragOver={(event) => dragged !== undefined && event.preventDefault()}
              onDrop={(event) => {
                event.preventDefault();
                if (dragged !== undefined) onChange(moveRow(rows, dragged, index));
                setDragged(undefined);
              }}
            >
              <span
                className="grip"
                draggable
                title="Drag to change the order"
                onDragStart={(event) => {
                  event.dataTransfer.setData("text/plain", name);
                  setDragged(index);
                }}
                onDragEnd={() => setDragged(undefined)}
              >
                <GripVertical size={14} aria-hidden />
              </span>
              {row.kind === "agent" ? (
                <AgentRow
                  agent={agent}
                  name={name}
                  duty={dutyOf(topology, rows, index)}
                  instructions={row.instructions}
                  onInstructions={(instructions) => change({ ...row, instructions })}
                />
              ) : (
                <ExternalRow row={row} onChange={change} />
              )}
              <RowButtons
                name={name}
                isFirst={rows[index - 1]?.kind !== row.kind}
                isLast={rows[index + 1]?.kind !== row.kind}
                onUp={() => move(index, index - 1)}
                onDown={() => move(index, index + 1)}
                onRemove={() => onChange(rows.toSpliced(index, 1))}
              />
            </li>
          );
        })}
      </ol>
      <AddMember rows={rows} known={known} onAdd={(row) => onChange(addRow(rows, row))} />
    </fieldset>
  );
}

function nameOf(row: MemberRow, agent: Agent | undefined): string {
  return row.kind === "external" ? row.name || "External agent" : (agent?.name ?? row.agentId);
}

interface RowButtonsProps {
  name: string;
  /** Among the members of its kind, which stay together. */
  isFirst: boolean;
  isLast: boolean;
  onUp: () => void;
  onDown: () => void;
  onRemove: () => void;
}

function RowButtons({ name, isFirst, isLast, onUp, onDown, onRemove }: RowButtonsProps) {
  return (
    <span className="row-buttons">
      <button
        type="button"
        className="btn ghost icon tiny"
        data-move="up"
        aria-label={`Move ${name} up`}
        disabled={isFirst}
        onClick={onUp}
      >
        <ArrowUp size={14} />
      </button>
      <button
        type="button"
        className="btn ghost icon tiny"
        data-move="down"
        aria-label={`Move ${name} down`}
        disabled={isLast}
        onClick={onDown}
      >
        <ArrowDown size={14} />
      </button>
      <button type="button" className="btn ghost icon tiny" aria-label={`Remove ${name}`} onClick={onRemove}>
        <X size={14} />
      </button>
    </span>
  );
}

interface AddMemberProps {
  rows: readonly MemberRow[];
  known: readonly Agent[];
  onAdd: (row: MemberRow) => void;
}

function AddMember({ rows, known, onAdd }: AddMemberProps) {
  const created = useRef(0);
  const free = known.filter(({ id }) => !rows.some((row) => row.kind === "agent" && row.agentId === id));
  return (
    <div className="row wrap">
      <select
        className="in add-agent"
        aria-label="Add agent"
        value=""
        disabled={free.length === 0}
        onChange={({ target }) =>
          onAdd({ key: target.value, kind: "agent", agentId: target.value, instructions: "" })
        }
      >
        <option value="">
          {known.length === 0
            ? "No agents yet: create one first"
            : free.length === 0
              ? "All your agents are members"
              : "Add agent …"}
        </option>
        {free.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <button
        type="button"
        className="btn"
        onClick={() => {
          const key = `new-${(created.current += 1)}`;
          const empty = { name: "", capabilities: "", url: "", secret: "", header: "", connection: "" };
          onAdd({ key, kind: "external", ...empty });
        }}
      >
        <Plus size={14} /> External agent
      </button>
    </div>
  );
}

interface AgentRowProps {
  agent: Agent | undefined;
  name: string;
  duty: string;
  instructions: string;
  onInstructions: (instructions: string) => void;
}

function AgentRow({ agent, name, duty, instructions, onInstructions }: AgentRowProps) {
  return (
    <span className="grow member-name">
      <b>{name}</b>
      {duty !== "" && <span className="chip">{duty}</span>}
      <span className="muted small ellipsis">
        {agent === undefined ? "not registered" : agent.role || agent.capabilities.join(", ")}
      </span>
      <input
        className="in"
        aria-label={`Instructions for ${name} in this team`}
        placeholder="Instructions in this team"
        value={instructions}
        onChange={(event) => onInstructions(event.target.value)}
      />
    </span>
  );
}

/** What the place in the list means in this topology. */
function dutyOf(topology: Topology, rows: readonly MemberRow[], index: number): string {
  if (topology === "hierarchical") return index === 0 ? "Lead" : "";
  if (topology !== "linear") return "";
  const agents = rows.filter(({ kind }) => kind === "agent").length;
  return index === agents - 1 ? `${index + 1} · answers` : String(index + 1);
}
