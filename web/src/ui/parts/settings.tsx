/** Choices that are kept: how the page looks, what it tells, and the editor that files open in. */
import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { editorLink, EDITORS } from "../editors.ts";
import { permission, askPermission } from "../notifications.ts";
import { useApp, useSealed, useSelect } from "../hooks.ts";
import { Choice } from "./legend.tsx";
import { strings } from "../strings.ts";

/** Opens a file at a line in the user's editor; asks for what it needs to know first. */
export function OpenInEditor({ file, line }: { file: string; line: number }): JSX.Element | null {
  const { store, memories: { roots } } = useApp();
  const editor = useSelect((s) => s.editor);
  const repo = useSelect((s) => s.loaded?.context.repo ?? "");
  const root = useSealed(roots)[repo] ?? "";
  if (file === "") return null;
  const link = editorLink(editor, root, file, line);
  return link === undefined
    ? <button type="button" class="button small quiet" onClick={() => store.dispatch({ type: "panel", panel: "settings" })}>{strings.settings.openInEditor}</button>
    : <a class="button small quiet" href={link}>{strings.settings.openIn(EDITORS[editor].name)}</a>;
}

export function Settings(): JSX.Element {
  const { store, memories: { roots } } = useApp();
  const dialog = useRef<HTMLDialogElement>(null);
  const theme = useSelect((s) => s.theme);
  const density = useSelect((s) => s.density);
  const colours = useSelect((s) => s.colours);
  const notify = useSelect((s) => s.notify);
  const editor = useSelect((s) => s.editor);
  const repo = useSelect((s) => s.loaded?.context.repo ?? "");
  const root = useSealed(roots)[repo] ?? "";
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
      <h2 id="settings-title">{strings.settings.settings}</h2>
      <div class="setting"><span>{strings.settings.theme}</span>
        <Choice name="theme" label={strings.settings.theme} value={theme} options={[["system", strings.settings.system], ["dark", strings.settings.dark], ["light", strings.settings.light]]} onChange={(next) => store.dispatch({ type: "theme", theme: next })} />
      </div>
      <div class="setting"><span>{strings.settings.colours}</span>
        <Choice name="colours" label={strings.settings.colours} value={colours} options={[["usual", strings.settings.usual], ["safe", strings.settings.safeForColourBlind]]} onChange={(next) => store.dispatch({ type: "colours", colours: next })} />
      </div>
      <div class="setting"><span>{strings.settings.density}</span>
        <Choice name="density" label={strings.settings.density} value={density} options={[["roomy", strings.settings.roomy], ["dense", strings.settings.dense]]} onChange={(next) => store.dispatch({ type: "density", density: next })} />
      </div>
      <label class="setting check"><span>{strings.settings.notifyMeWhileThis}</span>
        <input type="checkbox" checked={notify && !refused} disabled={permission() === "missing"} onChange={(e) => void setNotify(e.currentTarget.checked)} />
      </label>
      {refused && <p class="muted">{strings.settings.theBrowserRefusesNotifications}</p>}
      <label class="setting"><span>{strings.settings.openFilesIn}</span>
        <select value={editor} onChange={(e) => store.dispatch({ type: "editor", editor: e.currentTarget.value as keyof typeof EDITORS })}>
          {Object.entries(EDITORS).map(([key, { name }]) => <option key={key} value={key}>{name}</option>)}
        </select>
      </label>
      {repo !== "" && (
        <label class="setting"><span>{strings.settings.folderOfOnThis(repo)}</span>
          <input type="text" value={root} placeholder={strings.settings.homeYouCodeRepository} spellcheck={false}
            onChange={(e) => {
              const path = e.currentTarget.value.trim();
              roots.change((kept) => ({ ...kept, [repo]: path }));
            }} />
        </label>
      )}
      <p class="muted">{strings.settings.keptInThisBrowser}</p>
      <form method="dialog"><button type="submit" class="button primary">{strings.settings.done}</button></form>
    </dialog>
  );
}
