import type { Note } from "../../contract/graph.ts";
import type { N8nNode, N8nTrigger } from "../../contract/n8n-import.ts";
import { at, type SourceNode, type SourceWorkflow, textOf } from "./source.ts";

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
const MAX_LISTED_TEXT = 120;

/** What to check, the sticky notes and the notes of nodes, in columns left of the steps: the canvas lays out the steps itself. */
export function notesOf(
  { nodes: sources, stickyNotes }: SourceWorkflow,
  nodes: readonly N8nNode[],
  triggers: readonly N8nTrigger[],
): Note[] {
  const ofNodes = sources.flatMap(({ notes, name, position }) =>
    notes === "" ? [] : [{ text: `${name}: ${notes}`, position }],
  );
  // In n8n, a sticky note without text is a background.
  const sticky = stickyNotes.flatMap(({ parameters, position }) => {
    const text = textOf(at(parameters, "content")).trim();
    return text === "" ? [] : [{ text, position }];
  });
  const texts = [...sticky, ...ofNodes].toSorted(byPosition).map(({ text }) => text);
  return inColumns([...toCheck(nodes, triggers), ...texts].slice(0, MAX_NOTES));
}

type Placed = Pick<SourceNode, "position">;

function byPosition({ position: a }: Placed, { position: b }: Placed): number {
  return a.y - b.y || a.x - b.x;
}

/** The report is not stored: without this note, nobody could tell later which steps were not checked yet. */
function toCheck(nodes: readonly N8nNode[], triggers: readonly N8nTrigger[]): string[] {
  const steps = nodes.filter(({ becomes, result }) => becomes === "step" && result !== "ready");
  const toAdd = triggers.filter(({ kind }) => kind !== "run" && kind !== "workflow");
  const lines = steps.slice(0, MAX_LISTED).map(({ name, note }) => {
    const line = `– ${name}: ${firstSentence(note)}`;
    return line.length > MAX_LISTED_TEXT ? `${line.slice(0, MAX_LISTED_TEXT)}…` : line;
  });
  if (steps.length > MAX_LISTED) lines.push(`– and ${steps.length - MAX_LISTED} more steps`);
  if (toAdd.length > 0)
    lines.push(`Triggers to add: ${toAdd.map(({ node }) => node).join(", ")}`.slice(0, 1000));
  return lines.length === 0 ? [] : [["To check after the import", ...lines].join("\n")];
}

function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;
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
