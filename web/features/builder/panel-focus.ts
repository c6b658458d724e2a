/** Radio buttons choose between fields: the field itself comes after them. */
const FIELDS = "input:not([type=hidden], [type=radio]), textarea, select, [contenteditable=true]";
/** A field may load its editor first; after this many frames the panel has none. */
const MAX_FRAMES = 60;

function panel(): HTMLElement | null {
  return document.querySelector<HTMLElement>(".panel.inspector");
}

/** Puts the focus into the first field of the panel, once it is there. */
export function focusFirstField(): void {
  let frames = 0;
  const tryFocus = (): void => {
    const field = panel()?.querySelector<HTMLElement>(`[role=tabpanel] :is(${FIELDS}), form :is(${FIELDS})`);
    if (field !== null && field !== undefined) field.focus();
    else if ((frames += 1) < MAX_FRAMES) requestAnimationFrame(tryFocus);
  };
  requestAnimationFrame(tryFocus);
}

/** Moves the focus between the canvas and the panel on it. */
export function switchFocus(selectedNodeId: string | undefined): void {
  const open = panel();
  if (open !== null && !open.contains(document.activeElement)) {
    focusFirstField();
    return;
  }
  focusNode(selectedNodeId);
}

/** Puts the focus on a node, otherwise on the first one of the canvas. */
export function focusNode(nodeId: string | undefined): void {
  const nodes = [...document.querySelectorAll<HTMLElement>(".canvas .react-flow__node")];
  (nodes.find((node) => node.dataset["id"] === nodeId) ?? nodes[0])?.focus();
}
