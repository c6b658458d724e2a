import { useContext, useEffect, useLayoutEffect, useRef, useState } from "react";
import { ActiveFieldContext } from "./scope-context.ts";

/** A hook that loads a module with the first field that needs it; undefined until then, and when it cannot be loaded. */
export function lazyModule<Module>(load: () => Promise<Module>): () => Module | undefined {
  let loaded: Module | undefined;
  return function useLazyModule() {
    const [module, setModule] = useState(loaded);
    useEffect(() => {
      if (module !== undefined) return;
      let isMounted = true;
      void load().then(
        (now) => {
          loaded = now;
          if (isMounted) setModule(now);
        },
        () => {},
      );
      return () => {
        isMounted = false;
      };
    }, [module]);
    return module;
  };
}

interface TextEditor {
  insert: (path: string) => void;
  focus: () => void;
  destroy: () => void;
}

interface TextEditorOptions<Editor> {
  /** Undefined while the field is plain text. */
  create: ((parent: HTMLElement, onFocus: () => void) => Editor) | undefined;
  /** The editor is created again when it changes, and not when other options do. */
  kind?: string;
  autoFocus?: boolean | undefined;
}

/** An editor that takes the place of a plain text area, and its focus, once it is loaded. */
export function useTextEditor<Editor extends TextEditor>(options: TextEditorOptions<Editor>) {
  const { create, kind, autoFocus = false } = options;
  const active = useContext(ActiveFieldContext);
  const parent = useRef<HTMLDivElement>(null);
  const plain = useRef<HTMLTextAreaElement>(null);
  const editor = useRef<Editor>(undefined);
  const isLoaded = create !== undefined;
  // Read before React replaces the plain field, which takes the focus away.
  const hadFocus = useRef(false);
  if (isLoaded && plain.current !== null) hadFocus.current = document.activeElement === plain.current;

  useLayoutEffect(() => {
    if (create === undefined || parent.current === null) return;
    const created = create(parent.current, () => {
      active.current = created;
    });
    editor.current = created;
    if (hadFocus.current || autoFocus) created.focus();
    hadFocus.current = false;
    return () => {
      if (active.current === created) active.current = null;
      created.destroy();
      editor.current = undefined;
    };
  }, [isLoaded, kind]);

  return { parent, plain, editor };
}
