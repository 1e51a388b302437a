/** Choices that are kept: how the page looks, what it tells, and the editor that files open in. */
import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { editorLink, EDITORS } from "../editors.ts";
import { permission, askPermission } from "../notifications.ts";
import { useApp, useSelect } from "../hooks.ts";
import { Choice } from "./legend.tsx";

/** Opens a file at a line in the user's editor; asks for what it needs to know first. */
export function OpenInEditor({ file, line }: { file: string; line: number }): JSX.Element | null {
  const { store } = useApp();
  const editor = useSelect((s) => s.editor);
  const repo = useSelect((s) => s.loaded?.context.repo ?? "");
  const root = useSelect((s) => s.roots[repo] ?? "");
  if (file === "") return null;
  const link = editorLink(editor, root, file, line);
  return link === undefined
    ? <button type="button" class="button small quiet" onClick={() => store.dispatch({ type: "panel", panel: "settings" })}>Open in editor…</button>
    : <a class="button small quiet" href={link}>Open in {EDITORS[editor].name}</a>;
}

export function Settings(): JSX.Element {
  const { store } = useApp();
  const dialog = useRef<HTMLDialogElement>(null);
  const theme = useSelect((s) => s.theme);
  const density = useSelect((s) => s.density);
  const colours = useSelect((s) => s.colours);
  const notify = useSelect((s) => s.notify);
  const editor = useSelect((s) => s.editor);
  const repo = useSelect((s) => s.loaded?.context.repo ?? "");
  const root = useSelect((s) => s.roots[repo] ?? "");
  const [refused, setRefused] = useState(permission() === "denied");
  const setNotify = async (wanted: boolean): Promise<void> => {
    const given = wanted ? await askPermission() : "default";
    setRefused(given === "denied");
    store.dispatch({ type: "notify", notify: given === "granted" });
  };
  // Before the next key: it belongs to the dialog.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog class="dialog" ref={dialog} aria-labelledby="settings-title" onClose={() => store.dispatch({ type: "panel", panel: null })}>
      <h2 id="settings-title">Settings</h2>
      <div class="setting"><span>Theme</span>
        <Choice name="theme" label="Theme" value={theme} options={[["system", "System"], ["dark", "Dark"], ["light", "Light"]]} onChange={(next) => store.dispatch({ type: "theme", theme: next })} />
      </div>
      <div class="setting"><span>Colours</span>
        <Choice name="colours" label="Colours" value={colours} options={[["usual", "Usual"], ["safe", "Safe for colour-blind eyes"]]} onChange={(next) => store.dispatch({ type: "colours", colours: next })} />
      </div>
      <div class="setting"><span>Density</span>
        <Choice name="density" label="Density" value={density} options={[["roomy", "Roomy"], ["dense", "Dense"]]} onChange={(next) => store.dispatch({ type: "density", density: next })} />
      </div>
      <label class="setting check"><span>Notify me while this tab is hidden: alerts, and what an agent points at</span>
        <input type="checkbox" checked={notify && !refused} disabled={permission() === "missing"} onChange={(e) => void setNotify(e.currentTarget.checked)} />
      </label>
      {refused && <p class="muted">The browser refuses notifications of this page. They are allowed beside its address, at the left.</p>}
      <label class="setting"><span>Open files in</span>
        <select value={editor} onChange={(e) => store.dispatch({ type: "editor", editor: e.currentTarget.value as keyof typeof EDITORS })}>
          {Object.entries(EDITORS).map(([key, { name }]) => <option key={key} value={key}>{name}</option>)}
        </select>
      </label>
      {repo !== "" && (
        <label class="setting"><span>Folder of {repo} on this machine</span>
          <input type="text" value={root} placeholder="/home/you/code/repository" spellcheck={false}
            onChange={(e) => store.dispatch({ type: "root", repo, root: e.currentTarget.value.trim() })} />
        </label>
      )}
      <p class="muted">Kept in this browser. The page does not know where the folder lies, and editors want the whole path.</p>
      <form method="dialog"><button type="submit" class="button primary">Done</button></form>
    </dialog>
  );
}
