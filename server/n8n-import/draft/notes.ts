import type { Note } from "../../../contract/graph.ts";
import type { N8nTrigger } from "../../../contract/n8n-import.ts";
import { at, textOf } from "../source/parameters.ts";
import type { SourceNode, SourceWorkflow } from "../source/source.ts";
import { plainText } from "./plain-text.ts";

const WIDTH = 280;
const GAP = 24;
/** Of a column. The canvas places the steps right of 0, and the triggers above 0. */
const MAX_HEIGHT = 2000;
const LINE_HEIGHT = 18;
const CHARACTERS_PER_LINE = 40;
const PADDING = 22;
const MAX_NOTES = 500;
const MAX_TEXT = 10_000;
const MAX_LISTED = 25;
const MAX_LISTED_TEXT = 300;

/** The triggers to add, the sticky notes and the notes of nodes, in columns left of the steps: the canvas lays out the steps itself. */
export function notesOf(
  { nodes: sources, stickyNotes, settings }: SourceWorkflow,
  triggers: readonly N8nTrigger[],
): Note[] {
  const ofNodes = sources.flatMap(({ notes, name, position }) =>
    notes === "" ? [] : [{ text: `${name}: ${notes}`, position }],
  );
  // In n8n, a sticky note without text is a background.
  const sticky = stickyNotes.flatMap(({ parameters, position }) => {
    const text = plainText(textOf(at(parameters, "content")).slice(0, MAX_TEXT)).trim();
    return text === "" ? [] : [{ text, position }];
  });
  const texts = [...sticky, ...ofNodes].toSorted(byPosition).map(({ text }) => text);
  return inColumns([...triggersToAdd(triggers), ...settingsToMake(settings), ...texts].slice(0, MAX_NOTES));
}

type Placed = Pick<SourceNode, "position">;

function byPosition({ position: a }: Placed, { position: b }: Placed): number {
  return a.y - b.y || a.x - b.x;
}

/** An import creates no triggers, and its report is not stored: the draft says what started the workflow in n8n. */
function triggersToAdd(triggers: readonly N8nTrigger[]): string[] {
  const all = triggers.filter(({ kind }) => kind !== "run" && kind !== "workflow");
  const left = all.length - MAX_LISTED;
  const lines = all.slice(0, MAX_LISTED).map((trigger) => `– ${describe(trigger)}`.slice(0, MAX_LISTED_TEXT));
  return lines.length === 0
    ? []
    : [["Triggers to add", ...lines, ...(left > 0 ? [`– and ${left} more`] : [])].join("\n")];
}

function settingsToMake(settings: readonly string[]): string[] {
  return settings.length === 0
    ? []
    : [["Settings to make", ...settings.map((each) => `– ${each}`)].join("\n")];
}

function describe({ node, kind, result, note, ...trigger }: N8nTrigger): string {
  if (result === "unsupported") return `${node}: ${note}`;
  const { cron, timezone, method, path, url, app, event } = trigger;
  const values = [cron, timezone, method, path, url, app, event];
  return `${node}: ${[kind, ...values].filter((value) => value !== undefined && value !== "").join(" ")}`;
}

function inColumns(texts: readonly string[]): Note[] {
  let x = -(WIDTH + 2 * GAP);
  let y = 0;
  return texts.map((text, index) => {
    const height = heightOf(text);
    if (y > 0 && y + height > MAX_HEIGHT) {
      x -= WIDTH + GAP;
      y = 0;
    }
    const note = { id: `note-${index + 1}`, text: text.slice(0, MAX_TEXT), position: { x, y }, width: WIDTH };
    y += height + GAP;
    return note;
  });
}

/** An estimate: the page shows the whole text, and its height depends on the font. */
function heightOf(text: string): number {
  const lines = text
    .slice(0, MAX_TEXT)
    .split("\n")
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / CHARACTERS_PER_LINE)), 0);
  return lines * LINE_HEIGHT + PADDING;
}
