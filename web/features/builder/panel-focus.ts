/** Radio buttons choose between fields: the field itself comes after them. */
const FIELDS = "input:not([type=hidden], [type=radio]), textarea, select, [contenteditable=true]";
/** A panel loads its code and its editor first; after this time it has no such field. */
const MAX_WAIT_MS = 5000;

function panel(): HTMLElement | null {
  return document.querySelector<HTMLElement>(".panel.inspector");
}

/** Puts the focus into the first field of the panel to fill in, once it is there. */
export function focusFirstField(): void {
  focusOnceThere(() => {
    const fields = [
      ...(panel()?.querySelectorAll<HTMLElement>(`[role=tabpanel] :is(${FIELDS}), form :is(${FIELDS})`) ??
        []),
    ];
    return fields.find((field) => !isChosen(field) && field.checkVisibility()) ?? fields[0];
  });
}

/** A method or an action has a default: the text that is typed is meant for the field after it. */
function isChosen(field: HTMLElement): boolean {
  return field instanceof HTMLSelectElement && field.value !== "";
}

/**
 * Puts the focus into a field that was just added, so that typing goes there and not to the shortcuts of the canvas.
 * Its text is selected: it is a default to type over.
 */
export function focusField(name: string): void {
  const find = (): HTMLElement | null | undefined => {
    const slot = document.querySelector(`[data-field="${CSS.escape(name)}"]`);
    return slot?.querySelector<HTMLElement>(FIELDS) ?? slot?.querySelector<HTMLElement>("button");
  };
  focusOnceThere(find, (field) => field instanceof HTMLInputElement && field.select());
}

function focusOnceThere(
  find: () => HTMLElement | null | undefined,
  then: (field: HTMLElement) => void = () => undefined,
): void {
  const giveUpAt = performance.now() + MAX_WAIT_MS;
  const tryFocus = (): void => {
    const field = find();
    if (field !== null && field !== undefined) {
      field.focus();
      then(field);
    } else if (performance.now() < giveUpAt) requestAnimationFrame(tryFocus);
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
