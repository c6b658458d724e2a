import type { N8nTrigger } from "../../../contract/n8n-import.ts";
import type { N8nPreview } from "../../api/n8n-import.ts";
import type { N8nFile } from "../../flow/n8n-import-link.ts";
import type { ReviewCounts } from "../../flow/n8n-review.ts";
import { n8nTriggerProposal } from "../../flow/trigger-proposal.ts";
import { TextField } from "../../ui/field.tsx";

interface ReviewSummaryProps {
  file: N8nFile;
  source: N8nPreview["source"];
  counts: ReviewCounts;
  triggers: readonly N8nTrigger[];
  name: string;
  onName: (name: string) => void;
}

const PARTS = [
  ["ready", "ready", "ok"],
  ["check", "to check", "wait"],
  ["unsupported", "not supported", "bad"],
] as const;

/** What was read, the sum of the results, and what happens to the triggers. */
export function ReviewSummary({ file, source, counts, triggers, name, onName }: ReviewSummaryProps) {
  const facts = [
    file.fileName,
    ...(source.n8nVersion === undefined ? [] : [`n8n ${source.n8nVersion}`]),
    count(source.nodes, "node"),
    count(source.lines, "line"),
    ...(source.notes === 0 ? [] : [count(source.notes, "note")]),
  ];
  return (
    <section className="stack tight" aria-label="Summary">
      <div className="n8n-head">
        <TextField label="Name" value={name} onChange={onName} required />
        <ul className="plain-list n8n-sum" aria-label="Results">
          {PARTS.map(([key, label, tone]) => (
            <li key={key}>
              <b className={`n8n-count ${tone}`}>{counts[key]}</b> {label}
            </li>
          ))}
        </ul>
      </div>
      <div className="n8n-meter" aria-hidden>
        {PARTS.map(
          ([key, , tone]) =>
            counts[key] > 0 && <i key={key} className={tone} style={{ flex: counts[key] }} />,
        )}
      </div>
      <p className="small muted breakable">{facts.join(" · ")}</p>
      <TriggerNote triggers={triggers} />
    </section>
  );
}

function TriggerNote({ triggers }: { triggers: readonly N8nTrigger[] }) {
  const added = triggers.filter(({ kind }) => kind !== "run" && kind !== "workflow");
  if (added.length === 0) return null;
  const proposed = n8nTriggerProposal(triggers);
  const others = added.filter(({ node }) => node !== proposed?.text);
  return (
    <p className="small">
      <b>{count(added.length, "trigger")}</b> {added.length === 1 ? "is" : "are"} not created: an import never
      goes live.{" "}
      {proposed === undefined
        ? "A note on the canvas says what to add."
        : `When the draft opens, the form to add “${proposed.text}” is filled in.${
            others.length > 0
              ? ` Add ${namesOf(others)} yourself: a note on the canvas lists their values.`
              : ""
          }`}
    </p>
  );
}

const NAMED = 5;

/** “Every morning”, “Hook” and 3 more */
function namesOf(triggers: readonly N8nTrigger[]): string {
  const names = triggers.slice(0, NAMED).map(({ node }) => `“${node}”`);
  const more = triggers.length - names.length;
  return names.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
